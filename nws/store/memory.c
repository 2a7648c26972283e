#include "nws/store/memory.h"

#include <math.h>
#include <stdlib.h>

/* The slot of the record that is `age` records older than the newest; age below count. */
static uint32_t slot(const gb_stored_series *s, uint32_t age) {
  return (uint32_t)(((uint64_t)s->first + s->count - 1 - age) % s->capacity);
}

size_t gb_stored_series_bytes(size_t id_length, uint32_t capacity, uint32_t width) {
  return sizeof(gb_stored_series) + id_length + (size_t)capacity * (sizeof(gb_record_times) + width);
}

static void fill(char *to, uint32_t width, const char *record, uint32_t length) {
  memcpy(to, record, length);
  memset(to + length, ' ', width - length);
}

/* Makes room for `capacity` records of `width` bytes, neither less than before. Narrower records are padded
 * with blanks. False: out of memory, nothing has changed. */
static bool resize(gb_stored_series *s, uint32_t capacity, uint32_t width) {
  if (capacity == 0 || (capacity == s->capacity && width == s->width))
    return true;
  gb_record_times *times = malloc(capacity * sizeof *times);
  char *record = malloc((size_t)capacity * width);
  if (times == NULL || record == NULL) {
    free(times);
    free(record);
    return false;
  }
  for (uint32_t i = 0; i < s->count; i++) {
    uint32_t old = slot(s, s->count - 1 - i);
    times[i] = s->times[old];
    fill(record + (size_t)i * width, width, s->record + (size_t)old * s->width, s->width);
  }
  free(s->times);
  free(s->record);
  s->times = times;
  s->record = record;
  s->first = 0;
  s->capacity = capacity;
  s->width = width;
  return true;
}

static void set(gb_stored_series *s, uint32_t at, const gb_batch *batch, uint32_t index) {
  s->times[at] = batch->times;
  fill(s->record + (size_t)at * s->width, s->width, batch->records + (size_t)index * batch->width,
       batch->width);
}

/* Adds a record of the batch, of at most the series' width, in place of the oldest when the ring is full. */
static void add_newest(gb_stored_series *s, const gb_batch *batch, uint32_t index) {
  if (s->count < s->capacity) {
    s->count++;
  } else {
    s->first = (s->first + 1) % s->capacity;
    s->oldest++;
  }
  s->next++;
  set(s, slot(s, 0), batch, index);
}

/* Adds a record that is older than all others; the ring is not full. */
static void add_oldest(gb_stored_series *s, const gb_batch *record) {
  s->first = (s->first + s->capacity - 1) % s->capacity;
  s->count++;
  s->oldest--;
  set(s, s->first, record, 0);
}

static gb_stored_series *find(const gb_nws_memory *m, gb_view id) {
  return (gb_stored_series *)gb_index_find(&m->index, id);
}

static size_t bytes_of(const gb_stored_series *s) {
  return gb_stored_series_bytes(s->indexed.key.length, s->capacity, s->width);
}

static void drop(gb_nws_memory *m, gb_stored_series *s) {
  m->bytes -= bytes_of(s);
  gb_index_remove(&m->index, &s->indexed);
  free(s->times);
  free(s->record);
  free(s);
}

const gb_stored_series *gb_nws_memory_from(const gb_nws_memory *m, uint64_t number) {
  return (const gb_stored_series *)gb_index_from(&m->index, number);
}

void gb_nws_memory_release(gb_nws_memory *m) {
  (void)gb_nws_memory_clean(m, INFINITY, false);
  gb_index_release(&m->index);
}

double gb_nws_memory_sequence(const gb_nws_memory *m, gb_view id, double wanted, double now) {
  const gb_stored_series *s = find(m, id);
  double sequence =
      wanted > 0 && wanted <= now ? wanted : now; /* 0 is what asks for all, and is not above 0 */
  double last = s != NULL ? s->times[slot(s, 0)].sequence : 0;
  return sequence > last ? sequence : nextafter(last, INFINITY);
}

static uint32_t grown(uint32_t capacity, uint64_t want, uint32_t most) {
  if (capacity >= most)
    return capacity;
  if (capacity == 0)
    capacity = 8;
  while (capacity < want && capacity < most) /* doubles, so that storing one by one costs little */
    capacity *= 2;
  return capacity < most ? capacity : most;
}

/* The size that the series (NULL: a new one) should have to take the batch; false: no room. */
static bool plan(const gb_nws_memory *m, const gb_stored_series *s, const gb_batch *batch, uint32_t *capacity,
                 uint32_t *width) {
  uint32_t has = s != NULL ? s->capacity : 0, count = s != NULL ? s->count : 0;
  size_t others = m->bytes - (s != NULL ? bytes_of(s) : 0), id = batch->id.length;
  size_t most = m->bytes_most > 0 ? m->bytes_most : SIZE_MAX;
  if (s == NULL && m->count_most > 0 && m->index.count >= m->count_most)
    return false;
  *width = s != NULL && s->width > batch->width ? s->width : batch->width;
  *capacity = grown(has, (uint64_t)count + batch->count, m->ring);
  if (others + gb_stored_series_bytes(id, *capacity, *width) <= most)
    return true;
  *capacity = has;
  return s != NULL && (*width == s->width || others + gb_stored_series_bytes(id, has, *width) <= most);
}

bool gb_nws_memory_has_room(const gb_nws_memory *m, const gb_batch *batch) {
  uint32_t capacity, width;
  return plan(m, find(m, batch->id), batch, &capacity, &width);
}

/* A new series, without capacity yet. place.series 0: the next number. */
static gb_stored_series *add(gb_nws_memory *m, gb_view id, gb_record_place place) {
  gb_stored_series *s = calloc(1, sizeof *s + id.length);
  if (s == NULL)
    return NULL;
  memcpy(s->id, id.at, id.length);
  s->indexed = (gb_indexed){{s->id, id.length}, place.series};
  s->oldest = s->next = place.ordinal;
  if (!gb_index_add(&m->index, &s->indexed)) {
    free(s);
    return NULL;
  }
  m->bytes += bytes_of(s);
  return s;
}

bool gb_nws_memory_next(const gb_nws_memory *m, gb_view id, gb_record_place *place) {
  const gb_stored_series *s = find(m, id);
  *place = s != NULL ? (gb_record_place){s->indexed.number, s->next}
                     : (gb_record_place){gb_index_next(&m->index), 0};
  return place->series <= GB_INDEX_LAST;
}

/* The series that has room for the batch, a new one if need be. NULL: no room, or out of memory. */
static gb_stored_series *make_room(gb_nws_memory *m, const gb_batch *batch, gb_record_place place) {
  uint32_t capacity, width;
  gb_stored_series *old = find(m, batch->id), *s = old;
  if (!plan(m, old, batch, &capacity, &width) || (s == NULL && (s = add(m, batch->id, place)) == NULL))
    return NULL;
  size_t before = bytes_of(s);
  if (!resize(s, capacity, width)) {
    if (old == NULL)
      drop(m, s);
    return NULL;
  }
  m->bytes += bytes_of(s) - before;
  return s;
}

bool gb_nws_memory_store(gb_nws_memory *m, const gb_batch *batch) {
  gb_stored_series *s = make_room(m, batch, (gb_record_place){0});
  for (uint32_t i = 0; s != NULL && i < batch->count; i++)
    add_newest(s, batch, i);
  return s != NULL;
}

bool gb_nws_memory_restore(gb_nws_memory *m, gb_record_place place, const gb_batch *record) {
  gb_stored_series *s = find(m, record->id);
  if (s != NULL && s->indexed.number < place.series) {
    drop(m, s);
    s = NULL;
  }
  bool older = s != NULL && place.ordinal < s->oldest, newer = s == NULL || place.ordinal >= s->next;
  if ((!older && !newer) || (s != NULL && s->indexed.number > place.series))
    return true;
  s = make_room(m, record, place);
  if (s == NULL)
    return false;
  if (newer) {
    s->next = place.ordinal;
    add_newest(s, record, 0);
  } else if (s->count < s->capacity) {
    s->oldest = place.ordinal + 1;
    add_oldest(s, record);
  }
  return true;
}

size_t gb_nws_memory_clean(gb_nws_memory *m, double last, bool look) {
  size_t count = 0;
  uint64_t number = 0;
  for (gb_stored_series *s; (s = (gb_stored_series *)gb_index_from(&m->index, number)) != NULL;) {
    number = s->indexed.number + 1;
    if (s->times[slot(s, 0)].arrived > last)
      continue;
    count++;
    if (!look)
      drop(m, s);
  }
  return count;
}

bool gb_nws_memory_fetch(const gb_nws_memory *m, gb_view id, uint32_t most, double after, double now,
                         gb_nws_state *out, gb_bytes *records) {
  const gb_stored_series *s = find(m, id);
  if (s == NULL)
    return false;
  gb_bytes_clear(records);
  *out = (gb_nws_state){0};
  memcpy(out->id, id.at, id.length < GB_NWS_NAME_MOST ? id.length : GB_NWS_NAME_MOST);
  for (uint32_t age = 0; age < s->count && out->record_count < most; age++) {
    uint32_t at = slot(s, age);
    const gb_record_times *times = &s->times[at];
    if (!(times->sequence > after)) /* those before are not above either */
      break;
    if (times->arrived + times->time_out <= now)
      continue;
    gb_put(records, s->record + (size_t)at * s->width, s->width);
    out->time_out = times->time_out;
    if (out->record_count++ == 0)
      out->sequence = times->sequence;
  }
  out->record_size = out->record_count > 0 ? s->width : 0;
  out->records = gb_bytes_view(records);
  return true;
}
