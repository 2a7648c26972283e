/* One call of the program: which way it goes, and what is remembered of it.
 *
 *   program -- MPI_Bcast --> this library -- taken --> gbcast_bcast() --> point-to-point messages
 *                                  |
 *                                  +-------- else --> the next MPI_Bcast in line, with the very arguments
 *
 * The library calls what is taken over here by its PMPI_ name only (own_bcast() and the like), so that its
 * calls never come back to it. */
#ifndef GB_PMPI_CALL_H
#define GB_PMPI_CALL_H

#include "mpi/args.h"
#include "mpi/comm.h"
#include "mpi/pmpi/dropin.h"
#include "mpi/pmpi/next.h"

typedef struct gb_call {
  gb_dropin *dropin; /* NULL: MPI is not running, or is another one, and nothing else is set */
  gb_comm *c;        /* NULL: this communicator is MPI's */
  bool taken;
  gb_row row;
  double start; /* MPI_Wtime() */
} gb_call;

/* Local: nothing is sent before the arguments were found right. */
gb_call gb_call_begin(enum gb_kind kind, gb_word comm);

/* Whether what is sent matters here, rather than what is received. */
bool gb_call_is_root(const gb_call *call, int root, gb_word comm);

/* Decides whether the call is taken, from the bytes of the message or block that matters here, when its
 * arguments are right. Every rank decides alike; collective on a communicator that is new. */
void gb_call_decide(gb_call *call, size_t bytes, int root);

/* Leaves it to MPI, which says what is wrong; the same bytes, for the counts. */
void gb_call_pass(gb_call *call, MPI_Count count, gb_word type);

/* Remembers it; returns `rc`. */
int gb_call_end(const gb_call *call, int rc);

#endif
