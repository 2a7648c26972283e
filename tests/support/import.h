/* What holds for all that gbcast-import reads, whatever the input: it is refused with a place, or printed as
 * a hosts file with the same hosts, or as live lines that are all understood. */
#ifndef GB_TESTS_IMPORT_H
#define GB_TESTS_IMPORT_H

#include "platform/live/live.h"
#include "tools/import/import.h"
#include <stdlib.h>

static inline const char *check_hosts_file(const gb_import *m, const char *text, size_t length) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  const char *wrong = NULL;
  if (gbcast_platform_parse(text, length, "imported", &p, &err) != GBCAST_OK)
    return "the hosts file is refused";
  if (p->host_count != m->host_count || p->warnings.count > 0)
    wrong = "the hosts file has other hosts, or warnings";
  for (uint32_t h = 0; wrong == NULL && h < m->host_count; h++)
    if (gb_platform_find_host(p, m->host[h].name) == GB_NONE)
      wrong = "a host is missing";
  gbcast_platform_free(p);
  return wrong;
}

static inline const char *check_live_lines(const gb_import *m, const char *text, size_t length) {
  gb_live live = {.source = "file:imported"};
  gbcast_error err = {""};
  const double late = 1e12; /* so that no time is in the future */
  const int status = gb_live_parse(&live, text, length, "imported", late, &err);
  const char *wrong = status != GBCAST_OK || live.left_out > 0 || live.count != m->sample_count
                          ? "a live line is left out"
                          : NULL;
  gb_live_release(&live);
  return wrong;
}

/* What does not hold, or NULL. */
static inline const char *check_import(const char *format, const char *text, size_t length) {
  gb_import m = {.from = "from", .to = "to"};
  gb_import_reader *reader = NULL;
  gbcast_error err = {""};
  char *out = NULL, *files[] = {(char[]){"file"}, NULL};
  const char *wrong = NULL;
  size_t out_length = 0;
  if (gb_import_find_format(format, &reader, &err) != GBCAST_OK)
    return "no such format";
  int status = reader(&m, "file", text, length, &err);
  if (status != GBCAST_OK && strncmp(err.message, "file:", 5) != 0)
    wrong = "the message has no place";
  if (status == GBCAST_OK)
    status = gb_import_finish(&m, &err);
  FILE *memory = status == GBCAST_OK ? open_memstream(&out, &out_length) : NULL;
  if (memory != NULL) {
    if (gb_import_write(&m, format, files, memory, &err) != GBCAST_OK)
      wrong = "it cannot be written";
    (void)fclose(memory);
  }
  if (memory != NULL && wrong == NULL)
    wrong = m.host_count > 0 ? check_hosts_file(&m, out, out_length) : check_live_lines(&m, out, out_length);
  free(out);
  gb_import_release(&m);
  return wrong;
}

#endif
