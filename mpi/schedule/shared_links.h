/* What the pace of a rank's sends (mpi/exec/pace.h) needs to know of all its edges together. */
#ifndef GB_MPI_SCHEDULE_SHARED_LINKS_H
#define GB_MPI_SCHEDULE_SHARED_LINKS_H

#include "mpi/schedule/schedule.h"

/* Fills what a schedule whose trees are there says of that: of each edge to_receiver, to_site and this rank's
 * part of `links`, of the schedule uplink and far_first. MPI_SUCCESS or MPI_ERR_NO_MEM. */
int gb_rank_find_shared_links(const gb_wire *w, const gbcast_plan *plan, gb_rank_schedule *schedule);

#endif
