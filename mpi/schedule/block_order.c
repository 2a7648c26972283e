/* The order of blocks in the streams that go down a tree, or up. */
#include "mpi/schedule/passage.h"
#include <stdlib.h>

/* The order of a stream that goes up is the reverse of one that goes down. */
static void reverse(gb_rank_tree *out, uint32_t children) {
  for (uint32_t i = 0, k = out->subtree - 1; i < k; i++, k--) {
    const uint32_t rank = out->order[i];
    out->order[i] = out->order[k];
    out->order[k] = rank;
  }
  for (uint32_t i = 0; 2 * i <= children; i++) {
    const uint32_t first = out->child_first[i], k = children - i;
    out->child_first[i] = out->subtree - out->child_first[k];
    out->child_first[k] = out->subtree - first;
  }
  out->own_at = out->subtree - 1 - out->own_at;
}

/* Children in sending order, a node after its children. Not recursive. */
int gb_passage_list_blocks(const gb_passage *p, gb_rank_tree *out) {
  const gbcast_plan *plan = p->plan;
  const gb_tree *tree = gb_passage_tree(p);
  const uint32_t me = p->me;
  uint32_t children = 0, count = 0;
  uint32_t *next = malloc(sizeof *next * plan->schedule.endpoint_count);
  uint32_t *order = malloc(sizeof *order * plan->schedule.endpoint_count);
  out->child_first = malloc(sizeof *out->child_first * ((size_t)gb_children(tree, me) + 1));
  if (next == NULL || order == NULL || out->child_first == NULL) {
    free(next);
    free(order);
    return MPI_ERR_NO_MEM;
  }
  for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++)
    next[e] = tree->child_start[e];
  uint32_t at = me;
  for (;;) {
    const uint32_t end = tree->child_start[at + 1];
    while (next[at] < end && !gb_passage_is_edge(p, tree->child[next[at]]))
      next[at]++;
    if (at == me)
      out->child_first[children] = count;
    if (next[at] < end) {
      children += at == me;
      at = tree->child[next[at]++];
      continue;
    }
    order[count++] = (uint32_t)gb_endpoint_rank(p->w, p->plan, at);
    if (at == me)
      break;
    at = tree->parent[at];
  }
  free(next);
  uint32_t *fitted = realloc(order, sizeof *order * count);
  out->order = fitted != NULL ? fitted : order;
  out->subtree = count;
  out->own_at =
      out->combines ? 0 : count - 1; /* it is not the place in this order where operands are combined */
  if (p->up)
    reverse(out, children);
  return MPI_SUCCESS;
}
