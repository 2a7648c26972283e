/* The channels of each kind of plan, for schedule.c. They leave what they have made to gb_rank_schedule_free,
 * also where they fail. MPI_SUCCESS or an error class. */
#ifndef GB_MPI_SCHEDULE_FILL_H
#define GB_MPI_SCHEDULE_FILL_H

#include "mpi/schedule/schedule.h"

int gb_fill_trees(const gb_wire *w, const gbcast_plan *plan, gb_rank_schedule *schedule);
int gb_fill_alltoall(const gb_wire *w, const gbcast_plan *plan, gb_rank_schedule *schedule);

#endif
