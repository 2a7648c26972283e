/* The list of calls, for handle.c. */
#ifndef GB_MPI_COMM_HANDLES_H
#define GB_MPI_COMM_HANDLES_H

#include "mpi/comm/handle.h"

/* Whether no listed call is under way, or being ended. Then no other thread touches what belongs to this
 * one's communicators. */
bool gb_handles_are_none(const gb_comm_registry *list);

/* Only one thread at a time lets calls get on, or changes the list. To unlock it also ends the calls of which
 * somebody is to be told that they are over. */
void gb_handles_lock(gb_comm_registry *list);
void gb_handles_unlock(gb_comm_registry *list);

/* Lets all get on, while the list is locked. */
void gb_handles_progress(gb_comm_registry *list);

/* Takes a call that is over out of the list, and releases what it holds. */
void gb_handles_take_out(gb_handle *h);

/* Waits for what a call that has failed has under way in the caller's buffers, while others get on; after its
 * error handler has been called, which may end the job. The list is not locked. */
void gb_handle_give_up(gb_handle *h);

/* Returns the error class of a call that is over, which goes through the error handler if MPI's own
 * collective has not called that. */
int gb_handle_raise(const gb_handle *h);

/* Lets one call get on. */
void gb_handle_progress(gb_handle *h);

#endif
