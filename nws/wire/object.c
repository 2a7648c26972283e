#include "nws/wire/object.h"

#include <stdio.h>

/* Splits the text before the first `mark`; what is behind it goes to *rest. Without a mark all is before. */
static gb_view before(gb_view text, char mark, gb_view *rest) {
  const char *at = text.length > 0 ? memchr(text.at, mark, text.length) : NULL;
  size_t length = at != NULL ? (size_t)(at - text.at) : text.length;
  size_t gone = length + (at != NULL);
  *rest = (gb_view){text.at + gone, text.length - gone};
  return (gb_view){text.at, length};
}

static void skip_tabs(gb_view *text) {
  while (text->length > 0 && *text->at == '\t') {
    text->at++;
    text->length--;
  }
}

bool gb_object_next(gb_view *set, gb_view *object) {
  skip_tabs(set); /* of objects without attributes */
  if (set->length == 0)
    return false;
  const char *first = set->at;
  gb_view rest = *set;
  while (rest.length > 0 && *rest.at != '\t')
    (void)before(rest, '\t', &rest);
  bool ended = rest.length > 0;
  *set = (gb_view){rest.at + ended, rest.length - ended};
  *object = (gb_view){first, (size_t)(set->at - first)};
  return true;
}

bool gb_object_attribute(gb_view *object, gb_view *name, gb_view *value) {
  while (object->length > 0) {
    gb_view attribute = before(*object, '\t', object);
    *name = before(attribute, ':', value);
    if (name->length < attribute.length)
      return true;
  }
  return false;
}

bool gb_object_get(gb_view object, const char *name, gb_view *value) {
  gb_view found;
  while (gb_object_attribute(&object, &found, value))
    if (gb_view_is(found, name))
      return true;
  return false;
}

void gb_object_add(gb_bytes *out, const char *name, gb_view value) {
  gb_put(out, name, strlen(name));
  gb_put(out, ":", 1);
  for (size_t i = 0; i < value.length; i++)
    gb_put(out, value.at[i] == '\t' || value.at[i] == '\0' ? " " : &value.at[i], 1);
  gb_object_end(out); /* one TAB ends both */
}

void gb_object_add_string(gb_bytes *out, const char *name, const char *value) {
  gb_object_add(out, name, gb_view_of(value));
}

void gb_object_end(gb_bytes *out) {
  gb_put(out, "\t", 1);
}

/* Options stand in the name by their values, in the alphabetical order of their names, and in the object
 * under their names. */
bool gb_pair_series_name(const gb_pair_series *series, char out[GB_NWS_NAME_MOST + 1]) {
  int length;
  if (series->bandwidth)
    length = snprintf(out, GB_NWS_NAME_MOST + 1, "%s." GB_NWS_BANDWIDTH ".%u.%u.%u.%s", series->host,
                      series->buffer, series->message, series->size, series->target);
  else
    length = snprintf(out, GB_NWS_NAME_MOST + 1, "%s." GB_NWS_LATENCY ".%s", series->host, series->target);
  return length >= 0 && length <= (int)GB_NWS_NAME_MOST;
}

static void add_number(gb_bytes *out, const char *name, uint32_t value) {
  char text[16];
  (void)snprintf(text, sizeof text, "%u", value);
  gb_object_add_string(out, name, text);
}

void gb_pair_series_object(gb_bytes *out, const gb_pair_series *series, const char *name,
                           const char *memory) {
  gb_object_add_string(out, "name", name);
  gb_object_add_string(out, "objectclass", "nwsSeries");
  gb_object_add_string(out, "host", series->host);
  gb_object_add_string(out, "label", series->bandwidth ? "Megabits/second" : "Milliseconds");
  gb_object_add_string(out, "memory", memory);
  gb_object_add_string(out, "option", series->bandwidth ? "buffer,message,size,target" : "target");
  gb_object_add_string(out, "resource", series->bandwidth ? GB_NWS_BANDWIDTH : GB_NWS_LATENCY);
  if (series->bandwidth) {
    add_number(out, "buffer", series->buffer);
    add_number(out, "message", series->message);
    add_number(out, "size", series->size);
  }
  gb_object_add_string(out, "target", series->target);
  if (series->method != NULL)
    gb_object_add_string(out, "method", series->method);
  gb_object_end(out);
}
