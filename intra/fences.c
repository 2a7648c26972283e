/* When does i -> k, over the heads of places a .. b (i < a <= b < k), share a directed link with a tree that
 * is rooted at a, covers a .. b and sends only from smaller to larger places? What lies below a node is a run
 * of places, and each link joins a node y with the one above, so:
 *
 *   - A link up from y is on i -> k when y has i below it and not k. A tree rooted at a sends up from y when
 *     y has a below it and some place of a .. b not; a tree that starts outside of y comes after all that is
 *     below y and never sends up from it. As runs are intervals and i < a <= b < k, the link is shared when y
 *     has i and a below it and not b. The lowest node with i and a is where they meet: no link up is shared
 *     if and only if b is below meet(i, a).
 *   - A link down to y is on i -> k when y has k below it and not i. The tree sends down to y when y has some
 *     place of a .. b below it and not a. So it is shared when y has b and k and not a, hence not i: no
 *     link down is shared if and only if a is below meet(b, k).
 *
 *      meet(i, a)                 meet(b, k)         places  i  a  .  .  b  k
 *       /  |  \                    /  |  \                   |  |___tree_|  |
 *      i   a ..b  c             ..  a..b  k                  |______________|
 *
 * The shape of the tree over a .. b does not matter, so a dynamic programme can ask before it builds. The
 * links of hosts need no thought: each host receives once, and sends of one host take turns (1-port model).
 *
 * Algorithm 2 has a = i + 1 and b = k - 1:   k - 1 <= right[i]   and   left[k] <= i + 1.
 *
 * With more children a_1 < a_2 < ... of i, each with the places up to the next one's, every i -> a_t has to
 * spare all the trees before it. The first condition does not depend on t. In the second, meet(b, a_t) rises
 * with t, and what is below it grows, so the next child is the hardest: checking neighbours is enough. A run
 * a .. b and the next sibling b + 1 go together if and only if
 *
 *     b is below meet(i, a)   and   left[b + 1] <= a. */
#include "intra/contention_free.h"

#include <stdlib.h>

int gb_fences_new(const gb_switch_walk *walk, gb_fences *fences, gbcast_error *err) {
  size_t count = walk->count;
  uint32_t *words = malloc((3 * count + 1) * sizeof *words);
  if (words == NULL) {
    return gb_no_memory(err);
  }
  *fences = (gb_fences){.meet = words, .left = words + count, .right = words + 2 * count, .words = words};
  for (uint32_t i = 0; i < walk->count; i++) {
    bool last = i + 1 == walk->count;
    uint32_t meet = last ? GB_NONE : gb_switch_walk_meet(walk, walk->node[i], walk->node[i + 1]);
    fences->meet[i] = meet;
    fences->right[i] = last ? i : walk->end[meet] - 1;
    fences->left[i] = i == 0 ? 0 : walk->first[fences->meet[i - 1]];
  }
  return GBCAST_OK;
}

void gb_fences_free(gb_fences *fences) {
  free(fences->words);
  *fences = (gb_fences){0};
}
