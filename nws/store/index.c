#include "nws/store/index.h"

#include "platform/text/text.h"

#include <search.h>
#include <stdlib.h>

static int by_key(const void *a, const void *b) {
  const gb_indexed *x = a, *y = b;
  return gb_view_compare(x->key, y->key);
}

void gb_index_release(gb_index *s) {
  for (size_t i = 0; i < s->used; i++)
    if (s->place[i].item != NULL)
      (void)tdelete(s->place[i].item, &s->tree, by_key);
  free(s->place);
  *s = (gb_index){0};
}

/* The first place whose number is not lower. */
static size_t place_from(const gb_index *s, uint64_t number) {
  size_t low = 0, high = s->used;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->place[middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void close_holes(gb_index *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->used; i++)
    if (s->place[i].item != NULL)
      s->place[kept++] = s->place[i];
  s->used = kept;
}

uint64_t gb_index_next(const gb_index *s) {
  return s->next_number > 0 ? s->next_number : 1;
}

bool gb_index_add(gb_index *s, gb_indexed *item) {
  void *place = gb_grow(s->place, s->used, &s->capacity, sizeof *s->place);
  if (place == NULL)
    return false;
  s->place = place;
  size_t at = place_from(s, item->number);
  bool known = at < s->used && s->place[at].number == item->number, hole = known && s->place[at].item == NULL;
  if (item->number == 0 || (known && !hole)) {
    item->number = gb_index_next(s);
    at = s->used;
  }
  if (item->number > GB_INDEX_LAST || tsearch(item, &s->tree, by_key) == NULL)
    return false;
  if (!hole) {
    memmove(s->place + at + 1, s->place + at, (s->used - at) * sizeof *s->place);
    s->used++;
  }
  s->place[at] = (struct gb_index_place){item->number, item};
  s->count++;
  if (item->number >= s->next_number)
    s->next_number = item->number + 1;
  return true;
}

void gb_index_remove(gb_index *s, gb_indexed *item) {
  (void)tdelete(item, &s->tree, by_key);
  s->place[place_from(s, item->number)].item = NULL;
  s->count--;
  if (s->used > 64 && s->count < s->used / 2)
    close_holes(s);
}

gb_indexed *gb_index_find(const gb_index *s, gb_view key) {
  gb_indexed wanted = {.key = key};
  gb_indexed *const *found = tfind(&wanted, &s->tree, by_key);
  return found != NULL ? *found : NULL;
}

gb_indexed *gb_index_from(const gb_index *s, uint64_t number) {
  for (size_t i = place_from(s, number); i < s->used; i++)
    if (s->place[i].item != NULL)
      return s->place[i].item;
  return NULL;
}
