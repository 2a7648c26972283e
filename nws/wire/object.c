#include "nws/wire/object.h"

#include <stdarg.h>
#include <stdio.h>

bool gb_object_next(gb_view *set, gb_view *object) {
  while (set->length > 0 && *set->at == '\t') /* of objects without attributes */
    gb_view_drop(set, 1);
  if (set->length == 0)
    return false;
  const char *first = set->at;
  gb_view rest = *set;
  while (rest.length > 0 && *rest.at != '\t')
    (void)gb_view_before(rest, '\t', &rest);
  bool ended = rest.length > 0;
  *set = (gb_view){rest.at + ended, rest.length - ended};
  *object = (gb_view){first, (size_t)(set->at - first)};
  return true;
}

bool gb_object_attribute(gb_view *object, gb_view *name, gb_view *value) {
  while (object->length > 0) {
    gb_view attribute = gb_view_before(*object, '\t', object);
    *name = gb_view_before(attribute, ':', value);
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

void gb_object_add_strings(gb_bytes *out, const char *name, ...) {
  va_list list;
  va_start(list, name);
  for (; name != NULL; name = va_arg(list, const char *))
    gb_object_add(out, name, gb_view_of(va_arg(list, const char *)));
  va_end(list);
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

void gb_pair_series_object(gb_bytes *out, const gb_pair_series *series, const char *name,
                           const char *memory) {
  bool is_bandwidth = series->bandwidth;
  gb_object_add_strings(out, "name", name, "objectclass", "nwsSeries", "host", series->host, "label",
                        is_bandwidth ? "Megabits/second" : "Milliseconds", "memory", memory, "option",
                        is_bandwidth ? "buffer,message,size,target" : "target", "resource",
                        is_bandwidth ? GB_NWS_BANDWIDTH : GB_NWS_LATENCY, NULL);
  if (is_bandwidth) {
    char buffer[16], message[16], size[16];
    (void)snprintf(buffer, sizeof buffer, "%u", series->buffer);
    (void)snprintf(message, sizeof message, "%u", series->message);
    (void)snprintf(size, sizeof size, "%u", series->size);
    gb_object_add_strings(out, "buffer", buffer, "message", message, "size", size, NULL);
  }
  gb_object_add_strings(out, "target", series->target, series->method != NULL ? "method" : NULL,
                        series->method, NULL);
  gb_object_end(out);
}
