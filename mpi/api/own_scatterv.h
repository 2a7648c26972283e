/* MPI's own scatterv, on any communicator. */
#ifndef GB_MPI_API_OWN_SCATTERV_H
#define GB_MPI_API_OWN_SCATTERV_H

#include "mpi/api/buffers.h"

/* Counts and places in int, which MPI before version 4 reads until the call is over. */
typedef struct gb_own_counts {
  int *count;
} gb_own_counts;

void gb_own_counts_free(gb_own_counts *counts);

/* size: of the group that receives; 0 if the counts are not read. request: NULL: blocking. Before MPI 4,
 * counts and places that do not fit an int are MPI_ERR_COUNT. */
int gb_own_scatterv(gb_handle *h, const gb_send_blocks *s, const gb_receive_buffer *r, int size,
                    gb_own_counts *counts, MPI_Request *request);

/* How many counts this rank has to give to MPI's own scatterv. */
int gb_scatterv_receivers(MPI_Comm comm, int root, int *size);

#endif
