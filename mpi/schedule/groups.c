/* An all-to-all in groups (plan/alltoall/groups.c): blocks are composed into messages before they are sent,
 * and passed on. The messages of a track lie one after the other in memory of the run, those inside the group
 * by position there, those across by group. In each message, blocks are ordered by the coordinate in which
 * they differ:
 *
 *   to or from position p of the group    [ for or from group 0 | group 1 | ... ]
 *   to or from group q                    [ from position 0 | position 1 | ... ]
 *
 *   composed --> sent inside, received --> passed on --> sent across, received --> taken apart */
#include "mpi/schedule/alltoall.h"

typedef struct groups {
  gb_exchange_draft *x;
  uint32_t size, count; /* of a group; of groups */
  uint32_t position, own;
} groups;

static groups groups_of(gb_exchange_draft *x) {
  const gb_exchange *exchange = x->exchange;
  return (groups){.x = x,
                  .size = exchange->group,
                  .count = exchange->places / exchange->group,
                  .position = exchange->mine % exchange->group,
                  .own = exchange->mine / exchange->group};
}

uint32_t gb_group_scratch(const gb_exchange *exchange) {
  return 4 * exchange->places;
}

/* What is sent inside the group, what is sent across, and what is received in the same way. */
static gb_extent scratch(const gb_exchange *exchange, uint32_t track, bool sent, uint32_t block) {
  return (gb_extent){GB_MEMORY_SCRATCH, (track + (sent ? 0 : 2)) * exchange->places + block};
}

/* Inside the group: the block sent to or received from `position` whose last receiver, or first sender, is in
 * `group`. Across groups: the same with the roles exchanged. */
static gb_extent inside(const groups *g, bool sent, uint32_t position, uint32_t group) {
  return scratch(g->x->exchange, 0, sent, position * g->count + group);
}

static gb_extent across(const groups *g, bool sent, uint32_t group, uint32_t position) {
  return scratch(g->x->exchange, 1, sent, group * g->size + position);
}

gb_extent gb_group_extent(const gb_exchange_draft *x, uint32_t track, int rank, bool sent) {
  const uint32_t place = x->place[rank], size = x->exchange->group, count = x->exchange->places / size;
  return scratch(x->exchange, track, sent, track == 0 ? place % size * count : place / size * size);
}

/* The caller's block for or from the rank at a place. */
static gb_extent users(const groups *g, enum gb_memory memory, uint32_t group, uint32_t position) {
  const uint32_t host = g->x->exchange->place[group * g->size + position];
  return (gb_extent){memory, (uint32_t)gb_wire_rank_of(g->x->w, host, 0)};
}

/* Copies a block after `before`; `after` comes after that. */
static void copy(const groups *g, gb_extent at, gb_extent from, uint32_t before, uint32_t after) {
  gb_channel channel = gb_join(g->x->w);
  channel.blocks = 1;
  channel.at = at;
  channel.from = from;
  gb_draft_order(&g->x->d, gb_draft_add(&g->x->d, channel, before), after);
}

/* The channel that is over when all blocks of a track are composed and all its messages have arrived. */
static uint32_t all_received(const groups *g, uint32_t track, uint32_t composed) {
  const uint32_t count = g->x->exchange->track[track].receive_count;
  if (count == 0)
    return composed;
  const uint32_t end = g->x->receive[track][count - 1].end;
  gb_draft_order(&g->x->d, composed, end);
  return end;
}

/* The first send of a track comes after what is copied for it. */
static uint32_t add_composed(const groups *g, uint32_t track) {
  const uint32_t composed = gb_draft_add(&g->x->d, gb_join(g->x->w), GB_NONE);
  if (g->x->exchange->track[track].send_count > 0)
    gb_draft_order(&g->x->d, composed, g->x->send[track][0].begin);
  return composed;
}

void gb_add_group_copies(gb_exchange_draft *x) {
  const groups g = groups_of(x);
  uint32_t composed = add_composed(&g, 0);
  for (uint32_t p = 0; p < g.size; p++)
    for (uint32_t q = 0; q < g.count; q++)
      copy(&g, inside(&g, true, p, q), users(&g, GB_MEMORY_SEND, q, p), GB_NONE, composed);
  uint32_t arrived = all_received(&g, 0, composed);
  composed = add_composed(&g, 1);
  for (uint32_t p = 0; p < g.size; p++) {
    const bool mine = p == g.position; /* it is not sent */
    for (uint32_t q = 0; q < g.count; q++)
      copy(&g, q == g.own ? users(&g, GB_MEMORY_RECEIVE, q, p) : across(&g, true, q, p),
           inside(&g, mine, p, q), arrived, composed);
  }
  arrived = all_received(&g, 1, composed);
  for (uint32_t q = 0; q < g.count; q++)
    for (uint32_t p = 0; q != g.own && p < g.size; p++)
      copy(&g, users(&g, GB_MEMORY_RECEIVE, q, p), across(&g, false, q, p), arrived, GB_NONE);
}
