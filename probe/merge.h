/* For --merge: the numbers of a line that are measured. */
#ifndef GB_PROBE_MERGE_H
#define GB_PROBE_MERGE_H

#include "probe/analysis.h"

typedef struct gb_merge_number { /* one key=value */
  const char *key;
  enum gb_kind kind;  /* GB_TIME, GB_RATE, GB_SIZE or GB_FRACTION */
  double before, now; /* its values in the file and by the measurement */
} gb_merge_number;

enum { GB_CLUSTER_NUMBERS = 6, GB_LINK_NUMBERS = 5 };

void gb_numbers_of_cluster(const gb_cluster *before, const gb_cluster *now,
                           gb_merge_number number[GB_CLUSTER_NUMBERS]);
void gb_numbers_of_link(const gb_link *before, const gb_link *now, gb_merge_number number[GB_LINK_NUMBERS]);

/* Writes number->now with its unit. */
void gb_write_number(char text[GB_UNIT_TEXT], const gb_merge_number *number);

/* The point of this size, or NULL. */
const gb_plogp_point *gb_point_of(const gb_plogp *table, uint64_t bytes);

#endif
