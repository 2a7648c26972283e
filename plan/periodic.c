/* A long pipeline becomes periodic after a few segments: only so many of them are walked, and the rest
 * arrives at the pace of the last ones seen.
 *
 * Several trees take turns in rounds: with shares of 3 : 2, three segments of the first and two of the
 * second. All are cut off after the same number of rounds, so that none is seen without the others, and the
 * pace is taken over whole rounds.
 *
 *   walked   |0 1 2|0 1|3 4 5|2 3|...|        rest: shares * rounds that were not walked
 *
 * Where some follow others there are no rounds, and all is walked. */
#include "plan/periodic.h"
#include "platform/divisor.h"

/* Where no edges of one tree share a link every sender is periodic from its second segment on, so few are
 * enough. */
#define PERIODIC 12u
#define LEAST_ROUNDS 8u
#define LEAST_WALKED 4u   /* segments, to see a pace at all */
#define LONGEST_ROUND 64u /* segments of one tree; shares more unlike are not walked in whole rounds */

void gb_periodic_limits(const gb_forest *forest, const gb_flow *flow, bool plain, gb_pipe *pipe) {
  uint32_t divisor = 0, longest = 1;
  uint64_t most = 1;
  const bool in_turn = forest->part[forest->count - 1].turn > 0;
  for (uint32_t t = 0; t < forest->count; t++) {
    divisor = gb_common_divisor(forest->part[t].weight, divisor);
    pipe[t].segments = forest->part[t].edge[forest->root].bytes;
    pipe[t].segments = pipe[t].segments == 0 ? 0 : (pipe[t].segments - 1) / flow->segment + 1;
    most = pipe[t].segments > most ? pipe[t].segments : most;
  }
  for (uint32_t t = 0; t < forest->count; t++) {
    pipe[t].period = divisor == 0 ? 1 : forest->part[t].weight / divisor;
    longest = pipe[t].period > longest ? pipe[t].period : longest;
  }
  uint32_t walked = plain && forest->count == 1 && flow->walked > PERIODIC ? PERIODIC : flow->walked;
  uint32_t rounds = walked / longest;
  if (longest > 1 && rounds < LEAST_ROUNDS)
    rounds = LEAST_ROUNDS;
  for (uint32_t t = 0; t < forest->count; t++) {
    uint64_t limit = (uint64_t)rounds * pipe[t].period;
    if (longest > LONGEST_ROUND) { /* in proportion */
      limit = pipe[t].segments * walked / most;
      limit = limit < LEAST_WALKED ? LEAST_WALKED : limit;
    }
    pipe[t].limit = (uint32_t)(pipe[t].segments < limit || in_turn ? pipe[t].segments : limit);
  }
}

double gb_periodic_end(const gb_pipe *pipe, const double *at, uint32_t known) {
  if (known == 0)
    return 0;
  double last = at[known - 1];
  if (pipe->flow.operation != GBCAST_BCAST || pipe->segments <= pipe->limit)
    return last;
  uint32_t window = pipe->limit / 2;
  if (window > pipe->period)
    window -= window % pipe->period;
  uint32_t from = pipe->limit - 2 - window;
  return last + (double)(pipe->segments - pipe->limit) * (at[pipe->limit - 2] - at[from]) / (double)window;
}
