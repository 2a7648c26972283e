/* How many positions a contention-free tree can cover in a given time: the table behind intra/coverage.c. */
#ifndef GB_INTRA_COVERAGE_TABLE_H
#define GB_INTRA_COVERAGE_TABLE_H

#include "intra/contention_free.h"

#define GB_COVERAGE_ENTRIES ((size_t)1 << 25)

typedef struct gb_coverage_table {
  uint32_t count, times;
  uint32_t degree;      /* may be less than asked for */
  const uint32_t *cost; /* of child 1 .. degree, in the order of service */
  uint32_t *covered; /* times x count; the last position covered; the root covers all in the last row only */
} gb_coverage_table;

/* times is 0 when the table would have more than GB_COVERAGE_ENTRIES entries. */
int gb_coverage_table_new(const gb_switch_order *order, const gb_conflicts *conflicts, uint32_t degree,
                          const uint32_t *cost, gb_coverage_table *table, gbcast_error *err);
void gb_coverage_table_free(gb_coverage_table *table);

static inline const uint32_t *gb_coverage_row(const gb_coverage_table *table, uint32_t time) {
  return table->covered + (size_t)time * table->count;
}

/* Units until child u, counted by runs, has the segment. */
static inline uint32_t gb_coverage_cost(const gb_coverage_table *table, uint32_t u, bool reverse) {
  return table->cost[reverse ? table->degree + 1 - u : u];
}

#endif
