/* The outstanding requests of a run, in two arrays side by side. */
#ifndef GB_MPI_EXEC_REQUESTS_H
#define GB_MPI_EXEC_REQUESTS_H

#include "mpi/exec/run.h"

/* Frees the arrays, where they have grown. */
void gb_requests_release(gb_run *run);

/* The handle for one more request, which the caller must start at once; NULL: out of memory. The pointer is
 * valid until the next call. */
MPI_Request *gb_requests_next(gb_run *run);

/* Adds the request that was started with that handle: a message of a channel, at cursor->posted, which moves
 * on. The pointer is valid as long. */
gb_request *gb_requests_add(gb_run *run, uint32_t channel, size_t length);

/* Removes one that has completed. Others may move. */
void gb_requests_remove(gb_run *run, unsigned at);

/* After a failure: takes all receives back. Returns whether none is posted any more, and all sends from the
 * caller's memory are complete, unless ranks_differ: then they may never be received. Does not wait: to be
 * called until it returns true. */
bool gb_requests_give_up(gb_run *run, bool ranks_differ);

/* Drops what gb_requests_give_up has left. Whether all of it is complete. */
bool gb_requests_drop(gb_run *run);

#endif
