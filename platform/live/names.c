/* Names as measurements spell them: any case, a port behind, with a domain or without. */
#include "platform/live/names.h"

#include <stdlib.h>
#include <string.h>

typedef struct spelling {
  char text[GB_MAX_NAME + 1];
  size_t length;
} spelling;

static spelling lower(const char *text, size_t length) {
  spelling s = {.length = length};
  for (size_t i = 0; i < length; i++)
    s.text[i] = gb_lower(text[i]);
  return s;
}

/* Length up to the first dot, or 0 for names without one and addresses. */
static size_t brief_length(const char *name) {
  const size_t length = gb_short_length(name);
  return name[length] == '.' ? length : 0;
}

static uint32_t cluster_of(const gbcast_platform *p, uint32_t host) {
  return p->host[host].cluster;
}

static int add(gb_live_names *n, gb_name_table *t, const char *text, size_t length, uint32_t index) {
  spelling s = lower(text, length);
  bool is_new = false;
  uint32_t number = gb_names_add(&t->names, &n->arena, s.text, s.length, &is_new);
  if (number == GB_NONE)
    return GBCAST_EMEMORY;
  if (is_new)
    t->index[number] = index;
  else if (t == &n->clusters ||
           (t->index[number] != GB_NONE && cluster_of(n->p, t->index[number]) != cluster_of(n->p, index)))
    t->index[number] = GB_NONE;
  return GBCAST_OK;
}

int gb_live_names_make(gb_live_names *n, const gbcast_platform *p, gbcast_error *err) {
  n->p = p;
  n->clusters.index = malloc(p->cluster_count * sizeof *n->clusters.index);
  n->hosts.index = malloc(p->host_count * sizeof *n->hosts.index);
  n->brief.index = malloc(p->host_count * sizeof *n->brief.index);
  bool room = n->clusters.index != NULL && n->hosts.index != NULL && n->brief.index != NULL;
  int status = room ? GBCAST_OK : GBCAST_EMEMORY;
  for (uint32_t c = 0; c < p->cluster_count && status == GBCAST_OK; c++)
    status = add(n, &n->clusters, p->cluster[c].name, strlen(p->cluster[c].name), c);
  for (uint32_t h = 0; h < p->host_count && status == GBCAST_OK; h++) {
    const char *name = p->host[h].name;
    size_t brief = brief_length(name);
    status = add(n, &n->hosts, name, strlen(name), h);
    if (status == GBCAST_OK && brief > 0)
      status = add(n, &n->brief, name, brief, h);
  }
  return status == GBCAST_OK ? status : gb_no_memory(err);
}

static void release_table(gb_name_table *t) {
  gb_names_release(&t->names);
  free(t->index);
}

void gb_live_names_release(gb_live_names *n) {
  release_table(&n->clusters);
  release_table(&n->hosts);
  release_table(&n->brief);
  gb_arena_release(&n->arena);
  *n = (gb_live_names){0};
}

static uint32_t look_up(const gb_name_table *t, const char *text, size_t length) {
  uint32_t number = gb_names_find(&t->names, text, length);
  return number == GB_NONE ? GB_NONE : t->index[number];
}

/* host:8060, [fe80::1]:8060 and [fe80::1] without port and brackets. */
static size_t without_port(const char **name) {
  size_t length = strlen(*name);
  const char *bracket = **name == '[' ? strchr(*name, ']') : NULL;
  const char *port = bracket != NULL ? bracket + 1 : strchr(*name, ':');
  bool digits = port != NULL && *port == ':' && port[1 + strspn(port + 1, "0123456789")] == '\0';
  if (bracket != NULL && (digits || *port == '\0')) {
    ++*name;
    return (size_t)(bracket - *name);
  }
  return digits && bracket == NULL ? (size_t)(port - *name) : length;
}

uint32_t gb_live_names_find(const gb_live_names *n, const char *name) {
  const gbcast_platform *p = n->p;
  uint32_t found = gb_platform_find_cluster(p, name);
  if (found != GB_NONE)
    return p->host_count + found;
  found = gb_platform_find_host(p, name);
  size_t length = without_port(&name);
  if (found != GB_NONE || length > GB_MAX_NAME)
    return found;
  spelling s = lower(name, length);
  found = look_up(&n->clusters, s.text, s.length);
  if (found != GB_NONE)
    return p->host_count + found;
  found = look_up(&n->hosts, s.text, s.length);
  if (found != GB_NONE)
    return found;
  if (strchr(s.text, '.') == NULL)
    return look_up(&n->brief, s.text, s.length);
  size_t brief = brief_length(s.text);
  return brief > 0 ? look_up(&n->hosts, s.text, brief) : GB_NONE;
}
