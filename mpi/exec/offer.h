/* If the root of a call is not rank 0, rank 0 offers it the update, and the root announces it in a later
 * call. Nobody waits for an offer:
 *
 *   rank 0   call 5: root 3       6            7            8
 *            --OFFER, inputs-->
 *   rank 3   5 (root)             6            7 (root)     8             received by the listening rank
 *                                              update-----> switched      (listen.h), and looked for when a
 *                                                                         call begins
 *
 * An offer of a version that another root has announced is dropped. One that is announced late, after further
 * changes, is in effect only until rank 0 looks again. */
#ifndef GB_MPI_EXEC_OFFER_H
#define GB_MPI_EXEC_OFFER_H

#include "mpi/exec/header.h"
#include "mpi/job/job.h"

/* Rank 0: offers w->ready to the root of the present call, unless the root has it, or has not received its
 * last offer. MPI_SUCCESS or an error code; after an error nothing is in flight. */
int gb_offer_make(gb_wire *w, int root);

/* Rank 0: 1 if it has ever made an offer, so that one may be left unreceived; otherwise 0. */
unsigned gb_offers_made(const gb_wire *w);

/* Other ranks: handles an OFFER. An MPI error code. */
int gb_offer_heard(gb_wire *w, const gb_header *header);

/* Other ranks: looks whether the offered update has arrived; then w->ready is set, to be announced. */
void gb_offer_look(gb_wire *w);

/* Frees all, when the communicator is closed and all that was sent has been received. */
void gb_offers_end(gb_wire *w);

#endif
