/* Making the channels of an all-to-all, as its files share it. */
#ifndef GB_MPI_SCHEDULE_ALLTOALL_H
#define GB_MPI_SCHEDULE_ALLTOALL_H

#include "mpi/schedule/draft.h"
#include "plan/alltoall/alltoall.h"

typedef struct gb_step_ends { /* channels */
  uint32_t begin;             /* unused where the step receives */
  uint32_t end;               /* over when the step, and all before it on its track, is over */
} gb_step_ends;

typedef struct gb_exchange_draft {
  gb_draft d;
  const gb_wire *w;
  const gb_exchange *exchange;
  uint32_t *place;                /* in groups: the position of each rank; else NULL */
  gb_step_ends *ends;             /* of all steps */
  gb_step_ends **send, **receive; /* by track: in that */
  uint32_t scratch;               /* blocks of memory that dummies are received in */
} gb_exchange_draft;

/* A channel that is over at once, after others. */
static inline gb_channel gb_join(const gb_wire *w) {
  return (gb_channel){.direction = GB_COPY, .rank = w->rank};
}

/* In groups: the copies that compose messages, pass them on and take them apart. */
void gb_add_group_copies(gb_exchange_draft *x);

/* In groups: where the message of a track to or from a rank lies. */
gb_extent gb_group_extent(const gb_exchange_draft *x, uint32_t track, int rank, bool sent);

/* In groups: blocks of memory for messages. */
uint32_t gb_group_scratch(const gb_exchange *exchange);

#endif
