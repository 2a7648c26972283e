/* Non-blocking calls that are taken over.
 *
 *   program            MPI_Ibcast    gb_api_make(): the call is under way; the program gets a request
 *   progress thread                  moves the data, and completes the request when the call is over
 *   program            MPI_Wait
 *
 * MPI_Wait() does not let gbcast's calls get on, nor does MPI_Recv(), in which the program may wait for a
 * rank that itself waits for this call. Only the progress thread does. */
#ifndef GB_MPI_PMPI_REQUEST_H
#define GB_MPI_PMPI_REQUEST_H

#include "mpi/pmpi/call.h"

/* Begins a call that is taken over. kept: to be freed when the call is over. *request is the program's
 * MPI_Request. The error has gone through the error handler. */
int gb_request_take(const gb_call *call, const gb_arguments *a, void *kept, void *request);

#endif
