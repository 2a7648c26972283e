/* A stored series: a ring buffer of its newest records, as text of one width.
 *
 *      slot      0    1    2    3    4          first = 3, count = 5 of 5: the next record
 *      record    r4   r5   r6   r2   r3         takes the slot of r2, the oldest
 */
#ifndef GB_NWS_STORE_SERIES_H
#define GB_NWS_STORE_SERIES_H

#include "nws/store/index.h"

#define GB_RECORD_MOST 512u /* bytes of a record */

typedef struct gb_record_times {
  double arrived, sequence; /* s since 1970: by our clock; by the writer's */
  double time_out;          /* s to keep it after `arrived` */
} gb_record_times;

typedef struct gb_stored_series {
  gb_indexed indexed;    /* the key is the id */
  uint64_t oldest, next; /* ordinals: of the oldest record, and of the next one */
  uint32_t width, first, count, capacity;
  gb_record_times *times;
  char *record; /* capacity * width bytes */
  char id[];
} gb_stored_series;

/* Which record of which series: a series that is dropped and begins again gets a higher number. */
typedef struct gb_record_place {
  uint64_t series, ordinal; /* gb_indexed.number; records that the series got before this one */
} gb_record_place;

/* Records that arrived together. */
typedef struct gb_batch {
  gb_view id;
  gb_record_times times; /* of each of them */
  uint32_t width, count;
  const char *records; /* count * width bytes, oldest first */
} gb_batch;

gb_stored_series *gb_stored_series_new(gb_view id); /* no capacity yet; NULL: out of memory */
void gb_stored_series_free(gb_stored_series *s);

/* Memory of such a series, in bytes. */
size_t gb_stored_series_bytes(size_t id_length, uint32_t capacity, uint32_t width);

/* Makes room for `capacity` records of `width` bytes, neither less than before. Narrower records are padded
 * with blanks. False: out of memory, nothing has changed. */
bool gb_stored_series_resize(gb_stored_series *s, uint32_t capacity, uint32_t width);

/* Adds a record of at most the series' width, in place of the oldest when the ring is full. */
void gb_stored_series_add(gb_stored_series *s, gb_record_times times, const char *record, uint32_t width);

/* Adds a record that is older than all others; the ring is not full. */
void gb_stored_series_add_oldest(gb_stored_series *s, gb_record_times times, const char *record,
                                 uint32_t width);

/* The slot of the record that is `age` records older than the newest; age below count. */
static inline uint32_t gb_stored_series_slot(const gb_stored_series *s, uint32_t age) {
  return (uint32_t)(((uint64_t)s->first + s->count - 1 - age) % s->capacity);
}

#endif
