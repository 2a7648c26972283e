/* The events of one process. */
#include "mpi/report/log.h"
#include "plan/core/core.h"
#include <pthread.h>
#include <stdlib.h>

struct gb_event_log {
  pthread_mutex_t lock;
  gb_event *event;
  size_t count, room;
  uint64_t dropped;
};

gb_event_log *gb_events_new(void) {
  gb_event_log *log = calloc(1, sizeof *log);
  if (log != NULL)
    (void)pthread_mutex_init(&log->lock, NULL);
  return log;
}

void gb_events_free(gb_event_log *log) {
  if (log == NULL)
    return;
  (void)pthread_mutex_destroy(&log->lock);
  free(log->event);
  free(log);
}

static bool has_room(gb_event_log *log) {
  if (log->count < log->room)
    return true;
  if (log->count >= GB_EVENTS_MOST)
    return false;
  const size_t room = log->room > 0 ? log->room * 2 : 256;
  gb_event *event = realloc(log->event, room * sizeof *event);
  if (event == NULL)
    return false;
  log->event = event;
  log->room = room;
  return true;
}

void gb_events_add(gb_event_log *log, const gb_event *event) {
  (void)pthread_mutex_lock(&log->lock);
  if (has_room(log))
    log->event[log->count++] = *event;
  else
    log->dropped++;
  (void)pthread_mutex_unlock(&log->lock);
}

void gb_events_add_call(gb_event_log *log, const gb_call_record *call) {
  gb_events_add(log, &(gb_event){.start = call->start,
                                 .end = call->end,
                                 .bytes = call->bytes,
                                 .id = call->plan,
                                 .predicted = call->predicted,
                                 .peer = call->root,
                                 .type = GB_EVENT_CALL,
                                 .kind = (uint8_t)call->kind,
                                 .form = (uint8_t)call->form,
                                 .own = call->own,
                                 .passed = (uint8_t)call->passed});
}

const gb_event *gb_events_all(const gb_event_log *log, size_t *count, uint64_t *dropped) {
  *count = log->count;
  *dropped = log->dropped;
  return log->event;
}

void gb_watch_see(const gb_watch *watch, const gb_seen *seen, int rank) {
  uint64_t id = gb_hash_number(watch->communicator, seen->run);
  id = gb_hash_number(id, (uint64_t)(seen->sent ? rank : seen->peer));
  id = gb_hash_number(id, (uint64_t)(seen->sent ? seen->peer : rank));
  gb_events_add(watch->log, &(gb_event){.start = seen->start,
                                        .end = MPI_Wtime(),
                                        .bytes = seen->bytes,
                                        .id = gb_hash_number(id, seen->tag),
                                        .peer = watch->world[seen->peer],
                                        .tree = (uint16_t)seen->tree,
                                        .trees = (uint16_t)seen->trees,
                                        .type = seen->sent ? GB_EVENT_SEND : GB_EVENT_RECEIVE});
}
