#include "nws/store/series.h"

#include <stdlib.h>

gb_stored_series *gb_stored_series_new(gb_view id) {
  gb_stored_series *s = malloc(sizeof *s + id.length);
  if (s == NULL)
    return NULL;
  *s = (gb_stored_series){0};
  memcpy(s->id, id.at, id.length);
  s->indexed.key = (gb_view){s->id, id.length};
  return s;
}

void gb_stored_series_free(gb_stored_series *s) {
  free(s->times);
  free(s->record);
  free(s);
}

size_t gb_stored_series_bytes(size_t id_length, uint32_t capacity, uint32_t width) {
  return sizeof(gb_stored_series) + id_length + (size_t)capacity * (sizeof(gb_record_times) + width);
}

static void fill(char *to, uint32_t width, const char *record, uint32_t length) {
  memcpy(to, record, length);
  memset(to + length, ' ', width - length);
}

bool gb_stored_series_resize(gb_stored_series *s, uint32_t capacity, uint32_t width) {
  if (capacity == s->capacity && width == s->width)
    return true;
  gb_record_times *times = malloc(capacity * sizeof *times);
  char *record = malloc((size_t)capacity * width);
  if (times == NULL || record == NULL) {
    free(times);
    free(record);
    return false;
  }
  for (uint32_t i = 0; i < s->count; i++) {
    uint32_t old = gb_stored_series_slot(s, s->count - 1 - i);
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

static void set(gb_stored_series *s, uint32_t at, gb_record_times times, const char *record, uint32_t width) {
  s->times[at] = times;
  fill(s->record + (size_t)at * s->width, s->width, record, width);
}

void gb_stored_series_add(gb_stored_series *s, gb_record_times times, const char *record, uint32_t width) {
  if (s->count < s->capacity) {
    s->count++;
  } else {
    s->first = (s->first + 1) % s->capacity;
    s->oldest++;
  }
  s->next++;
  set(s, gb_stored_series_slot(s, 0), times, record, width);
}

void gb_stored_series_add_oldest(gb_stored_series *s, gb_record_times times, const char *record,
                                 uint32_t width) {
  s->first = (s->first + s->capacity - 1) % s->capacity;
  s->count++;
  s->oldest--;
  set(s, s->first, times, record, width);
}
