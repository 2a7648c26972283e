/* Checks the trees of a plan: each must reach every endpoint exactly once from the root, along child lists
 * that agree with the parents, and the weights must add up. */
#include "plan/core/core.h"
#include <stdlib.h>

static int check_tree(const gbcast_plan *plan, uint32_t t, bool *seen, uint32_t *queue, gbcast_error *err) {
  const gb_tree *tree = &plan->schedule.tree[t];
  uint32_t n = plan->schedule.endpoint_count, head = 0, tail = 0;
  const uint32_t members = n - (plan->site_count - gb_plan_members(plan)); /* the others are relays */
  if (tree->segment == 0)
    return gb_fail(err, GBCAST_EINPUT, "tree %u: a segment of 0 bytes", t);
  if (tree->parent[plan->schedule.root] != GB_NONE)
    return gb_fail(err, GBCAST_EINPUT, "tree %u: the root has a parent", t);
  if (tree->child_start[0] != 0 || tree->child_start[n] >= n)
    return gb_fail(err, GBCAST_EINPUT, "tree %u: %u edges for %u ranks", t, tree->child_start[n], n);
  for (uint32_t v = 0; v < n; v++) {
    seen[v] = false;
    if (tree->child_start[v] > tree->child_start[v + 1])
      return gb_fail(err, GBCAST_EINPUT, "tree %u: the child list of rank %u ends before it begins", t, v);
  }
  seen[plan->schedule.root] = true;
  queue[tail++] = plan->schedule.root;
  while (head < tail) {
    uint32_t u = queue[head++];
    for (uint32_t i = tree->child_start[u]; i < tree->child_start[u + 1]; i++) {
      uint32_t v = tree->child[i];
      if (v >= n || tree->parent[v] != u)
        return gb_fail(err, GBCAST_EINPUT, "tree %u: rank %u sends to %u, which expects another sender", t, u,
                       v);
      if (seen[v])
        return gb_fail(err, GBCAST_EINPUT, "tree %u: rank %u is reached twice", t, v);
      seen[v] = true;
      queue[tail++] = v;
    }
  }
  for (uint32_t v = 0; tail < n && v < n; v++)
    if (!seen[v] && (v < members || tree->parent[v] != GB_NONE))
      return gb_fail(err, GBCAST_EINPUT, "tree %u: reaches %u of %u ranks", t, tail, n);
  return GBCAST_OK;
}

/* Where leaders or ranks exchange, who has a parent in another site is the leader of its own. */
static int check_exchange(const gbcast_plan *plan, gbcast_error *err) {
  const gb_tree *tree = &plan->schedule.tree[0];
  if (plan->schedule.tree_count != 1 || plan->lanes != 1)
    return gb_fail(err, GBCAST_EINPUT, "an exchange between sites with %u trees in %u lanes, expected one",
                   plan->schedule.tree_count, plan->lanes);
  if (plan->schedule.exchange == GB_EXCHANGE_RINGS &&
      (!gb_carries_parts(plan->operation) || plan->schedule.endpoint_count > GB_TREES_MOST))
    return gb_fail(err, GBCAST_EINPUT,
                   "rings of %u ranks, expected an allgather or a reduce-scatter of at most %u",
                   plan->schedule.endpoint_count, GB_TREES_MOST);
  for (uint32_t s = 0; s < plan->site_count; s++)
    for (uint32_t i = 0; i < plan->site[s].endpoint_count; i++) {
      const uint32_t v = plan->site[s].first_endpoint + i, parent = tree->parent[v];
      if (parent != GB_NONE && gb_plan_level(plan, parent, v) == GB_LEVEL_WAN && v != plan->leaders[s])
        return gb_fail(err, GBCAST_EINPUT, "rank %u has a parent in another site, but is no leader", v);
    }
  return GBCAST_OK;
}

int gb_plan_check_trees(const gbcast_plan *plan, gbcast_error *err) {
  uint32_t n = plan->schedule.endpoint_count;
  uint64_t weight = 0;
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++)
    weight += plan->schedule.tree[t].weight;
  if (plan->schedule.tree_count == 0 || weight != plan->schedule.weight_total || weight == 0)
    return gb_fail(err, GBCAST_EINPUT, "the shares of the trees do not sum to one");
  bool *seen = malloc(n * sizeof *seen);
  uint32_t *queue = malloc(n * sizeof *queue);
  int status = seen && queue ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t t = 0; status == GBCAST_OK && t < plan->schedule.tree_count; t++)
    status = check_tree(plan, t, seen, queue, err);
  if (status == GBCAST_OK && plan->schedule.exchange != GB_UP_AND_DOWN)
    status = check_exchange(plan, err);
  free(seen);
  free(queue);
  return status;
}
