/* What the pace of a rank's sends (mpi/exec/pace.h) needs to know of all its edges together. */
#ifndef GB_MPI_EXEC_ROLE_WAYS_H
#define GB_MPI_EXEC_ROLE_WAYS_H

#include "mpi/exec/role.h"

/* Fills what a role whose trees are there says of that: of each edge to_receiver, to_site and this rank's
 * part of `links`, of the role meet, uplink and far_first. MPI_SUCCESS or MPI_ERR_NO_MEM. */
int gb_role_find_ways(const struct gb_comm *c, const gbcast_plan *plan, gb_role *role);

#endif
