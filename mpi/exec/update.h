/* An update is a later version of the inputs. It is sent with the data of a broadcast, from the root down the
 * first tree that carries any data, and all ranks plan from it from the next call on.
 *
 * A rank expects the first segment of its stream. With an update, an empty message arrives in its place,
 * which no segment is. The segment follows on the tag of the call's update, and then the update:
 *
 *   without  parent  --0--1--2--...------>  child
 *   with     parent  --( )--1--2--...---->  child     data
 *                    --0--length--inputs->            update
 *
 * So a call without an update sends no extra messages, and at the end of a call all ranks know whether there
 * was one. The update is read before the call ends; if that fails the call fails, on every rank (agree.h). An
 * update that a failed call has announced does not count (mpi/comm/version.h).
 *
 * Rank 0 finds updates, but any rank may be the root (offer.h). MPI's own collective, an empty message and a
 * scatter carry none. */
#ifndef GB_MPI_EXEC_UPDATE_H
#define GB_MPI_EXEC_UPDATE_H

#include "mpi/exec/run.h"

/* At the start of a call: decides whether it can carry an update, and takes w->ready over if this rank is to
 * announce it. */
void gb_update_init(gb_run *run);

/* Whether an update goes with the data of this tree. */
static inline bool gb_update_go_with(const gb_update_run *update, uint32_t tree) {
  return tree == update->tree && (update->marked || update->there);
}

/* Before the first segment for child `to`: sends the empty message, and sets *tag to the tag of the segment.
 * An MPI error code. */
int gb_update_mark(gb_run *run, int to, int *tag);

/* Sends the update to the children that have been sent their first segments. An MPI error code. */
int gb_update_pass_on(gb_run *run);

/* Whether the first message of a stream, which has arrived, is the empty one; if so, gb_update_expect posts
 * the receives for what follows. An MPI error code. */
bool gb_update_begin(const gb_run *run, const gb_request *first, const MPI_Status *status);
int gb_update_expect(gb_run *run, const gb_request *first);

/* A part of the update has arrived. Takes request->copy over. An MPI error code. */
int gb_update_heard(gb_run *run, const gb_request *request);

/* When all has arrived and is sent: reads the update, or the call fails. */
void gb_update_read(gb_run *run);

/* At the end of the call, which may have failed: hands the update on, or drops it. */
void gb_update_keep(gb_run *run);

#endif
