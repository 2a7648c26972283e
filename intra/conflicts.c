/* The conflict intervals of positions. When does an edge i -> k share a directed link with a tree over the
 * positions a .. b between its ends (i < a <= b < k), if the tree is rooted at a and sends only from smaller
 * to larger positions? What lies below a node is a run of positions, and each link joins a node y with the
 * one above. With lca(u, v) for the lowest common ancestor of the nodes of two positions:
 *
 *   - A link up from y is on i -> k when y has i below it and not k. A tree rooted at a sends up from y when
 *     y has a below it and some position of a .. b not; a tree that starts outside of y comes after all that
 *     is below y and never sends up from it. As runs are intervals and i < a <= b < k, the link is shared
 *     when y has i and a below it and not b. So no link up is shared if and only if b is below lca(i, a).
 *   - A link down to y is on i -> k when y has k below it and not i. The tree sends down to y when y has some
 *     position of a .. b below it and not a. So it is shared when y has b and k and not a, hence not i: no
 *     link down is shared if and only if a is below lca(b, k).
 *
 *       lca(i, a)                  lca(b, k)         positions  i  a  .  .  b  k
 *       /  |  \                    /  |  \                      |  |___tree_|  |
 *      i   a ..b  c             ..  a..b  k                     |______________|
 *
 * Nothing else about the tree over a .. b matters, so dynamic programming can ask before it builds. The links
 * of hosts need no check: each host receives once, and the sends of one host follow each other (1-port
 * model).
 *
 * Algorithm 2 has a = i + 1 and b = k - 1:   k - 1 <= right[i]   and   left[k] <= i + 1.
 *
 * With more children a_1 < a_2 < ... of i, each with the positions up to the next one's, every i -> a_t must
 * not share a link with any of the trees before it. The first condition does not depend on t. In the second,
 * lca(b, a_t) rises with t, and what is below it grows, so the next child is the hardest: checking neighbours
 * is enough. A run a .. b and the next sibling b + 1 go together if and only if
 *
 *     b is below lca(i, a)   and   left[b + 1] <= a. */
#include "intra/contention_free.h"

#include <stdlib.h>

int gb_conflicts_new(const gb_switch_order *order, gb_conflicts *conflicts, gbcast_error *err) {
  size_t count = order->count;
  uint32_t *words = malloc((3 * count + 1) * sizeof *words);
  if (words == NULL) {
    return gb_no_memory(err);
  }
  *conflicts =
      (gb_conflicts){.ancestor = words, .left = words + count, .right = words + 2 * count, .words = words};
  for (uint32_t i = 0; i < order->count; i++) {
    bool last = i + 1 == order->count;
    uint32_t ancestor = last ? GB_NONE : gb_switch_order_ancestor(order, order->node[i], order->node[i + 1]);
    conflicts->ancestor[i] = ancestor;
    conflicts->right[i] = last ? i : order->end[ancestor] - 1;
    conflicts->left[i] = i == 0 ? 0 : order->first[conflicts->ancestor[i - 1]];
  }
  return GBCAST_OK;
}

void gb_conflicts_free(gb_conflicts *conflicts) {
  free(conflicts->words);
  *conflicts = (gb_conflicts){0};
}
