/* Which of two candidates is better: what is to be made least, and rules for ties. */
#include "intra/intra.h"
#include "plan/search/limits.h"
#include <math.h>

/* Of what takes too long, the fastest; any of them costs more than what is in time. */
#define TOO_LONG 1e15 /* USD */

double gb_value_of(const gb_limits *limits, double seconds, double usd) {
  if (limits->within == 0)
    return seconds;
  if (seconds > limits->within)
    return TOO_LONG * (seconds / limits->within);
  return seconds < INFINITY ? usd : INFINITY;
}

/* Bytes of the longest message that MPI sends without asking the receiver: the default of most libraries. */
#define EAGER 65536u

int gb_scored_simpler(const gb_scored *x, const gb_scored *y) {
  const bool direct = gb_intra_table[x->spec.intra].leaderless,
             other = gb_intra_table[y->spec.intra].leaderless;
  const bool asks = x->spec.segment > EAGER, other_asks = y->spec.segment > EAGER;
  if (x->score.trees != y->score.trees)
    return x->score.trees < y->score.trees ? -1 : 1;
  if (direct != other)
    return direct ? -1 : 1;
  if (asks != other_asks)
    return asks ? 1 : -1;
  return x->score.copies < y->score.copies ? -1 : x->score.copies > y->score.copies;
}

int gb_scored_order(const void *a, const void *b) {
  const gb_scored *x = a, *y = b;
  const int simpler = gb_scored_simpler(x, y);
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  if (x->score.predicted != y->score.predicted) /* of the same cost */
    return x->score.predicted < y->score.predicted ? -1 : 1;
  if (simpler != 0)
    return simpler;
  if (x->spec.inter != y->spec.inter)
    return x->spec.inter < y->spec.inter ? -1 : 1;
  if (x->spec.intra != y->spec.intra)
    return x->spec.intra < y->spec.intra ? -1 : 1;
  return x->spec.lanes < y->spec.lanes ? -1 : x->spec.lanes > y->spec.lanes;
}
