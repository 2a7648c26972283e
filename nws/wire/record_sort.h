#ifndef GB_NWS_WIRE_RECORD_SORT_H
#define GB_NWS_WIRE_RECORD_SORT_H

#include "nws/wire/record.h"

/* Newest first; those of one time keep their order. In place and without allocation, in n log^2 n steps;
 * about n when they are sorted already, as memories mostly send them. */
void gb_measurements_sort(gb_measurement *m, size_t count);

#endif
