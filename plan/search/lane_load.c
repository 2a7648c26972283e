/* Of ways in several lanes that are predicted to take as long, one in which hosts send less.
 *
 * The judge does not see how streams of several lanes get in each other's way. In binary trees some hosts
 * send all that they receive twice, in two-trees seldom more than 1.5 times, in chains once: where that is as
 * good, a host that leads lanes has more of its link left for other sites. Simulated, 4 MiB take 190 ms on a
 * mesh of four sites down binary trees, down the others 168 and 170. Chains take 0.96 of the time of
 * two-trees on random meshes where streams are many, else 1.02 (means). */
#include "plan/search/lane_load.h"
#include <math.h>

#define AS_GOOD 1.02    /* times the time */
#define MANY_STREAMS 32 /* lanes times trees over sites */

const gb_spec *gb_search_best_in_lanes(const gb_search_state *st) {
  const size_t half = gb_search_slots() / 2;
  const gb_spec *best = &st->best[half];
  for (size_t i = half; i < 2 * half; i++)
    if (st->best[i].predicted < best->predicted)
      best = &st->best[i];
  return best;
}

void gb_search_prefer_less_load(gb_search_state *st, double worth_it) {
  const size_t half = gb_search_slots() / 2, chain = gb_intra_find("linear-contention-free", GB_BCAST),
               two_tree = gb_intra_find("two-tree", GB_BCAST);
  const gb_spec fastest = *gb_search_best_in_lanes(st);
  if (fastest.own_tree || fastest.predicted == INFINITY || fastest.intra == chain)
    return;
  const bool many = fastest.lanes * fastest.site_trees >= MANY_STREAMS;
  const size_t wanted[] = {many ? chain : two_tree, many ? two_tree : chain};
  for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
    const gb_spec other = *gb_search_slot(st, wanted[w], fastest.inter, true);
    if (!(other.predicted <= AS_GOOD * fastest.predicted) ||
        (fastest.predicted <= worth_it && other.predicted > worth_it))
      continue;
    for (size_t i = half; i < 2 * half; i++)
      if (st->best[i].predicted < other.predicted)
        st->best[i].predicted = INFINITY;
    if (st->top.lanes > 1)
      st->top = other;
    return;
  }
}
