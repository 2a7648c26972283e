/* What the memory keeps: series of records by id, within bounds. Plain data: the time is an argument, s since
 * 1970. */
#ifndef GB_NWS_STORE_MEMORY_H
#define GB_NWS_STORE_MEMORY_H

#include "nws/store/series.h"
#include "nws/wire/wire.h"

typedef struct gb_memory {
  gb_shelf shelf;
  uint32_t ring;                 /* records of a series, at most */
  size_t bytes;                  /* of all series */
  size_t count_most, bytes_most; /* 0: no bound */
} gb_memory;

void gb_memory_release(gb_memory *m);

/* The sequence number that a store gets: what its writer says, but not in the future, and above those of the
 * series' earlier stores, so that a reader who asks for what came after the last one misses nothing. */
double gb_memory_sequence(const gb_memory *m, gb_text id, double wanted, double now);

/* Whether there is room for the batch. When the memory is full, new series are refused, and those that exist
 * go on with the room they have. */
bool gb_memory_has_room(const gb_memory *m, const gb_batch *batch);

/* Keeps the batch; count and width are above 0. False: no room, or out of memory. */
bool gb_memory_store(gb_memory *m, const gb_batch *batch);

void gb_memory_forget(gb_memory *m, gb_text id);

/* Drops the series whose last record came at `last` or before. Returns how many these are; with `look` that
 * is all it does. */
size_t gb_memory_clean(gb_memory *m, double last, bool look);

/* The newest records, newest first, at most `most`, with a sequence number above `after`, without those that
 * have timed out. The texts of `out` are in `records`, which is cleared first. False: no such series. */
bool gb_memory_fetch(const gb_memory *m, gb_text id, uint32_t most, double after, double now,
                     gb_nws_state *out, gb_bytes *records);

const gb_series *gb_memory_from(const gb_memory *m, uint64_t number); /* as gb_shelf_from */

#endif
