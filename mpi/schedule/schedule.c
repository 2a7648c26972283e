/* Makes one rank's part of a plan. Decides nothing: it copies what concerns this rank. */
#include "mpi/schedule/schedule.h"
#include <math.h>
#include <stdlib.h>

static int rank_at(const gb_wire *w, const gbcast_plan *plan, uint32_t endpoint) {
  return gb_wire_rank_of(w, plan->schedule.endpoint[endpoint].host, plan->schedule.endpoint[endpoint].k);
}

/* The plan's edge that leads to endpoint `to` of a tree; `other` is the end that is not this rank. */
static gb_rank_edge edge_to(const gb_wire *w, const gbcast_plan *plan, uint32_t tree, uint32_t to,
                            uint32_t other) {
  gb_rank_edge edge = {.rank = rank_at(w, plan, other), .pacing = plan->schedule.tree[tree].pacing[to]};
  gb_pacing *pacing = &edge.pacing;
  edge.wan = pacing->level == GB_LEVEL_WAN;
  if (w->near != NULL && w->near[edge.rank]) /* ranks that share memory use no link */
    pacing->paced = false;
  if (gb_this_machine.links_have_queues)
    pacing->shared_rate = fmin(pacing->shared_rate, pacing->link_part);
  edge.window_kind = pacing->level == GB_LEVEL_NODE                 ? GB_WINDOW_NODE
                     : edge.wan || pacing->streams || pacing->paced ? GB_WINDOW_OWN
                                                                    : GB_WINDOW_LAN;
  return edge;
}

/* Lists the ranks below `me` in stream order: children in sending order, a node after its children. Not
 * recursive. */
static int list_subtree(const gb_wire *w, const gbcast_plan *plan, const gb_tree *tree, uint32_t me,
                        gb_rank_tree *out) {
  uint32_t first = tree->child_start[me], count = 0;
  uint32_t *next = malloc(sizeof *next * plan->schedule.endpoint_count);
  uint32_t *order = malloc(sizeof *order * plan->schedule.endpoint_count);
  out->child_first = malloc(sizeof *out->child_first * ((size_t)out->child_count + 1));
  if (next == NULL || order == NULL || out->child_first == NULL) {
    free(next);
    free(order);
    return MPI_ERR_NO_MEM;
  }
  for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++)
    next[e] = tree->child_start[e];
  uint32_t at = me;
  for (;;) {
    if (at == me)
      out->child_first[next[me] - first] = count;
    if (next[at] < tree->child_start[at + 1]) {
      at = tree->child[next[at]++];
      continue;
    }
    order[count++] = (uint32_t)rank_at(w, plan, at);
    if (at == me)
      break;
    at = tree->parent[at];
  }
  free(next);
  uint32_t *fitted = realloc(order, sizeof *order * count);
  out->order = fitted != NULL ? fitted : order;
  return MPI_SUCCESS;
}

static int fill_tree(const gb_wire *w, const gbcast_plan *plan, uint32_t number, uint32_t me,
                     gb_rank_tree *out) {
  const gb_tree *tree = &plan->schedule.tree[number];
  out->segment = tree->segment;
  out->weight = tree->weight;
  out->stage = tree->stage;
  out->parent.rank = -1;
  if (tree->parent[me] != GB_NONE)
    out->parent = edge_to(w, plan, number, me, tree->parent[me]);
  uint32_t first = tree->child_start[me], count = tree->child_start[me + 1] - first;
  out->child = malloc(sizeof *out->child * (count + (size_t)1));
  if (out->child == NULL)
    return MPI_ERR_NO_MEM;
  out->child_count = count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t child = tree->child[first + i];
    out->child[i] = edge_to(w, plan, number, child, child);
    out->far |= out->child[i].wan;
  }
  return plan->operation == GBCAST_SCATTER ? list_subtree(w, plan, tree, me, out) : MPI_SUCCESS;
}

static const gb_site *site_of(const gb_wire *w, const gbcast_plan *plan, int rank) {
  const uint32_t cluster = plan->platform->host[w->rank_host[rank]].cluster;
  const gb_site *site = plan->site;
  while (site->cluster != cluster)
    site++;
  return site;
}

typedef struct gb_noted {
  bool known;
  gb_edge_id first;
} gb_noted;

static gb_edge_id first_of(gb_noted *noted, gb_edge_id here) {
  if (!noted->known)
    *noted = (gb_noted){true, here};
  return noted->first;
}

static int find_firsts(const gb_wire *w, const gbcast_plan *plan, gb_rank_schedule *schedule) {
  const size_t ranks = (size_t)w->size;
  gb_noted *to_rank = calloc(ranks + plan->site_count, sizeof *to_rank), *to_site = to_rank + ranks;
  if (to_rank == NULL)
    return MPI_ERR_NO_MEM;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    for (uint32_t i = 0; i < schedule->tree[t].child_count; i++) {
      gb_rank_edge *edge = &schedule->tree[t].child[i];
      edge->to_receiver = first_of(&to_rank[edge->rank], (gb_edge_id){t, i});
      edge->to_site = edge->wan
                          ? first_of(&to_site[site_of(w, plan, edge->rank) - plan->site], (gb_edge_id){t, i})
                          : edge->to_receiver;
    }
  free(to_rank);
  return MPI_SUCCESS;
}

static int fill(const gb_wire *w, const gbcast_plan *plan, size_t bytes, int root,
                gb_rank_schedule *schedule) {
  schedule->operation = plan->operation;
  schedule->root = root;
  schedule->class_bytes = gb_size_class(bytes);
  schedule->predicted = plan->predicted;
  schedule->rendezvous = plan->rendezvous;
  schedule->hash = gb_plan_hash_for(plan, schedule->class_bytes);
  schedule->weight_total = plan->schedule.weight_total;
  schedule->bytes_at_most =
      sizeof *schedule + ((uint64_t)plan->schedule.tree_count + 1) * (uint64_t)w->size * sizeof(gb_rank_edge);
  schedule->pace = 1;
  schedule->efficiency[0] = plan->schedule.efficiency[0];
  schedule->efficiency[1] = plan->schedule.efficiency[1];
  if (plan->operation == GBCAST_ALLTOALL)
    return gb_class_of_status(
        gb_exchange_new(plan->alltoall, w->rank_host[w->rank], &schedule->exchange, NULL));
  uint32_t me = 0;
  while (me < plan->schedule.endpoint_count && rank_at(w, plan, me) != w->rank)
    me++;
  if (me == plan->schedule.endpoint_count || plan->schedule.tree_count == 0 ||
      plan->schedule.tree_count > GB_TREES_MOST)
    return MPI_ERR_INTERN;
  if (me == plan->schedule.root) {
    schedule->pace = plan->schedule.pace;
    schedule->far_first = plan->schedule.far_first;
  }
  schedule->one_uplink = site_of(w, plan, w->rank)->one_uplink;
  schedule->tree = calloc(plan->schedule.tree_count, sizeof *schedule->tree);
  if (schedule->tree == NULL)
    return MPI_ERR_NO_MEM;
  schedule->tree_count = plan->schedule.tree_count;
  schedule->in_stages = gb_plan_in_stages(plan);
  int rc = MPI_SUCCESS;
  uint32_t before = 0;
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < plan->schedule.tree_count; t++) {
    schedule->tree[t].weight_before = before;
    before += plan->schedule.tree[t].weight;
    rc = fill_tree(w, plan, t, me, &schedule->tree[t]);
  }
  return rc == MPI_SUCCESS ? find_firsts(w, plan, schedule) : rc;
}

int gb_rank_schedule_make(const gb_wire *w, const gbcast_plan *plan, size_t bytes, int root, bool native,
                          gb_rank_schedule **out) {
  gb_rank_schedule *schedule = calloc(1, sizeof *schedule);
  if (schedule != NULL)
    atomic_init(&schedule->references, 1);
  int rc = schedule == NULL ? MPI_ERR_NO_MEM : fill(w, plan, bytes, root, schedule);
  if (rc != MPI_SUCCESS) {
    gb_rank_schedule_free(schedule);
    return rc;
  }
  schedule->native = native;
  *out = schedule;
  return MPI_SUCCESS;
}

gb_rank_schedule *gb_rank_schedule_keep(gb_rank_schedule *schedule) {
  atomic_fetch_add_explicit(&schedule->references, 1, memory_order_relaxed);
  return schedule;
}

void gb_rank_schedule_free(gb_rank_schedule *schedule) {
  if (schedule == NULL || atomic_fetch_sub_explicit(&schedule->references, 1, memory_order_acq_rel) > 1)
    return;
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    free(schedule->tree[t].child);
    free(schedule->tree[t].order);
    free(schedule->tree[t].child_first);
  }
  gb_exchange_free(&schedule->exchange);
  gbcast_plan_free(schedule->plan);
  free(schedule->tree);
  free(schedule);
}
