/* Whether a plan is what MPI_Bcast does anyway. Then that is called: the same messages to the same ranks in
 * the same order, with less around them. */
#ifndef GB_MPI_COMM_SAME_AS_MPI_H
#define GB_MPI_COMM_SAME_AS_MPI_H

#include "plan/core/core.h"
#include <stdbool.h>

struct gb_comm;

/* Of a plan from rank `root`. The same on every rank. False for what somebody has asked for (GBCAST_INTRA,
 * GBCAST_PLAN and others), and where it is not known what the MPI library does. */
bool gb_same_as_mpi(const struct gb_comm *c, const gbcast_plan *plan, int root);

#endif
