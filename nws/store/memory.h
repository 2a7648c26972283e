/* The series of a memory: records by series id, within limits. No I/O; the time is an argument, s since
 * 1970. */
#ifndef GB_NWS_STORE_MEMORY_H
#define GB_NWS_STORE_MEMORY_H

#include "nws/store/index.h"

#define GB_RECORD_MOST 512u /* bytes of a record */

typedef struct gb_record_times {
  double arrived, sequence; /* s since 1970: by our clock; by the writer's */
  double time_out;          /* s to keep it after `arrived` */
} gb_record_times;

/* A stored series: a ring buffer of its newest records, as text of one width.
 *
 *      slot      0    1    2    3    4          first = 3, count = 5 of 5: the next record
 *      record    r4   r5   r6   r2   r3         takes the slot of r2, the oldest
 */
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

/* Memory of such a series, in bytes. */
size_t gb_stored_series_bytes(size_t id_length, uint32_t capacity, uint32_t width);

typedef struct gb_nws_memory {
  gb_index index;
  uint32_t ring;                 /* records of a series, at most */
  size_t bytes;                  /* of all series */
  size_t count_most, bytes_most; /* 0: no limit */
} gb_nws_memory;

void gb_nws_memory_release(gb_nws_memory *m);

/* The sequence number of a new batch: the writer's, but not in the future, and above those of the series'
 * earlier batches, so that a reader who asks for what came after the last one misses nothing. */
double gb_nws_memory_sequence(const gb_nws_memory *m, gb_view id, double wanted, double now);

/* Whether there is room for the batch. When the memory is full, new series are refused, and existing series
 * keep their size. */
bool gb_nws_memory_has_room(const gb_nws_memory *m, const gb_batch *batch);

/* Where the next record of this series goes. False: it would be a new series, and no number is left. */
bool gb_nws_memory_next(const gb_nws_memory *m, gb_view id, gb_record_place *place);

/* Stores the batch; count and width are above 0. False: no room, or out of memory. */
bool gb_nws_memory_store(gb_nws_memory *m, const gb_batch *batch);

/* Stores one record again, that was stored at this place before. Records may come in any order that extends a
 * series at either end; those between are taken for known, and skipped, as are those of a series that was
 * dropped. False: out of memory. */
bool gb_nws_memory_restore(gb_nws_memory *m, gb_record_place place, const gb_batch *record);

/* Drops the series whose last record came at `last` or before, and returns how many these are; with `look` it
 * only counts. */
size_t gb_nws_memory_clean(gb_nws_memory *m, double last, bool look);

/* The newest records, newest first, at most `most`, with a sequence number above `after`, without those that
 * have timed out. The texts of `out` are in `records`, which is cleared first. False: no such series. */
bool gb_nws_memory_fetch(const gb_nws_memory *m, gb_view id, uint32_t most, double after, double now,
                         gb_nws_state *out, gb_bytes *records);

const gb_stored_series *gb_nws_memory_from(const gb_nws_memory *m, uint64_t number); /* as gb_index_from */

#endif
