#include "mpi/schedule/passage.h"
#include "mpi/schedule/parts_up.h"
#include <math.h>

/* Whether pieces that a scatter sends inside this rank's site have to wait for those for other sites. */
static bool far_first(const gb_passage *p) {
  return p->plan->schedule.far_first && p->me == p->plan->schedule.root;
}

/* The edge between endpoint `child` and its parent; `other` is the end that is not this rank. */
static gb_channel edge_between(const gb_passage *p, uint32_t child, uint32_t other) {
  const gb_wire *w = p->w;
  const bool sends = (child == other) != p->up;
  gb_channel edge = {.direction = sends ? GB_SEND : GB_RECEIVE,
                     .rank = gb_endpoint_rank(p->w, p->plan, other),
                     .tag = p->tag,
                     .tree = p->number,
                     .segment = gb_whole_operands(p->plan, gb_passage_tree(p)->segment),
                     .pacing = gb_passage_tree(p)->pacing[child]};
  gb_pacing *pacing = &edge.pacing;
  edge.ahead = gb_bytes_ahead(edge.segment, pacing->window);
  edge.wan = pacing->level == GB_LEVEL_WAN;
  if (w->near != NULL && w->near[edge.rank]) /* ranks that share memory use no link */
    pacing->paced = false;
  const bool meets = p->up && sends && gb_combines(p->plan->operation);
  if (meets && edge.wan)
    pacing->link_part = pacing->rate * gb_part_of_site(p->plan, child, other);
  if (meets && pacing->paced)
    pacing->rate = fmin(pacing->rate, gb_part_of_parent(p->plan, child, other) / pacing->port);
  if (!p->up && gb_carries_blocks(p->plan->operation) && !edge.wan && !far_first(p))
    pacing->paced = false;
  if (gb_this_machine.links_have_queues)
    pacing->shared_rate = fmin(pacing->shared_rate, pacing->link_part);
  edge.window_kind = pacing->level == GB_LEVEL_NODE                 ? GB_WINDOW_NODE
                     : edge.wan || pacing->streams || pacing->paced ? GB_WINDOW_OWN
                                                                    : GB_WINDOW_LAN;
  return edge;
}

static uint32_t add_parent(const gb_passage *p, gb_channel **next) {
  const uint32_t parent = gb_passage_tree(p)->parent[p->me];
  if (!gb_passage_is_edge(p, p->me))
    return 0;
  *(*next)++ = edge_between(p, p->me, parent);
  return 1;
}

/* In sending order; blocks that go up come in the other one. */
static uint32_t add_children(const gb_passage *p, gb_channel **next) {
  const gb_tree *tree = gb_passage_tree(p);
  const bool collects = gb_passage_collects(p);
  const uint32_t first = tree->child_start[p->me], end = tree->child_start[p->me + 1];
  uint32_t count = 0;
  for (uint32_t i = first; i < end; i++) {
    const uint32_t child = tree->child[collects ? end - 1 - (i - first) : i];
    if (!gb_passage_is_edge(p, child))
      continue;
    *(*next)++ = edge_between(p, child, child);
    count++;
  }
  return count;
}

int gb_passage_fill(const gb_passage *p, uint32_t last_stage, gb_channel **next, gb_rank_tree *out) {
  const gb_tree *tree = gb_passage_tree(p);
  out->weight = tree->weight;
  out->stage = p->up ? last_stage - tree->stage : tree->stage;
  out->scatters = gb_passage_scatters(p);
  out->combines = p->up && gb_combines(p->plan->operation);
  out->collects = gb_passage_collects(p);
  out->feeds = GB_NONE;
  out->sender = *next;
  out->sender_count = p->up ? add_children(p, next) : add_parent(p, next);
  out->receiver = *next;
  out->receiver_count = p->up ? add_parent(p, next) : add_children(p, next);
  for (uint32_t i = 0; i < out->receiver_count; i++)
    out->far |= out->receiver[i].wan;
  return out->scatters || out->collects ? gb_passage_list_blocks(p, out) : MPI_SUCCESS;
}
