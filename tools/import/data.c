/* Adds to an import, with names that a hosts file can have. */
#include "tools/import/import.h"
#include <stdarg.h>
#include <stdlib.h>

enum {
  MOST_REMARKS = 64,
  MOST_SITES = 1024, /* every two of which may be linked */
  MOST_NAME = 200,   /* bytes of a name of a site or switch, so that a number can be appended */
  SHOWN = 64         /* bytes of a name that a remark shows */
};

void gb_import_release(gb_import *m) {
  for (uint32_t i = 0; i < m->remarks.count; i++)
    free(m->remarks.line[i]);
  free(m->remarks.line);
  free(m->site);
  free(m->sw);
  free(m->host);
  free(m->link);
  free(m->sample);
  gb_names_release(&m->host_names);
  gb_names_release(&m->site_names);
  gb_names_release(&m->switch_names);
  gb_arena_release(&m->arena);
  *m = (gb_import){0};
}

void gb_import_remark(gb_import *m, const gb_place *where, const char *format, ...) {
  char text[600];
  gbcast_error told = {""};
  va_list list;
  va_start(list, format);
  (void)vsnprintf(text, sizeof text, format, list);
  va_end(list);
  (void)gb_fail_at(&told, where, "%s", text); /* makes one line of it */
  char **line = m->remarks.count < MOST_REMARKS
                    ? gb_grow(m->remarks.line, m->remarks.count, &m->remarks.capacity, sizeof *line)
                    : NULL;
  if (line != NULL) {
    m->remarks.line = line;
    line[m->remarks.count] = strdup(told.message);
  }
  if (line != NULL && line[m->remarks.count] != NULL)
    m->remarks.count++;
  else
    m->silent++;
}

/* Writes the name to `out` as a hosts file can have it. Returns its length. */
static size_t tidy(char out[MOST_NAME + 16], const char *name, size_t length) {
  size_t n = length < MOST_NAME ? length : MOST_NAME;
  while (n < length && n > 0 && ((unsigned char)name[n] & 0xC0) == 0x80)
    n--; /* do not cut a UTF-8 character */
  for (size_t i = 0; i < n;) {
    const size_t seen = gb_printable_length(name + i, n - i);
    if (seen > 0 && gb_is_host_byte(name[i]))
      memcpy(out + i, name + i, seen);
    else
      out[i] = '_';
    i += seen > 0 ? seen : 1;
  }
  if (n == 0)
    out[n++] = '_';
  return n;
}

/* Adds the name, or the first of NAME-2, NAME-3, ... that is new. */
static const char *add_unique(gb_import *m, gb_names *names, const char *name, size_t length) {
  char text[MOST_NAME + 16];
  bool is_new = false;
  size_t n = tidy(text, name, length), whole = n;
  for (uint32_t i = 2;; i++) {
    const uint32_t number = gb_names_add(names, &m->arena, text, whole, &is_new);
    if (number == GB_NONE)
      return NULL;
    if (is_new)
      return names->key[number].text;
    whole = n + (size_t)snprintf(text + n, sizeof text - n, "-%u", (unsigned)i);
  }
}

int gb_import_add_site(gb_import *m, const char *name, size_t length, const gb_place *where, uint32_t *site,
                       gbcast_error *err) {
  gb_import_site *list = gb_grow(m->site, m->site_count, &m->site_capacity, sizeof *list);
  if (list == NULL)
    return gb_no_memory(err);
  m->site = list;
  if (m->site_count == MOST_SITES)
    return gb_fail_at(err, where, "found another group of hosts, expected at most %u sites", MOST_SITES);
  const char *own = add_unique(m, &m->site_names, name, length);
  if (own == NULL)
    return gb_no_memory(err);
  list[m->site_count] =
      (gb_import_site){.name = own, .latency = -1, .bandwidth = -1, .wan_bandwidth = -1, .where = *where};
  *site = m->site_count++;
  return GBCAST_OK;
}

int gb_import_add_switch(gb_import *m, const char *name, size_t length, uint32_t site, const gb_place *where,
                         uint32_t *sw, gbcast_error *err) {
  gb_import_switch *list = gb_grow(m->sw, m->switch_count, &m->switch_capacity, sizeof *list);
  if (list == NULL)
    return gb_no_memory(err);
  m->sw = list;
  if (m->switch_count == GB_MAX_HOSTS)
    return gb_fail_at(err, where, "found another switch, expected at most %u", GB_MAX_HOSTS);
  const char *own = add_unique(m, &m->switch_names, name, length);
  if (own == NULL)
    return gb_no_memory(err);
  list[m->switch_count] = (gb_import_switch){
      .name = own, .site = site, .uplink = GB_NONE, .latency = -1, .bandwidth = -1, .where = *where};
  *sw = m->switch_count++;
  return GBCAST_OK;
}

static bool all_bytes(const char *name, size_t length, const char *others) {
  for (size_t i = 0, seen = 0; i < length; i += seen) {
    seen = gb_printable_length(name + i, length - i);
    if (seen == 0 || (!gb_is_host_byte(name[i]) && strchr(others, name[i]) == NULL))
      return false;
  }
  return length > 0 && length <= GB_MAX_NAME;
}

int gb_import_add_host(gb_import *m, const char *name, size_t length, uint32_t site, uint32_t sw,
                       uint32_t slots, const gb_place *where, gbcast_error *err) {
  const int shown = (int)(length < SHOWN ? length : SHOWN);
  bool is_new = false;
  if (m->named == GB_MAX_HOSTS)
    return gb_fail_at(err, where, "found another host, expected at most %u", GB_MAX_HOSTS);
  m->named++;
  if (!all_bytes(name, length, "") || name[0] == '-') {
    gb_import_remark(m, where, "host '%.*s' is left out: names of hosts have only letters, digits, - _ and .",
                     shown, name);
    return GBCAST_OK;
  }
  gb_import_host *list = gb_grow(m->host, m->host_count, &m->host_capacity, sizeof *list);
  if (list == NULL)
    return gb_no_memory(err);
  m->host = list;
  const uint32_t number = gb_names_add(&m->host_names, &m->arena, name, length, &is_new);
  if (number == GB_NONE)
    return gb_no_memory(err);
  if (!is_new) {
    const gb_import_host *first = &list[number];
    gb_import_remark(m, where, "host '%.*s' is left out here: it is already in '%s'", shown, name,
                     first->sw != GB_NONE ? m->sw[first->sw].name : m->site[first->site].name);
    return GBCAST_OK;
  }
  list[m->host_count++] = (gb_import_host){m->host_names.key[number].text, site, sw, slots};
  m->site[site].hosts++;
  return GBCAST_OK;
}

int gb_import_add_link(gb_import *m, const gb_import_link *link, gbcast_error *err) {
  gb_import_link *list = gb_grow(m->link, m->link_count, &m->link_capacity, sizeof *list);
  if (list == NULL)
    return gb_no_memory(err);
  m->link = list;
  list[m->link_count++] = *link;
  return GBCAST_OK;
}

/* Sets *copy to the name of one end of a sample: the one that the user has given, else that of the input. If
 * a live file cannot have that name, adds a remark, and *copy is NULL. `option`: the option for this end. */
static int choose_name(gb_import *m, const gb_import_sample *sample, const char *given, const char *found,
                       const char *option, const char **copy, gbcast_error *err) {
  const char *name = given != NULL ? given : found;
  if (name == NULL)
    return gb_fail_at(err, &sample->where,
                      "found no name of the host that was measured %s, expected --%s=NAME", option, option);
  *copy = NULL;
  if (!all_bytes(name, strlen(name), ":%")) {
    gb_import_remark(m, &sample->where, "a measurement is left out: '%.*s' cannot be the name of a host",
                     SHOWN, name);
    return GBCAST_OK;
  }
  *copy = gb_arena_copy(&m->arena, name, strlen(name));
  return *copy != NULL ? GBCAST_OK : gb_no_memory(err);
}

static int add_sample(gb_import *m, const gb_import_sample *sample, bool back, gbcast_error *err) {
  gb_import_sample own = *sample;
  int status =
      choose_name(m, sample, back ? m->to : m->from, sample->from, back ? "to" : "from", &own.from, err);
  if (status == GBCAST_OK && own.from != NULL)
    status = choose_name(m, sample, back ? m->from : m->to, sample->to, back ? "from" : "to", &own.to, err);
  if (status != GBCAST_OK || own.from == NULL || own.to == NULL)
    return status;
  own.latency = own.latency >= GB_LEAST_TIME && own.latency <= GB_MOST_TIME ? own.latency : -1;
  own.bandwidth = own.bandwidth >= GB_LEAST_RATE && own.bandwidth <= GB_MOST_RATE ? own.bandwidth : -1;
  if (own.latency < 0 && own.bandwidth < 0) {
    gb_import_remark(m, &sample->where, "a measurement from %s to %s is left out: it has no positive number",
                     own.from, own.to);
    return GBCAST_OK;
  }
  gb_import_sample *list = gb_grow(m->sample, m->sample_count, &m->sample_capacity, sizeof *list);
  if (list == NULL)
    return gb_no_memory(err);
  m->sample = list;
  list[m->sample_count++] = own;
  return GBCAST_OK;
}

int gb_import_add_sample(gb_import *m, const gb_import_sample *sample, gbcast_error *err) {
  return add_sample(m, sample, false, err);
}

int gb_import_add_back(gb_import *m, const gb_import_sample *sample, gbcast_error *err) {
  return add_sample(m, sample, true, err);
}
