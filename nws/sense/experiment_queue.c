#include "nws/sense/experiment_queue.h"

static void go_on(gb_lane *lane) {
  gb_ticket *next = lane->first;
  if (lane->running != NULL || next == NULL)
    return;
  lane->first = next->next;
  lane->running = next;
  next->go(next->context);
}

bool gb_lane_enter(gb_lane *lane, gb_ticket *ticket, bool own) {
  gb_ticket **at = &lane->first;
  size_t waiting = 0;
  for (; !own && *at != NULL; at = &(*at)->next)
    waiting++;
  if (waiting >= GB_LANE_MOST)
    return false;
  ticket->next = *at;
  *at = ticket;
  go_on(lane);
  return true;
}

void gb_lane_leave(gb_lane *lane, gb_ticket *ticket) {
  for (gb_ticket **at = &lane->first; *at != NULL; at = &(*at)->next)
    if (*at == ticket) {
      *at = ticket->next;
      return;
    }
  if (lane->running != ticket)
    return;
  lane->running = NULL;
  go_on(lane);
}
