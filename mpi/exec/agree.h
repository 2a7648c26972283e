/* How ranks that do not agree on a call find out, and all return from it.
 *
 * The first time that a plan is used, each rank tells its children what comes (START) and its parents that it
 * waits (HELLO), each with the plan's hash. The data follow at once: nobody waits for an answer. But a rank
 * stays in the call until it has heard from all of them, which costs the root the time that its data need to
 * arrive.
 *
 *      parent  --START, data...-->  child          a stream that was announced is sent to its end, even by a
 *              <-----HELLO--------                 rank that has found an error, and is received to its end,
 *                                                  even by a rank that has no use for it
 *
 * - A rank that hears of another plan, size or root fails: it tells every other rank (ABORT) and starts no
 * more streams. Whoever hears ABORT does the same.
 * - A rank leaves when each of its parents' streams has arrived in full or will not start, and its own are
 * sent. A rank that has failed also leaves when nothing has happened for GB_GRACE, because others may have
 * left before.
 * - A rank that has left hears of a failure in its next call, or when the communicator is freed: it receives
 * what was sent to it, answers those who wait for it (GONE), and its next call returns the error.
 * - When the communicator is freed, the ranks listen until none is in a call any more, and learn whether any
 * has failed, or offers were made (offer.h). Only then may messages be left between them, which they receive
 * and drop (sweep.h).
 *
 * In an all-to-all every rank is parent and child of every other: its first use sends START before each
 * block. A rank says HELLO to the next rank only; if plans differ, some rank hears of another plan than its
 * own.
 *
 * Later uses of a plan send nothing but data. Ranks still listen, so that a rank that alone uses a new plan
 * is heard. Ranks that use different plans which all of them have used before may wait for each other
 * forever, as they may in MPI. */
#ifndef GB_MPI_EXEC_AGREE_H
#define GB_MPI_EXEC_AGREE_H

#include "mpi/exec/run.h"

/* Says HELLO, starts the streams that wait for nobody, and listens. An MPI error code. */
int gb_agree_begin(gb_run *run);

/* A header of this call; what is not known of it is 0. */
gb_header gb_agree_header(const gb_run *run, enum gb_header_kind kind);
/* Sends a header to rank `to`. An MPI error code. */
int gb_agree_tell(gb_run *run, int to, const gb_header *header);

/* Handles a header from rank `source`. An MPI error code. */
int gb_agree_heard(gb_run *run, const gb_header *h, int source);

/* The call has failed here with `code`: tells all other ranks. */
void gb_agree_fail(gb_run *run, int code);

/* MPI has failed in the middle of a call, or memory has run out. Messages to this rank may never be received,
 * and no later call on the communicator may take them for its own. So this call and all later ones fail. All
 * other ranks are told and fail as well, so that nobody waits for this rank. */
void gb_agree_poison(gb_run *run, int code);

#endif
