#include "nws/store/series.h"

#include <stdlib.h>

gb_series *gb_series_new(gb_text id) {
  gb_series *s = malloc(sizeof *s + id.length);
  if (s == NULL)
    return NULL;
  *s = (gb_series){0};
  memcpy(s->id, id.at, id.length);
  s->shelved.key = (gb_text){s->id, id.length};
  return s;
}

void gb_series_free(gb_series *s) {
  free(s->slot);
  free(s->record);
  free(s);
}

size_t gb_series_bytes(size_t id_length, uint32_t capacity, uint32_t width) {
  return sizeof(gb_series) + id_length + (size_t)capacity * (sizeof(gb_slot) + width);
}

static void fill(char *to, uint32_t width, const char *record, uint32_t length) {
  memcpy(to, record, length);
  memset(to + length, ' ', width - length);
}

bool gb_series_resize(gb_series *s, uint32_t capacity, uint32_t width) {
  if (capacity == s->capacity && width == s->width)
    return true;
  gb_slot *slot = malloc(capacity * sizeof *slot);
  char *record = malloc((size_t)capacity * width);
  if (slot == NULL || record == NULL) {
    free(slot);
    free(record);
    return false;
  }
  for (uint32_t i = 0; i < s->count; i++) {
    uint32_t old = gb_series_slot(s, s->count - 1 - i);
    slot[i] = s->slot[old];
    fill(record + (size_t)i * width, width, s->record + (size_t)old * s->width, s->width);
  }
  free(s->slot);
  free(s->record);
  s->slot = slot;
  s->record = record;
  s->first = 0;
  s->capacity = capacity;
  s->width = width;
  return true;
}

void gb_series_add(gb_series *s, gb_slot slot, const char *record, uint32_t width) {
  if (s->count < s->capacity)
    s->count++;
  else
    s->first = (s->first + 1) % s->capacity;
  uint32_t at = gb_series_slot(s, 0);
  s->slot[at] = slot;
  fill(s->record + (size_t)at * s->width, s->width, record, width);
}
