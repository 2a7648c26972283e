/* One series: a ring of its newest records, as text of one width.
 *
 *      slot      0    1    2    3    4          first = 3, count = 5 of 5: the next record
 *      record    r4   r5   r6   r2   r3         takes the slot of r2, the oldest
 */
#ifndef GB_NWS_STORE_SERIES_H
#define GB_NWS_STORE_SERIES_H

#include "nws/store/index.h"

#define GB_RECORD_MOST 512u /* bytes of a record */

typedef struct gb_slot {
  double arrived, sequence; /* s since 1970: when it came; when it was stored, as its writer says */
  double time_out;          /* s to keep it after it came */
} gb_slot;

typedef struct gb_series {
  gb_shelved shelved; /* its key is the id */
  uint32_t width, first, count, capacity;
  gb_slot *slot;
  char *record; /* capacity * width bytes */
  char id[];
} gb_series;

/* Records that came together. */
typedef struct gb_batch {
  gb_text id;
  gb_slot slot; /* of each of them */
  uint32_t width, count;
  const char *records; /* count * width bytes, oldest first */
} gb_batch;

gb_series *gb_series_new(gb_text id); /* without room for records; NULL: out of memory */
void gb_series_free(gb_series *s);

/* Bytes that a series of this size holds. */
size_t gb_series_bytes(size_t id_length, uint32_t capacity, uint32_t width);

/* Room for `capacity` records of `width` bytes, neither below what it has. Records that were narrower are
 * filled up with blanks. False: out of memory, and nothing has changed. */
bool gb_series_resize(gb_series *s, uint32_t capacity, uint32_t width);

/* Adds one record of at most the series' width; the oldest goes when there is no room. */
void gb_series_add(gb_series *s, gb_slot slot, const char *record, uint32_t width);

/* The slot of the record that came `age` records before the newest; age below count. */
static inline uint32_t gb_series_slot(const gb_series *s, uint32_t age) {
  return (uint32_t)(((uint64_t)s->first + s->count - 1 - age) % s->capacity);
}

#endif
