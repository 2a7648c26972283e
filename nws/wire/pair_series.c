/* Options stand in the name by their values, in the alphabetical order of their names, and in the object
 * under their names. */
#include "nws/wire/pair_series.h"

#include "nws/wire/object.h"

#include <stdio.h>

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
