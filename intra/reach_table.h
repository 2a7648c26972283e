/* How far a host's contention-free tree reaches in a given time: the table behind intra/reach.c. */
#ifndef GB_INTRA_REACH_TABLE_H
#define GB_INTRA_REACH_TABLE_H

#include "intra/contention_free.h"

#define GB_REACH_ENTRIES ((size_t)1 << 25)

typedef struct gb_reach_table {
  uint32_t count, times;
  uint32_t degree;      /* may be less than asked for */
  const uint32_t *cost; /* of child 1 .. degree, in the order of service */
  uint32_t *reach;      /* times x count; the root reaches the last place in the last row only */
} gb_reach_table;

/* times is 0 when the table would have more than GB_REACH_ENTRIES entries. */
int gb_reach_table_new(const gb_switch_walk *walk, const gb_fences *fences, uint32_t degree,
                       const uint32_t *cost, gb_reach_table *table, gbcast_error *err);
void gb_reach_table_free(gb_reach_table *table);

static inline const uint32_t *gb_reach_row(const gb_reach_table *table, uint32_t time) {
  return table->reach + (size_t)time * table->count;
}

/* Units until child u, counted by runs, has the segment. */
static inline uint32_t gb_reach_cost(const gb_reach_table *table, uint32_t u, bool reverse) {
  return table->cost[reverse ? table->degree + 1 - u : u];
}

#endif
