/* What is decided for a call: the plan, from the inputs that all ranks have. */
#ifndef GB_MPI_COMM_DECIDE_H
#define GB_MPI_COMM_DECIDE_H

#include "mpi/comm/state.h"
#include "plan/core/core.h"

/* The plan of the whole communicator. The error class; rank 0 has said what is wrong. */
int gb_decide(const gb_comm *c, enum gbcast_operation operation, size_t bytes, int root, gbcast_plan **out);

/* The same over other inputs for the same hosts, without a message on stderr. A gbcast_status. */
int gb_decide_over(const gb_comm *c, const gbcast_platform *p, enum gbcast_operation operation, size_t bytes,
                   int root, gbcast_plan **out, gbcast_error *err);

#endif
