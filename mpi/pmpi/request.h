/* Non-blocking calls that are taken over.
 *
 *   program            MPI_Ibcast    gb_api_bcast(): the call is under way; the program gets a request
 *   progress thread                  moves the data, and completes the request when the call is over
 *   program            MPI_Wait
 *
 * Nothing in MPI_Wait() lets the call get on, nor in MPI_Recv(), where the program may wait for a rank that
 * waits for this call. So there has to be the progress thread. */
#ifndef GB_MPI_PMPI_REQUEST_H
#define GB_MPI_PMPI_REQUEST_H

#include "mpi/pmpi/call.h"

/* Makes a call of the API in the given form, with its arguments. */
typedef int gb_take_fn(const void *arguments, gb_how how);

/* Begins a call that is taken over. kept: to be freed when the call is over. *request is the program's
 * MPI_Request. The error has gone through the error handler. */
int gb_request_take(const gb_call *call, gb_take_fn *take, const void *arguments, void *kept, void *request);

#endif
