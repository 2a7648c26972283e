/* Collects live values, and reads them from the source that GBCAST_LIVE names. */
#include "platform/live/live.h"

#include <stdlib.h>
#include <string.h>

int gb_live_add(gb_live *live, const gb_live_value *value, gbcast_error *err) {
  gb_live_value *list = gb_grow(live->value, live->count, &live->capacity, sizeof *list);
  if (list == NULL)
    return gb_no_memory(err);
  live->value = list;
  gb_live_value *copy = &list[live->count];
  *copy = *value;
  copy->from = gb_arena_copy(&live->names, value->from, strlen(value->from));
  copy->to = gb_arena_copy(&live->names, value->to, strlen(value->to));
  if (copy->from == NULL || copy->to == NULL)
    return gb_no_memory(err);
  live->count++;
  return GBCAST_OK;
}

void gb_live_release(gb_live *live) {
  free(live->value);
  gb_arena_release(&live->names);
  *live = (gb_live){.source = live->source, .report = live->report, .context = live->context};
}

int gb_live_read(gb_live *live, double now, gbcast_error *err) {
  const char *path = gb_live_path(live->source), *shown = path != NULL ? path : "<stdin>";
  if (path == NULL && strcmp(live->source, "-") != 0)
    return gb_fail(err, GBCAST_EUSAGE, "found '%s' as the source of live values, expected file:PATH or -",
                   live->source);
  gb_place start = {shown, 1, 1};
  char *text = NULL;
  size_t length = 0;
  int status = gb_read_file(path, &start, NULL, &text, &length, err);
  if (status == GBCAST_OK)
    status = gb_live_parse(live, text, length, shown, now, err);
  free(text);
  return status;
}
