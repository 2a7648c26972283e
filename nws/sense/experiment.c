/* Sizes of an experiment that a peer may ask for. */
#include "nws/sense/experiment.h"

enum { BURST_MOST = 64 << 20, BUFFER_LEAST = 4096, BUFFER_MOST = 4 << 20 };

bool gb_experiment_sound(const gb_experiment *e) {
  return e->size <= BURST_MOST && e->message <= BURST_MOST && (e->size == 0 || e->message > 0);
}

uint64_t gb_experiment_burst(const gb_experiment *e) {
  return e->size == 0 ? 0 : ((uint64_t)e->size + e->message - 1) / e->message * e->message;
}

int gb_experiment_socket_buffer(const gb_experiment *e) {
  if (e->buffer < BUFFER_LEAST)
    return BUFFER_LEAST;
  return e->buffer < BUFFER_MOST ? (int)e->buffer : BUFFER_MOST;
}

static void go_on(gb_experiment_queue *queue) {
  gb_ticket *next = queue->first;
  if (queue->running != NULL || next == NULL)
    return;
  queue->first = next->next;
  queue->running = next;
  next->go(next->context);
}

bool gb_experiment_queue_enter(gb_experiment_queue *queue, gb_ticket *ticket, bool own) {
  gb_ticket **at = &queue->first;
  size_t waiting = 0;
  for (; !own && *at != NULL; at = &(*at)->next)
    waiting++;
  if (waiting >= GB_EXPERIMENT_QUEUE_MOST)
    return false;
  ticket->next = *at;
  *at = ticket;
  go_on(queue);
  return true;
}

void gb_experiment_queue_leave(gb_experiment_queue *queue, gb_ticket *ticket) {
  for (gb_ticket **at = &queue->first; *at != NULL; at = &(*at)->next)
    if (*at == ticket) {
      *at = ticket->next;
      return;
    }
  if (queue->running != ticket)
    return;
  queue->running = NULL;
  go_on(queue);
}
