#include "nws/sense/experiment_queue.h"

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
