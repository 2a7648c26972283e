/* When another rank than 0 is the root, rank 0 offers it the news, for it to announce in a later call. Nobody
 * waits for an offer:
 *
 *   rank 0   call 5: root 3       6            7            8
 *            --OFFER, inputs-->
 *   rank 3   5 (root)             6            7 (root)     8             heard where it listens anyway
 * (listen.h), news-------> switched      and looked at when a call begins
 *
 * An offer of an epoch that has been told by another root is forgotten. One that is told late, when things
 * have changed again, does no harm for longer than until rank 0 looks again. */
#ifndef GB_MPI_EXEC_OFFER_H
#define GB_MPI_EXEC_OFFER_H

#include "mpi/exec/header.h"
#include "mpi/job/job.h"

/* Rank 0: offers w->ready to the root of the present call, unless it has them, or has not taken what it was
 * offered before. MPI_SUCCESS or an error code, after which nothing is under way to it. */
int gb_offer_make(gb_wire *w, int root);

/* Rank 0: whether it ever has, so that something may lie around: 0 or 1. */
unsigned gb_offers_made(const gb_wire *w);

/* Others: an OFFER has come. */
int gb_offer_heard(gb_wire *w, const gb_header *header);

/* The same: whether what was offered is there; then this rank is ready to announce it. */
void gb_offer_look(gb_wire *w);

/* When the communicator is closed and all that was sent has been taken in. */
void gb_offers_end(gb_wire *w);

#endif
