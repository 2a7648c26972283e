/* The channels of a rank's schedule while they are made, and which come after which. */
#ifndef GB_MPI_SCHEDULE_DRAFT_H
#define GB_MPI_SCHEDULE_DRAFT_H

#include "mpi/schedule/schedule.h"

typedef struct gb_precedence { /* one comes after the other */
  uint32_t before, after;
} gb_precedence;

typedef struct gb_draft {
  gb_channel *channel;
  gb_precedence *order;
  uint32_t count, order_count;
  uint32_t capacity, order_capacity;
  bool failed; /* out of memory: what follows is left out */
} gb_draft;

/* Returns the number of the channel, or GB_NONE when memory has run out. It comes after `before`, unless that
 * is GB_NONE. */
uint32_t gb_draft_add(gb_draft *d, gb_channel channel, uint32_t before);

/* One channel comes after another. Does nothing if one of them is GB_NONE. */
void gb_draft_order(gb_draft *d, uint32_t before, uint32_t after);

/* Moves the channels to the schedule, and frees the draft. Successors of a channel become ready in the order
 * in which they were ordered. MPI_SUCCESS or MPI_ERR_NO_MEM. */
int gb_draft_end(gb_draft *d, gb_rank_schedule *schedule);

#endif
