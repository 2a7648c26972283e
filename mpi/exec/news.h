/* News are the inputs of a later epoch. They go with the data of a broadcast, from its root down the first
 * tree that carries anything, and all ranks plan from them from the next call on.
 *
 * A rank expects the first segment of its stream. With news an empty message comes in its place, which no
 * segment is; the segment is right behind it, on the tag of the call's news, and they follow:
 *
 *   without  parent  --0--1--2--...------>  child
 *   with     parent  --( )--1--2--...---->  child     data
 *                    --0--length--inputs->            news
 *
 * So the tags and sizes that a call is made of are the same as ever, all ranks know for certain at its end
 * whether there were news, and a broadcast without them has nothing to pay. They are read before the call
 * ends: where that is not possible the call fails, and it does so on every rank (agree.h). What a failed call
 * has told counts nowhere: see epoch.h.
 *
 * Rank 0 finds the news (watch.h), but any rank may be the root: see offer.h. MPI's own collective, an empty
 * message and a scatter carry none. */
#ifndef GB_MPI_EXEC_NEWS_H
#define GB_MPI_EXEC_NEWS_H

#include "mpi/exec/run.h"

/* At the start of a call: whether it can carry news, and what there is to announce. */
void gb_news_init(gb_run *run);

static inline bool gb_news_go_with(const gb_telling *news, uint32_t tree) {
  return tree == news->tree && (news->coming || news->there);
}

/* Before the first segment for a child: the empty message. Sets the segment's tag. */
int gb_news_mark(gb_run *run, int to, int *tag);

/* To the children that have been sent their first segments. */
int gb_news_pass_on(gb_run *run);

/* Whether the first message of a stream, which has come, is the empty one; then what follows is expected. */
bool gb_news_begin(const gb_run *run, const gb_slot *first, const MPI_Status *status);
int gb_news_expect(gb_run *run, const gb_slot *first);

/* A part of them has come. Takes slot->copy over. */
int gb_news_heard(gb_run *run, const gb_slot *slot);

/* When all has come and is sent: reads them, or the call fails. */
void gb_news_read(gb_run *run);

/* At the end of the call, which may have failed. */
void gb_news_keep(gb_run *run);

#endif
