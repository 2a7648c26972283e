/* One call of the program: whether it is taken over or passed on, and how it is reported.
 *
 *   program -- MPI_Bcast --> this library -- taken over --> gb_api_make() --> point-to-point messages
 *                                  |
 *                                  +-------- passed on ---> the next MPI_Bcast, with the very arguments
 *
 * The library itself calls these collectives by their PMPI_ names only (gb_collective.native), so its own
 * calls never come back to it. */
#ifndef GB_MPI_PMPI_CALL_H
#define GB_MPI_PMPI_CALL_H

#include "mpi/api/api.h"
#include "mpi/pmpi/dropin.h"
#include "mpi/pmpi/next.h"

typedef struct gb_call {
  gb_dropin *dropin;     /* NULL: MPI is not running, or it is another MPI library; nothing else is set */
  gb_job_report *report; /* NULL: nobody wants to know */
  gb_comm *c;            /* NULL: calls on this communicator are passed on */
  bool taken;            /* the call is taken over, and reported by gb_api_make() */
  const gb_collective *what;
  gb_call_record record; /* for the report, if it is passed on */
} gb_call;

/* Local: finds the communicator. at_once: of a non-blocking call; without a place for its request it is
 * passed on. */
gb_call gb_call_open(enum gb_call_kind kind, MPI_Comm comm);
gb_call gb_call_open_at_once(enum gb_call_kind kind, MPI_Comm comm, const void *request);

/* Checks the arguments, and decides whether the call is taken over; if not, MPI raises the errors, if there
 * are any. Every rank decides alike. Collective the first time, as gb_comm_enter() and
 * gb_handle_is_planned(). A non-blocking call, which must not wait for other ranks, is passed on until that
 * has been done. */
void gb_call_decide(gb_call *call, const gb_arguments *a);

/* Both. */
gb_call gb_call_begin(enum gb_call_kind kind, const gb_arguments *a);
gb_call gb_call_begin_at_once(enum gb_call_kind kind, const gb_arguments *a, const void *request);

/* Makes a blocking call that is taken over. */
static inline int gb_call_take(const gb_call *call, const gb_arguments *a) {
  return gb_api_make(call->what, a, (gb_how){.form = GB_CALL_BLOCKING, .mpi = true});
}

/* Collective: prepares a communicator for non-blocking calls. */
void gb_call_prepare(MPI_Comm comm, gb_preload *preload);

/* Reports a call that was passed on, and returns `rc`. */
int gb_call_end(const gb_call *call, int rc);

#endif
