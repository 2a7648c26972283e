/* Sends that a failed call has given up. MPI still reads their buffers, so they stay with the communicator
 * until it is closed, when all that was sent has been taken in. */
#ifndef GB_MPI_EXEC_ORPHAN_H
#define GB_MPI_EXEC_ORPHAN_H

#include <mpi.h>

typedef struct gb_orphan gb_orphan;

/* Takes both over; the buffer may be NULL, and the request MPI_REQUEST_NULL. Without memory for the list the
 * buffer is lost, which is better than freed too early. */
void gb_orphan_keep(gb_orphan **list, MPI_Request *request, void *buffer);

/* Waits for all of them. */
void gb_orphans_end(gb_orphan **list);

#endif
