/* Finds hosts by the names that they have elsewhere. */
#include "platform/match.h"
#include <stdlib.h>
#include <string.h>

typedef struct gb_named_host {
  const char *name;
  size_t length; /* of the name, or of its short form */
  uint32_t host;
} gb_named_host;

static int compare(const void *a, const void *b) {
  const gb_named_host *x = a, *y = b;
  size_t least = x->length < y->length ? x->length : y->length;
  int order = memcmp(x->name, y->name, least);
  return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

/* The hosts sorted by name, whole or short; to be freed. */
static gb_named_host *sorted_hosts(const gbcast_platform *p, bool whole) {
  gb_named_host *list = malloc(sizeof *list * p->host_count);
  if (list == NULL)
    return NULL;
  for (uint32_t h = 0; h < p->host_count; h++) {
    const char *name = p->host[h].name;
    list[h] = (gb_named_host){name, whole ? strlen(name) : strcspn(name, "."), h};
  }
  qsort(list, p->host_count, sizeof *list, compare);
  return list;
}

int gb_matcher_open(gb_matcher *m, const gbcast_platform *p, gbcast_error *err) {
  *m = (gb_matcher){p, sorted_hosts(p, true), sorted_hosts(p, false), calloc(p->host_count, sizeof(char *))};
  return m->whole == NULL || m->brief == NULL || m->known_as == NULL ? gb_no_memory(err) : GBCAST_OK;
}

void gb_matcher_close(gb_matcher *m) {
  free(m->whole);
  free(m->brief);
  free((void *)m->known_as);
}

static gb_named_host *find(gb_named_host *list, uint32_t count, const char *name, size_t length) {
  gb_named_host key = {name, length, 0};
  return bsearch(&key, list, count, sizeof key, compare);
}

static bool has_dot(const char *name) {
  return strchr(name, '.') != NULL;
}

/* Hosts whose short form is the short form of `name`, when exactly one of the two names has a dot. */
static uint32_t short_matches(const gb_matcher *m, const char *name, uint32_t *host) {
  uint32_t matches = 0;
  size_t length = strcspn(name, ".");
  gb_named_host *any = find(m->brief, m->p->host_count, name, length);
  if (any == NULL)
    return 0;
  gb_named_host key = {name, length, 0}, *end = m->brief + m->p->host_count;
  while (any > m->brief && compare(any - 1, &key) == 0)
    any--;
  for (; any < end && compare(any, &key) == 0; any++) {
    if (has_dot(m->p->host[any->host].name) == has_dot(name))
      continue;
    *host = any->host;
    matches++;
  }
  return matches;
}

int gb_match(gb_matcher *m, const char *who, const char *name, uint32_t *host, bool *assumed,
             gbcast_error *err) {
  gb_named_host *exact = find(m->whole, m->p->host_count, name, strlen(name));
  *assumed = false;
  if (exact != NULL) {
    *host = exact->host;
    return GBCAST_OK;
  }
  uint32_t matches = short_matches(m, name, host);
  if (matches == 0)
    return gb_fail(err, GBCAST_EINPUT, "%s:1:1: %s '%s', which is not in the file", m->p->file, who, name);
  if (matches > 1)
    return gb_fail(err, GBCAST_EINPUT, "%s:1:1: %s '%s', which %u hosts of the file could be", m->p->file,
                   who, name, matches);
  const char *before = m->known_as[*host];
  if (before != NULL && strcmp(before, name) != 0)
    return gb_fail(err, GBCAST_EINPUT, "%s:1:1: %s '%s', which could be the host '%s', but so could '%s'",
                   m->p->file, who, name, m->p->host[*host].name, before);
  *assumed = before == NULL;
  m->known_as[*host] = name;
  return GBCAST_OK;
}
