/* An update is a later version of the inputs. It goes with the data of a broadcast, from its root down the
 * first tree that carries anything, and all ranks plan from it from the next call on.
 *
 * A rank expects the first segment of its stream. With an update an empty message comes in its place, which
 * no segment is; the segment is right behind it, on the tag of the call's update, and the update follows:
 *
 *   without  parent  --0--1--2--...------>  child
 *   with     parent  --( )--1--2--...---->  child     data
 *                    --0--length--inputs->            update
 *
 * So a call without an update sends the same messages as ever, and at the end of a call all ranks know
 * whether there was one. It is read before the call ends: where that is not possible the call fails, on every
 * rank (agree.h). What a failed call has announced does not count: see comm/version.h.
 *
 * Rank 0 finds updates, but any rank may be the root: see offer.h. MPI's own collective, an empty message and
 * a scatter carry none. */
#ifndef GB_MPI_EXEC_UPDATE_H
#define GB_MPI_EXEC_UPDATE_H

#include "mpi/exec/run.h"

/* At the start of a call: whether it can carry an update, and what there is to announce. */
void gb_update_init(gb_run *run);

static inline bool gb_update_go_with(const gb_update_run *update, uint32_t tree) {
  return tree == update->tree && (update->marked || update->there);
}

/* Before the first segment for a child: the empty message. Sets the segment's tag. */
int gb_update_mark(gb_run *run, int to, int *tag);

/* To the children that have been sent their first segments. */
int gb_update_pass_on(gb_run *run);

/* Whether the first message of a stream, which has come, is the empty one; then what follows is expected. */
bool gb_update_begin(const gb_run *run, const gb_request *first, const MPI_Status *status);
int gb_update_expect(gb_run *run, const gb_request *first);

/* A part of it has come. Takes request->copy over. */
int gb_update_heard(gb_run *run, const gb_request *request);

/* When all has come and is sent: reads them, or the call fails. */
void gb_update_read(gb_run *run);

/* At the end of the call, which may have failed. */
void gb_update_keep(gb_run *run);

#endif
