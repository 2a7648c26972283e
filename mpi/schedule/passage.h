/* One way through a tree of a plan: the channels of this rank there. */
#ifndef GB_MPI_SCHEDULE_PASSAGE_H
#define GB_MPI_SCHEDULE_PASSAGE_H

#include "mpi/schedule/schedule.h"

typedef struct gb_passage {
  const gb_wire *w;
  const gbcast_plan *plan;
  uint32_t tree, number; /* in the plan; in the schedule */
  unsigned tag;
  uint32_t me; /* endpoint */
  bool up;
} gb_passage;

static inline const gb_tree *gb_passage_tree(const gb_passage *p) {
  return &p->plan->schedule.tree[p->tree];
}

static inline int gb_endpoint_rank(const gb_wire *w, const gbcast_plan *plan, uint32_t endpoint) {
  return gb_wire_rank_of(w, plan->schedule.endpoint[endpoint].host, plan->schedule.endpoint[endpoint].k);
}

/* Bytes of a segment in which no operand is cut: so many or, where operands are combined, a few more. */
static inline uint64_t gb_whole_operands(const gbcast_plan *plan, uint64_t segment) {
  const uint64_t unit = gb_combines(plan->operation) ? GB_OPERANDS : 1;
  return (segment + unit - 1) / unit * unit;
}

/* gb_channel.ahead of a window. */
static inline uint64_t gb_bytes_ahead(uint64_t segment, uint32_t window) {
  return segment * (window < GB_WINDOW_MOST ? window + 1 : GB_WINDOW_MOST);
}

static inline uint32_t gb_children(const gb_tree *tree, uint32_t endpoint) {
  return tree->child_start[endpoint + 1] - tree->child_start[endpoint];
}

/* Where leaders exchange, no edge leads to another site. */
static inline bool gb_passage_is_edge(const gb_passage *p, uint32_t child) {
  const gb_tree *tree = gb_passage_tree(p);
  return tree->parent[child] != GB_NONE &&
         !(p->plan->schedule.exchange == GB_EXCHANGE_LEADERS && tree->pacing[child].level == GB_LEVEL_WAN);
}

/* Whether blocks go up. */
static inline bool gb_passage_collects(const gb_passage *p) {
  return p->up && (gb_carries_blocks(p->plan->operation) || gb_gathers_all(p->plan->operation));
}

/* Whether each child gets the blocks of those below it. */
static inline bool gb_passage_scatters(const gb_passage *p) {
  return !p->up && (gb_carries_blocks(p->plan->operation) || gb_scatters_result(p->plan->operation));
}

/* Takes the channels from *next on. last_stage: of the plan; what goes up comes in the other order.
 * MPI_ERR_NO_MEM. */
int gb_passage_fill(const gb_passage *p, uint32_t last_stage, gb_channel **next, gb_rank_tree *out);

/* Lists the blocks of the subtree of p->me in stream order: sets subtree, order, child_first and own_at.
 * MPI_ERR_NO_MEM. */
int gb_passage_list_blocks(const gb_passage *p, gb_rank_tree *out);

/* The site of an endpoint. */
static inline const gb_site *gb_endpoint_site(const gbcast_plan *plan, uint32_t endpoint) {
  const gb_site *site = plan->site;
  while (endpoint - site->first_endpoint >= site->endpoint_count)
    site++;
  return site;
}

/* The trees where leaders or ranks exchange, schedule->tree_count; takes the channels from `next` on.
 * MPI_ERR_NO_MEM. */
int gb_fill_exchange(const gb_wire *w, const gbcast_plan *plan, uint32_t me, gb_channel *next,
                     gb_rank_schedule *schedule);

/* How many trees that are. */
uint32_t gb_exchange_trees(const gbcast_plan *plan);

/* The same where blocks go round rings. */
int gb_fill_rings(const gb_wire *w, const gbcast_plan *plan, uint32_t me, gb_channel *next,
                  gb_rank_schedule *schedule);

/* The messages to or from an endpoint of another site, where these are all that cross. Operands go in one
 * piece. */
gb_channel gb_channel_across(const gb_wire *w, const gbcast_plan *plan, enum gb_direction direction,
                             uint32_t endpoint, uint32_t tree, unsigned tag);

#endif
