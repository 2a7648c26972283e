/* The names of calls, and the reasons why they are passed on to MPI; and the events of one process. */
#include "mpi/report/record.h"
#include "plan/core/core.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
  const char *word, *why;
} passed[GB_PASSED_WAYS] = {
    [GB_PASSED_NOT] = {"planned", "it ran on a plan of gbcast"},
    [GB_PASSED_DISABLED] = {"disabled", "GBCAST_DISABLE is set"},
    [GB_PASSED_NO_HOSTS] = {"no_hosts_file", "there is no hosts file: GBCAST_HOSTS is not set"},
    [GB_PASSED_NOT_ALL] = {"not_on_all_ranks", "some ranks lack the preloaded library"},
    [GB_PASSED_REFUSED] = {"refused", "the settings or the hosts file cannot be used; see the message above"},
    [GB_PASSED_ONE_CLUSTER] = {"one_cluster",
                               "inside one cluster MPI's own collective is predicted to be as fast"},
    [GB_PASSED_PLANNER] = {"planner", "MPI's own collective is predicted to be as fast"},
    [GB_PASSED_OPERATOR] = {"operator",
                            "gbcast cannot combine with this operator, or cannot combine this datatype"},
    [GB_PASSED_EARLY] = {"early", "a non-blocking call came before a blocking one on its communicator"},
    [GB_PASSED_NO_THREAD] = {"no_thread", "a non-blocking call needs GBCAST_PROGRESS=thread"},
    [GB_PASSED_ALONE] = {"one_rank", "the communicator has one rank"},
    [GB_PASSED_INTER] = {"inter_communicator", "the communicator is an inter-communicator"},
    [GB_PASSED_WORLDS] = {"several_worlds", "the communicator has ranks of several MPI_COMM_WORLDs"},
    [GB_PASSED_FULL] = {"no_communicator", "MPI has no communicator left for gbcast's messages"},
    [GB_PASSED_ARGUMENT] = {"argument", "an argument is wrong, which MPI reports"},
    [GB_PASSED_ENDING] = {"finalizing", "the call was made in MPI_Finalize"},
};

const char *gb_passed_word(enum gb_passed why) {
  return passed[why].word;
}

const char *gb_passed_why(enum gb_passed why) {
  return passed[why].why;
}

void gb_call_name(enum gb_call_kind kind, enum gb_call_form form, bool own, char name[GB_CALL_NAME]) {
#define GB_BOTH_NAMES(lower, title) {#lower, #title},
  static const struct { const char *lower, *title; } both[] = {GB_EACH_COLLECTIVE(GB_BOTH_NAMES)};
  const bool at_once = form == GB_CALL_AT_ONCE, later = form == GB_CALL_LATER;
  if (own)
    (void)snprintf(name, GB_CALL_NAME, "gbcast_%s%s%s", at_once ? "i" : "", both[kind].lower,
                   later ? "_init" : "");
  else
    (void)snprintf(name, GB_CALL_NAME, "MPI_%s%s", at_once ? "I" : "",
                   at_once ? both[kind].lower : both[kind].title);
}

bool gb_call_has_class(enum gb_call_kind kind) {
  return kind != GB_CALL_scatterv && kind != GB_CALL_gatherv && kind != GB_CALL_alltoallv &&
         kind != GB_CALL_barrier;
}

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
