/* What hangs off a communicator: its inputs, settings and plans. A call takes up to three steps:
 *
 *   gb_comm_find       local                       before the arguments are checked
 *   gb_comm_enter      collective the first time   rank 0 sends the inputs to all ranks
 *   gb_comm_duplicate  collective                  makes the duplicate, when a planned schedule is first run
 */
#ifndef GB_MPI_COMM_COMM_H
#define GB_MPI_COMM_COMM_H

#include "mpi/comm/handle.h"
#include "mpi/comm/plans.h"
#include "mpi/comm/registry.h"
#include "mpi/comm/reporting.h"
#include "mpi/comm/setup.h"
#include "mpi/comm/state.h"
#include "mpi/comm/version.h"

/* Finds the gb_comm of `comm`, or makes it; local. *out is NULL when calls are passed on to MPI: for an
 * inter-communicator, for one rank, without MPI_COMM_WORLD, or with another MPI library. preload: of the
 * preloaded library, or NULL. Errors have gone through the error handler. */
int gb_comm_find(MPI_Comm comm, gb_preload *preload, gb_comm **out);

/* Begins a call with right arguments; collective the first time. After MPI_SUCCESS the inputs are there, or
 * c->left says why the call is passed on to MPI. Otherwise it returns an error class that has not been
 * raised: the set-up failed on all ranks alike, or the communicator is poisoned, as where it failed here
 * alone. With the preloaded library a failed set-up is no error: calls are passed on to MPI, and the reason
 * is printed once (gb_preload). */
int gb_comm_set_up(gb_comm *c); /* for gb_comm_enter() alone */
static inline int gb_comm_enter(gb_comm *c) {
  return c->set_up ? c->wire.poison : gb_comm_set_up(c);
}

/* The schedule for a size, root and operation, kept from an earlier call or planned now: an error class. */
int gb_comm_schedule(gb_comm *c, enum gbcast_operation operation, size_t bytes, int root,
                     gb_rank_schedule **out);

/* Plans one that is not kept. */
int gb_comm_make_schedule(const gb_comm *c, enum gbcast_operation operation, size_t bytes, int root,
                          gb_rank_schedule **out);

/* Collective: frees what is known about `comm` and sets it up again with these overrides, which it takes over
 * if it gets so far; NULL: with those of the last time. Communicators of one rank are set up, too. */
int gb_comm_renew(MPI_Comm comm, gb_overrides *overrides);

/* The list of this process's communicators and calls, made when there is none; NULL where nothing can be
 * planned.
 */
gb_comm_registry *gb_comm_list(void);

/* Collective the first time: as gb_comm_find() and gb_comm_enter(), but also for one rank. */
int gb_comm_any(MPI_Comm comm, gb_comm **out);

#endif
