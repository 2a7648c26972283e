/* Finds hosts by the names that they have elsewhere. */
#include "platform/parse.h"
#include "platform/platform.h"
#include "platform/text/text.h"
#include <stdlib.h>
#include <string.h>

typedef struct gb_named_host {
  const char *name;
  size_t length; /* of the name, or of its short form */
  uint32_t host;
} gb_named_host;

static int compare_text(const char *a, size_t a_length, const char *b, size_t b_length) {
  for (size_t i = 0; i < a_length && i < b_length; i++) {
    const unsigned char x = (unsigned char)gb_lower(a[i]), y = (unsigned char)gb_lower(b[i]);
    if (x != y)
      return x < y ? -1 : 1;
  }
  return (a_length > b_length) - (a_length < b_length);
}

static int compare(const void *a, const void *b) {
  const gb_named_host *x = a, *y = b;
  const int order = compare_text(x->name, x->length, y->name, y->length);
  return order != 0 ? order : (x->host > y->host) - (x->host < y->host);
}

static bool same(const char *a, const char *b) {
  return compare_text(a, strlen(a), b, strlen(b)) == 0;
}

/* The hosts sorted by name, whole or short; to be freed. */
static gb_named_host *sorted_hosts(const gbcast_platform *p, bool whole) {
  gb_named_host *list = malloc(sizeof *list * p->host_count);
  if (list == NULL)
    return NULL;
  for (uint32_t h = 0; h < p->host_count; h++) {
    const char *name = p->host[h].name;
    list[h] = (gb_named_host){name, whole ? strlen(name) : gb_short_length(name), h};
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

static bool has_domain(const char *name) {
  return name[gb_short_length(name)] == '.';
}

/* The first entry of the list that is not before the name, in any letter case. */
static uint32_t first_of(const gb_named_host *list, uint32_t count, const char *name, size_t length) {
  uint32_t low = 0;
  for (uint32_t high = count; low < high;) {
    uint32_t middle = low + (high - low) / 2;
    if (compare_text(list[middle].name, list[middle].length, name, length) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

typedef struct match_result {
  uint32_t like, host;     /* how many hosts are alike but for letter case, and one of them */
  uint32_t exact, exactly; /* of these, how many are alike to the letter, and one of them */
} match_result;

/* `brief`: by the short form, where one of the two names has a dot. */
static match_result search(const gb_matcher *m, uint32_t cluster, const char *name, bool brief) {
  const gbcast_platform *p = m->p;
  const gb_named_host *list = brief ? m->brief : m->whole;
  const size_t length = brief ? gb_short_length(name) : strlen(name);
  match_result f = {0};
  for (uint32_t i = first_of(list, p->host_count, name, length); i < p->host_count; i++) {
    const gb_named_host *n = &list[i];
    if (compare_text(n->name, n->length, name, length) != 0)
      break;
    if (brief && has_domain(n->name) == has_domain(name))
      continue;
    const bool exact = memcmp(n->name, name, length) == 0,
               inside = cluster == GB_NONE || p->host[n->host].cluster == cluster;
    if (!inside && (brief || !exact)) /* a host of that very name is meant, wherever it is */
      continue;
    f.like += inside;
    f.host = n->host;
    f.exact += exact;
    f.exactly = exact ? n->host : f.exactly;
  }
  return f;
}

uint32_t gb_match_count(const gb_matcher *m, uint32_t cluster, const char *name, uint32_t *host) {
  match_result f = search(m, cluster, name, false);
  if (f.like == 0 && f.exact == 0)
    f = search(m, cluster, name, true);
  *host = f.exact == 1 ? f.exactly : f.host;
  if (f.exact != 1)
    return f.like;
  return cluster == GB_NONE || m->p->host[f.exactly].cluster == cluster;
}

/* Why no host is of that name, as far as the file shows it; returns the host that it says it of. */
static const gb_host *write_reason(const gb_matcher *m, const char *name, char *reason, size_t room) {
  const gbcast_platform *p = m->p;
  const size_t length = gb_short_length(name);
  const uint32_t at = first_of(m->brief, p->host_count, name, length);
  const gb_named_host *like = at < p->host_count ? &m->brief[at] : NULL;
  const bool of_domain =
      length > 0 && like != NULL && compare_text(like->name, like->length, name, length) == 0;
  if (of_domain)
    (void)snprintf(reason, room, "'%s' there is of another domain", like->name);
  else
    (void)snprintf(reason, room, "the first there is '%s'", p->host[0].name);
  return &p->host[of_domain ? like->host : 0];
}

int gb_match(gb_matcher *m, const char *who, const char *name, uint32_t *host, bool *assumed,
             gbcast_error *err) {
  const uint32_t matches = gb_match_count(m, GB_NONE, name, host);
  *assumed = false;
  if (matches == 0) {
    char reason[GB_MAX_NAME + 64];
    const gb_host *like = write_reason(m, name, reason, sizeof reason);
    return gb_fail_at(err, &like->where, "%s '%s', which is not in the file: %s", who, name, reason);
  }
  const gb_place *where = &m->p->host[*host].where;
  if (matches > 1)
    return gb_fail_at(err, where, "%s '%s', which %u hosts of the file could be", who, name, matches);
  const char *own = m->p->host[*host].name, *before = m->known_as[*host];
  if (strcmp(own, name) == 0)
    return GBCAST_OK;
  if (before != NULL && !same(before, name) && !same(before, own) && !same(name, own))
    return gb_fail_at(err, where, "%s '%s', which could be the host '%s', but so could '%s'", who, name, own,
                      before);
  *assumed = before == NULL;
  if (before == NULL || !same(name, own))
    m->known_as[*host] = name;
  return GBCAST_OK;
}

uint32_t gb_match_whole(const gbcast_platform *p, const char *name, size_t length) {
  const gb_storage *s = p->storage;
  uint32_t found = gb_names_find(&s->hosts, name, length);
  if (found != GB_NONE)
    return found;
  uint32_t matches = 0;
  for (uint32_t h = 0; h < p->host_count; h++)
    if (compare_text(p->host[h].name, strlen(p->host[h].name), name, length) == 0) {
      found = h;
      matches++;
    }
  return matches == 1 ? found : GB_NONE;
}
