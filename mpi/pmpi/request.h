/* Non-blocking calls that are taken over, and their requests. A request is MPI's, so that all functions of
 * MPI take it: that of an empty message that this process sends to itself when the call is over.
 *
 *   program            MPI_Ibcast    MPI_Irecv() from itself; gb_api_bcast(): the call is under way
 *   progress thread                  moves the data; MPI_Send() to itself when the call is over
 *   program            MPI_Wait      the message has arrived
 *
 * Nothing in MPI_Wait() lets the call get on, nor in MPI_Recv(), where the program may wait for a rank that
 * waits for this call. So there has to be the progress thread. Generalized requests would need it, too; and
 * MPICH 4.0 ends a program in MPI_Waitall() for one that is not complete. */
#ifndef GB_MPI_PMPI_REQUEST_H
#define GB_MPI_PMPI_REQUEST_H

#include "mpi/pmpi/call.h"

/* Makes a call of the API in the given form, with its arguments. */
typedef int gb_take_fn(const void *arguments, gb_how how);

/* Begins a call that is taken over. kept: to be freed when the call is over. *request is the program's
 * MPI_Request. The error has gone through the error handler. */
int gb_request_take(const gb_call *call, gb_take_fn *take, const void *arguments, void *kept, void *request);

#endif
