/* Of candidates in several lanes with nearly the same predicted time, prefers one in which hosts send less.
 *
 * The simulation does not price how streams of several lanes disturb each other. In binary trees some hosts
 * send all that they receive twice, in two-trees seldom more than 1.5 times, in chains once. So with an
 * algorithm that is as fast and sends less, a host that leads lanes keeps more of its link for other sites.
 * Evidence for the constants: docs/planning.md, "Where the numbers come from". */
#include "plan/search/lane_load.h"
#include <math.h>

#define AS_GOOD 1.02    /* an algorithm is as good up to this many times the least time */
#define MANY_STREAMS 32 /* streams are many from this many lanes times trees over sites */

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
