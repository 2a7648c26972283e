/* One call of the program: which way it goes, and what is remembered of it.
 *
 *   program -- MPI_Bcast --> this library -- taken --> gbcast_bcast() --> point-to-point messages
 *                                  |
 *                                  +-------- else --> PMPI_Bcast(), with the very arguments
 *
 * The library calls what is taken over here by its PMPI_ name only (own_bcast() and the like), so that its
 * calls never come back to it. */
#ifndef GB_PMPI_CALL_H
#define GB_PMPI_CALL_H

#include "mpi/comm.h"
#include "mpi/pmpi/dropin.h"

typedef struct gb_call {
  gb_dropin *dropin; /* NULL: MPI is not running, and nothing else is set */
  gb_comm *c;        /* NULL: this communicator is MPI's */
  bool taken;
  gb_row row;
  double start; /* MPI_Wtime() */
} gb_call;

/* Collective on a communicator that is new. */
gb_call gb_call_begin(enum gb_kind kind, MPI_Comm comm);

/* Whether what is sent matters here, rather than what is received. */
bool gb_call_is_root(const gb_call *call, int root, MPI_Comm comm);

/* Decides whether the call is taken, from the message or block that matters here. Every rank decides alike:
 * arguments that are wrong on one of them alone may leave the others waiting, as they may in MPI. */
void gb_call_decide(gb_call *call, MPI_Count count, MPI_Datatype type, int root);

/* Remembers it; returns `rc`. */
int gb_call_end(const gb_call *call, int rc);

#endif
