/* Keeps sends that a failed call has given up. MPI still reads their buffers, so they stay with the
 * communicator until it is closed, when all that was sent has been received. */
#ifndef GB_MPI_EXEC_ORPHAN_H
#define GB_MPI_EXEC_ORPHAN_H

#include <mpi.h>

typedef struct gb_orphan gb_orphan;

/* Takes the request and the buffer over. The buffer may be NULL, and the request MPI_REQUEST_NULL. If there
 * is no memory for the list, the buffer is leaked, which is better than freed too early. */
void gb_orphan_keep(gb_orphan **list, MPI_Request *handle, void *buffer);

/* Waits for all of them, and frees their buffers. */
void gb_orphans_end(gb_orphan **list);

#endif
