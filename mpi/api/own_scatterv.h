/* MPI's own scatterv, on any communicator. */
#ifndef GB_MPI_API_OWN_SCATTERV_H
#define GB_MPI_API_OWN_SCATTERV_H

#include "mpi/api/buffers.h"

/* size: of the group that receives; 0 if the counts are not read. Before MPI 4, counts and places that do not
 * fit an int are MPI_ERR_COUNT. */
int gb_own_scatterv(const gb_send_each *s, const gb_receive *r, int root, MPI_Comm comm, int size);

/* How many counts this rank has to give to MPI's own scatterv. */
int gb_scatterv_receivers(MPI_Comm comm, int root, int *size);

#endif
