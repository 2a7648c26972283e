/* What news would gain. */
#ifndef GB_MPI_COMM_GAIN_H
#define GB_MPI_COMM_GAIN_H

#include "mpi/comm/state.h"

typedef struct gb_gain { /* predicted s of the calls since the last look, over the new inputs */
  double before, after;  /* by the plans of now (INFINITY: not possible), and by those that would be made */
} gb_gain;

/* Less is not worth that ranks plan anew, and that plans go to and fro. */
#define GB_GAIN_LEAST 0.1

static inline bool gb_gain_is_worth(const gb_gain *gain) {
  return gain->after < (1 - GB_GAIN_LEAST) * gain->before;
}

/* Rank 0: looks at the plans that took most time since it was asked last, over `p`. A gbcast_status; other
 * than GBCAST_OK: over `p` no plan can be made. */
int gb_gain_find(gb_comm *c, const gbcast_platform *p, gb_gain *out, gbcast_error *err);

#endif
