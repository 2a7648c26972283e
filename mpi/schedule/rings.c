/* The trees of a rank where blocks go round rings: one ring for each site, one tree for each block.
 *
 *   allgather        its rank sends the block round its own ring, and to one rank of each other site, from
 *                    which it goes round that ring
 *
 *                      site a    a0 --> a1 --> a2
 *                                 `---.
 *                      site b         b0 --> b1 --> b2
 *
 *   reduce-scatter   the block is combined round each ring, and then by its rank
 *
 *                      site a    a1 --> a2 --> a0
 *                                           ^
 *                      site b    b1 --> b2 --> b0
 *
 * Blocks enter other sites at different places, so that all links are busy at the same time. */
#include "mpi/schedule/passage.h"
#include <stdlib.h>

typedef struct rings {
  const gb_wire *w;
  const gbcast_plan *plan;
  const uint32_t *order; /* gb_rings_order */
  const gb_site *mine;   /* the site of this rank ... */
  uint32_t place;        /* ... and its place in the ring */
} rings;

/* The endpoint at a place of a site's ring. */
static uint32_t at(const rings *r, const gb_site *site, uint32_t place) {
  return r->order[site->first_endpoint + place % site->endpoint_count];
}

/* The channel to or from a neighbour in the ring. The edge to a rank is paced as the tree's is; that back to
 * the site's leader, as the sender's. */
static gb_channel around(const rings *r, uint32_t number, bool sends) {
  const gb_tree *tree = &r->plan->schedule.tree[0];
  const uint32_t from = at(r, r->mine, sends ? r->place : r->place + r->mine->endpoint_count - 1),
                 to = at(r, r->mine, sends ? r->place + 1 : r->place);
  const bool back = tree->parent[to] == GB_NONE || tree->pacing[to].level == GB_LEVEL_WAN;
  const gb_pacing *pacing = &tree->pacing[back ? from : to];
  const uint64_t segment = gb_whole_operands(r->plan, tree->segment);
  return (gb_channel){.direction = sends ? GB_SEND : GB_RECEIVE,
                      .rank = gb_endpoint_rank(r->w, r->plan, sends ? to : from),
                      .tag = number,
                      .tree = number,
                      .segment = segment,
                      .ahead = gb_bytes_ahead(segment, pacing->window),
                      .pacing = *pacing,
                      .window_kind = GB_WINDOW_OWN};
}

/* The channels between the rank of a block and the rank at which it enters or leaves each other site. */
static void add_across(const rings *r, const gb_site *owner, uint32_t place, gb_channel **next) {
  const gbcast_plan *plan = r->plan;
  const uint32_t number = owner->first_endpoint + place, own = (uint32_t)(owner - plan->site);
  const enum gb_direction out = gb_combines(plan->operation) ? GB_RECEIVE : GB_SEND;
  if (owner != r->mine)
    *(*next)++ = gb_channel_across(r->w, plan, out == GB_SEND ? GB_RECEIVE : GB_SEND, at(r, owner, place),
                                   number, number);
  for (uint32_t i = 1; owner == r->mine && i < plan->site_count; i++) {
    const gb_site *to = &plan->site[(own + i) % plan->site_count];
    *(*next)++ =
        gb_channel_across(r->w, plan, out, at(r, to, gb_rings_entry(owner, place, to)), number, number);
  }
}

/* The tree of the block whose rank is at that place of its site's ring. It goes round from place `first` on,
 * and this rank is `distance` behind. Blocks that have further to go are served first (gb_rank_tree.stage).
 */
static int fill_block(const rings *r, const gb_site *owner, uint32_t place, gb_channel **next,
                      gb_rank_tree *tree) {
  const bool combines = gb_combines(r->plan->operation), own = owner == r->mine;
  const uint32_t n = r->mine->endpoint_count, end = own ? place : gb_rings_entry(owner, place, r->mine),
                 first = combines ? end + 1 : end, distance = (r->place + 2 * n - first) % n;
  const bool crosses = r->place == end && r->plan->site_count > 1;
  *tree = (gb_rank_tree){.feeds = GB_NONE,
                         .combines = combines,
                         .weight = r->plan->schedule.weight_total,
                         .stage = own != combines ? distance : n + distance,
                         .subtree = 1,
                         .sender = *next,
                         .order = malloc(sizeof *tree->order)};
  if (tree->order == NULL)
    return MPI_ERR_NO_MEM;
  tree->order[0] = (uint32_t)gb_endpoint_rank(r->w, r->plan, at(r, owner, place));
  const uint32_t number = owner->first_endpoint + place;
  if (distance > 0)
    *(*next)++ = around(r, number, false);
  if (crosses && own == combines)
    add_across(r, owner, place, next);
  tree->receiver = *next;
  tree->sender_count = (uint32_t)(tree->receiver - tree->sender);
  if (crosses && own != combines)
    add_across(r, owner, place, next);
  tree->far = *next > tree->receiver;
  if (distance + 1 < n)
    *(*next)++ = around(r, number, true);
  tree->receiver_count = (uint32_t)(*next - tree->receiver);
  return MPI_SUCCESS;
}

/* Receives from the neighbour are posted when the one before the last has come, of each site's blocks: a rank
 * looks at few at a time. A block comes the later, the further it has gone round. */
static void order_receives(const rings *r, gb_rank_schedule *schedule) {
  const uint32_t n = r->mine->endpoint_count;
  for (uint32_t s = 0; s < r->plan->site_count; s++) {
    const gb_site *owner = &r->plan->site[s];
    uint32_t last = GB_NONE, before = GB_NONE; /* channels */
    for (uint32_t distance = 1; distance < n; distance++)
      for (uint32_t place = 0; place < owner->endpoint_count; place++) {
        const uint32_t number = owner->first_endpoint + place;
        const gb_rank_tree *tree = &schedule->tree[number];
        if (tree->stage % n != distance)
          continue;
        const uint32_t c = (uint32_t)(tree->sender - schedule->channel);
        if (before != GB_NONE) {
          schedule->channel[c].predecessors = 1;
          schedule->channel[before].first_successor = number;
          schedule->channel[before].successor_count = 1;
          schedule->successor[number] = c;
        }
        before = last;
        last = c;
      }
  }
}

int gb_fill_rings(const gb_wire *w, const gbcast_plan *plan, uint32_t me, gb_channel *next,
                  gb_rank_schedule *schedule) {
  const uint32_t n = plan->schedule.endpoint_count;
  uint32_t *order = malloc(2 * (size_t)n * sizeof *order);
  schedule->successor = calloc(n, sizeof *schedule->successor);
  int rc = order != NULL && schedule->successor != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM;
  rings r = {.w = w, .plan = plan, .order = order, .mine = gb_endpoint_site(plan, me)};
  if (rc == MPI_SUCCESS)
    gb_rings_order(&plan->schedule, plan->site, plan->site_count, order);
  while (rc == MPI_SUCCESS && at(&r, r.mine, r.place) != me)
    r.place++;
  for (uint32_t s = 0; s < plan->site_count; s++)
    for (uint32_t place = 0; rc == MPI_SUCCESS && place < plan->site[s].endpoint_count; place++)
      rc =
          fill_block(&r, &plan->site[s], place, &next, &schedule->tree[plan->site[s].first_endpoint + place]);
  if (rc == MPI_SUCCESS)
    order_receives(&r, schedule);
  free(order);
  return rc;
}
