/* The outstanding requests of a run, in two arrays side by side. */
#ifndef GB_MPI_EXEC_REQUESTS_H
#define GB_MPI_EXEC_REQUESTS_H

#include "mpi/exec/run.h"

bool gb_request_is_receive(const gb_request *request); /* of data, or of syncs for which the call waits */

void gb_requests_init(gb_run *run);
void gb_requests_release(gb_run *run);

/* The handle for one more request, which the caller must start at once; NULL: out of memory. The pointer is
 * valid until the next call. */
MPI_Request *gb_requests_next(gb_run *run);

/* Adds the request that was started with that handle. Takes request->copy over. */
void gb_requests_add(gb_run *run, const gb_request *request);

/* Sends a copy of `length` bytes as a request of this kind. An MPI error code; after an error nothing is in
 * flight. */
int gb_requests_send(gb_run *run, enum gb_request_kind kind, int to, int tag, const void *bytes,
                     size_t length);

/* Removes the requests that have completed (their handle is MPI_REQUEST_NULL). */
void gb_requests_compact(gb_run *run);

/* Cancels the receives of one tree of a broadcast or scatter (*stream), or all of them (NULL), the last one
 * posted first. So a message that arrives meanwhile matches the receive that was meant for it, and is not too
 * long for a later one, which in MPICH would end a program whose MPI_COMM_WORLD has the usual error handler.
 * An MPI error code. */
int gb_requests_take_back(gb_run *run, const uint32_t *stream);

/* After a failure: gives up what is still being sent. Nobody waits for it. */
void gb_requests_give_up(gb_run *run);

#endif
