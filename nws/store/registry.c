#include "nws/store/registry.h"

#include <stdlib.h>

static gb_registered *find(const gb_nws_registry *r, gb_view text) {
  return (gb_registered *)gb_index_find(&r->index, text);
}

static void drop(gb_nws_registry *r, gb_registered *object) {
  r->bytes -= object->indexed.key.length;
  gb_index_remove(&r->index, &object->indexed);
  free(object);
}

static gb_registered *from(const gb_nws_registry *r, uint64_t number) {
  return (gb_registered *)gb_index_from(&r->index, number);
}

void gb_nws_registry_release(gb_nws_registry *r) {
  uint64_t number = 0;
  for (gb_registered *object; (object = from(r, number)) != NULL;) {
    number = object->indexed.number + 1;
    drop(r, object);
  }
  gb_index_release(&r->index);
}

bool gb_nws_registry_is_object(gb_view text) {
  gb_view rest = text, object = {0}, name = {0};
  return text.length > 2 && text.length <= GB_REGISTRY_TEXT_MOST &&
         memchr(text.at, '\0', text.length) == NULL && memcmp(text.at + text.length - 2, "\t\t", 2) == 0 &&
         gb_object_next(&rest, &object) && object.length == text.length &&
         gb_object_get(object, "name", &name) && name.length > 0;
}

bool gb_nws_registry_has_room(const gb_nws_registry *r, gb_view text) {
  bool fits = (r->count_most == 0 || r->index.count < r->count_most) &&
              (r->bytes_most == 0 || r->bytes + text.length <= r->bytes_most);
  return fits || find(r, text) != NULL;
}

static bool is_over(const gb_registered *object, double now) {
  return object->expires > 0 && object->expires <= now;
}

uint64_t gb_nws_registry_number(const gb_nws_registry *r, gb_view text, double now) {
  const gb_registered *object = find(r, text);
  return object != NULL && !is_over(object, now) ? object->indexed.number : gb_index_next(&r->index);
}

bool gb_nws_registry_put(gb_nws_registry *r, gb_view text, double expires, uint64_t number) {
  gb_registered *object = find(r, text);
  if (object != NULL && (number == 0 || number == object->indexed.number)) {
    object->expires = expires;
    return true;
  }
  if (object != NULL)
    drop(r, object);
  object = malloc(sizeof *object + text.length);
  if (object == NULL)
    return false;
  memcpy(object->text, text.at, text.length);
  object->indexed = (gb_indexed){{object->text, text.length}, number};
  object->expires = expires;
  if (!gb_index_add(&r->index, &object->indexed)) {
    free(object);
    return false;
  }
  r->bytes += text.length;
  return true;
}

void gb_nws_registry_forget(gb_nws_registry *r, gb_view text) {
  gb_registered *object = find(r, text);
  if (object != NULL)
    drop(r, object);
}

void gb_nws_registry_expire(gb_nws_registry *r, double now) {
  uint64_t number = 0;
  for (gb_registered *object; (object = from(r, number)) != NULL;) {
    number = object->indexed.number + 1;
    if (is_over(object, now))
      drop(r, object);
  }
}

const gb_registered *gb_nws_registry_from(const gb_nws_registry *r, uint64_t number, double now) {
  gb_registered *object = from(r, number);
  while (object != NULL && is_over(object, now))
    object = from(r, object->indexed.number + 1);
  return object;
}
