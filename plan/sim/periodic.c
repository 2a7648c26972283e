/* A long pipeline becomes periodic after a few segments. So only the first segments are simulated, and the
 * rest arrives at the pace of the last ones.
 *
 * Several trees share the time in rounds: with shares of 3 : 2, each round has three segments of the first
 * tree and two of the second. All trees are cut off after the same number of rounds, and the pace is taken
 * over whole rounds.
 *
 *   simulated   |0 1 2|0 1|3 4 5|2 3|...|        the rest: shares * remaining rounds
 *
 * Trees in stages have no rounds, so all their segments are simulated. */
#include "plan/sim/periodic.h"
#include "platform/text/text.h"

/* Segments to simulate if no edges of one tree share a link: every sender is periodic from its second one on.
 */
#define PERIODIC 12u
#define LEAST_ROUNDS 8u
#define LEAST_SEGMENTS 4u /* segments; fewer have no pace */
#define LONGEST_ROUND                                                                                        \
  64u /* segments of one tree; with longer rounds the trees are cut off in proportion to their segments */

typedef struct gb_rounds {
  uint64_t most;      /* segments of the tree with the most */
  uint32_t divisor;   /* the greatest common divisor of the weights */
  uint32_t longest;   /* segments of one tree in a round */
  uint32_t simulated; /* segments of that tree that may be simulated */
  bool all;           /* all segments are simulated */
} gb_rounds;

static uint64_t segments_of(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow,
                            uint32_t tree) {
  const uint64_t bytes = traffic->edge[tree][schedule->root].bytes;
  return bytes == 0 ? 0 : (bytes - 1) / flow->segment + 1;
}

static uint32_t period_of(const gb_schedule *schedule, const gb_rounds *rounds, uint32_t tree) {
  return rounds->divisor == 0 ? 1 : schedule->tree[tree].weight / rounds->divisor;
}

static gb_rounds find_rounds(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow) {
  gb_rounds rounds = {.most = 1, .longest = 1, .all = schedule->tree[schedule->tree_count - 1].stage > 0};
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    const uint64_t segments = segments_of(schedule, traffic, flow, t);
    rounds.divisor = gb_common_divisor(schedule->tree[t].weight, rounds.divisor);
    rounds.most = segments > rounds.most ? segments : rounds.most;
  }
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    const uint32_t period = period_of(schedule, &rounds, t);
    rounds.longest = period > rounds.longest ? period : rounds.longest;
  }
  const bool plain = schedule->tree_count == 1 && traffic->link_count == 0 && !flow->rendezvous;
  rounds.simulated = plain && flow->simulated > PERIODIC ? PERIODIC : flow->simulated;
  return rounds;
}

static uint32_t limit_of(const gb_rounds *rounds, uint64_t segments, uint32_t period) {
  uint32_t count = rounds->simulated / rounds->longest;
  if (rounds->longest > 1 && count < LEAST_ROUNDS)
    count = LEAST_ROUNDS;
  uint64_t limit = (uint64_t)count * period;
  if (rounds->longest > LONGEST_ROUND) { /* in proportion */
    limit = segments * rounds->simulated / rounds->most;
    limit = limit < LEAST_SEGMENTS ? LEAST_SEGMENTS : limit;
  }
  return (uint32_t)(segments < limit || rounds->all ? segments : limit);
}

void gb_periodic_limits(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow,
                        gb_pipe *pipe) {
  const gb_rounds rounds = find_rounds(schedule, traffic, flow);
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    pipe[t].segments = segments_of(schedule, traffic, flow, t);
    pipe[t].period = period_of(schedule, &rounds, t);
    pipe[t].limit = limit_of(&rounds, pipe[t].segments, pipe[t].period);
  }
}

uint64_t gb_periodic_length(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow) {
  const gb_rounds rounds = find_rounds(schedule, traffic, flow);
  uint64_t length = 0;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    length += limit_of(&rounds, segments_of(schedule, traffic, flow, t), period_of(schedule, &rounds, t));
  return length;
}

double gb_periodic_end(const gb_pipe *pipe, const double *at, uint32_t known) {
  if (known == 0)
    return 0;
  double last = at[known - 1];
  if (gb_carries_blocks(pipe->flow.operation) || pipe->segments <= pipe->limit)
    return last;
  uint32_t window = pipe->limit / 2;
  if (window > pipe->period)
    window -= window % pipe->period;
  uint32_t from = pipe->limit - 2 - window;
  return last + (double)(pipe->segments - pipe->limit) * (at[pipe->limit - 2] - at[from]) / (double)window;
}
