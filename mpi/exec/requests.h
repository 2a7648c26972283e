/* The outstanding requests of a run, in two arrays side by side. */
#ifndef GB_MPI_EXEC_REQUESTS_H
#define GB_MPI_EXEC_REQUESTS_H

#include "mpi/exec/run.h"

bool gb_slot_is_receive(const gb_slot *slot); /* of data, or of words that the call waits for */

void gb_requests_init(gb_run *run);
void gb_requests_release(gb_run *run);

/* Room for one more; its request is to be started at once. NULL: out of memory. The pointer is good until the
 * next call. */
MPI_Request *gb_requests_next(gb_run *run);

/* Keeps what was started in the room. Takes slot->copy over. */
void gb_requests_add(gb_run *run, const gb_slot *slot);

/* Sends a copy of `length` bytes as such a slot. An MPI error code, after which nothing is under way. */
int gb_requests_send(gb_run *run, enum gb_slot_kind kind, int to, int tag, const void *bytes, size_t length);

/* Takes those that have completed (their request is MPI_REQUEST_NULL) out of the arrays. */
void gb_requests_compact(gb_run *run);

/* Cancels receives, of one tree of a broadcast or scatter (*flow) or of all (NULL), the last one posted
 * first: a message that comes meanwhile is then the one that was due, and not too long for a later receive,
 * which MPICH would not forgive a program whose MPI_COMM_WORLD has the usual error handler. An MPI error
 * code. */
int gb_requests_take_back(gb_run *run, const uint32_t *flow);

/* After a failure: frees what is still being sent. Nobody waits for it. */
void gb_requests_give_up(gb_run *run);

#endif
