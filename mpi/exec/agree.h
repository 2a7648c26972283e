/* Ranks that do not agree on a call find out and all come back.
 *
 * The first time that a plan is used, each rank tells its children what comes (START) and its parents that it
 * waits (HELLO), each with the plan's hash. The data follow at once: nobody waits for an answer, but a rank
 * stays until it has heard from all of them, which costs the root the time that its data are on their way.
 *
 *      parent  --START, data...-->  child          a stream that was announced is sent to its end, also
 *              <-----HELLO--------                 by a rank that has found an error, and is taken in to
 *                                                  its end, also by a rank that has no use for it
 *
 * - A rank that hears of another plan, size or root fails: it tells every other rank (ABORT) and starts no
 *   more streams. Whoever hears ABORT does the same.
 * - A rank leaves when each of its parents' streams is there in full or will not start, and its own are sent;
 *   one that has failed also when nothing has happened for GB_GRACE, because others may have left before.
 * - A rank that has left hears of it in its next call, or when the communicator is freed: it takes in what
 *   was sent to it, answers those who wait for it (GONE), and its next call returns the error.
 * - When the communicator is freed, the ranks listen until none is in a call any more, and learn whether any
 *   has failed, or offers were made (offer.h); only then may something be left between them, and it is swept
 *   up (sweep.h).
 *
 * In an all-to-all every rank is parent and child of every other: its first use sends START before each
 * block. HELLO it says to the next rank only; wherever ranks differ, one hears of another plan than its own.
 *
 * Later uses of a plan send nothing but data, but ranks still listen, so that one that goes astray on a new
 * plan is heard. Ranks that differ on plans that they all have used before may wait for each other, as they
 * may in MPI. */
#ifndef GB_MPI_EXEC_AGREE_H
#define GB_MPI_EXEC_AGREE_H

#include "mpi/exec/run.h"

/* Says hello, starts the flows that wait for nobody, and listens. */
int gb_agree_begin(gb_run *run);

/* What there is to say of this call; the rest is 0. */
gb_header gb_agree_header(const gb_run *run, enum gb_header_kind kind);
int gb_agree_tell(gb_run *run, int to, const gb_header *header);

/* A header has come from `source`. */
int gb_agree_heard(gb_run *run, const gb_header *h, int source);

/* The call has failed here. */
void gb_agree_fail(gb_run *run, int code);

/* MPI has failed in the middle of a call, or memory has run out. Messages to this rank may never be received,
 * and no later call on the communicator may take them for its own. So this call and all later ones fail. All
 * other ranks are told, and fail as well: nobody waits for this rank. */
void gb_agree_poison(gb_run *run, int code);

#endif
