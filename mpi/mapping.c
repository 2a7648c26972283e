/* Which host of the platform each rank runs on. Rank 0 only. */
#include "mpi/mapping.h"
#include <ctype.h>
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

typedef struct gb_names {
  const gbcast_platform *p;
  gb_named_host *whole, *brief; /* sorted */
  const char **known_as;        /* host_count: the processor name that a short form matched, or NULL */
  int verbose;
} gb_names;

static gb_named_host *find(gb_named_host *list, uint32_t count, const char *name, size_t length) {
  gb_named_host key = {name, length, 0};
  return bsearch(&key, list, count, sizeof key, compare);
}

static bool has_dot(const char *name) {
  return strchr(name, '.') != NULL;
}

/* Hosts whose short form is the short form of `name`, when exactly one of the two names has a dot. */
static uint32_t short_matches(const gb_names *n, const char *name, uint32_t *host) {
  uint32_t matches = 0;
  size_t length = strcspn(name, ".");
  gb_named_host *any = find(n->brief, n->p->host_count, name, length);
  if (any == NULL)
    return 0;
  gb_named_host key = {name, length, 0}, *end = n->brief + n->p->host_count;
  while (any > n->brief && compare(any - 1, &key) == 0)
    any--;
  for (; any < end && compare(any, &key) == 0; any++) {
    if (has_dot(n->p->host[any->host].name) == has_dot(name))
      continue;
    *host = any->host;
    matches++;
  }
  return matches;
}

static int match(const gb_names *n, int rank, const char *name, uint32_t *host, gbcast_error *err) {
  gb_named_host *exact = find(n->whole, n->p->host_count, name, strlen(name));
  if (exact != NULL) {
    *host = exact->host;
    return GBCAST_OK;
  }
  uint32_t matches = short_matches(n, name, host);
  if (matches == 0)
    return gb_fail(err, GBCAST_EINPUT, "%s: rank %d runs on '%s', which is not in the file", n->p->file, rank,
                   name);
  if (matches > 1)
    return gb_fail(err, GBCAST_EINPUT, "%s: rank %d runs on '%s', which %u hosts of the file could be",
                   n->p->file, rank, name, matches);
  const char *before = n->known_as[*host];
  const char *file_name = n->p->host[*host].name;
  if (before != NULL && strcmp(before, name) != 0)
    return gb_fail(err, GBCAST_EINPUT, "%s: both '%s' and '%s' (rank %d) could be the host '%s'", n->p->file,
                   before, name, rank, file_name);
  if (before == NULL && n->verbose > 0)
    fprintf(stderr, "gbcast: '%s' is taken to be the host '%s'\n", name, file_name);
  n->known_as[*host] = name;
  return GBCAST_OK;
}

int gb_map_by_name(const gbcast_platform *p, const gb_identity *rank, int size, int verbose,
                   uint32_t *rank_host, gbcast_error *err) {
  gb_names names = {p, sorted_hosts(p, true), sorted_hosts(p, false), calloc(p->host_count, sizeof(char *)),
                    verbose};
  int rc = GBCAST_OK;
  if (names.whole == NULL || names.brief == NULL || names.known_as == NULL)
    rc = gb_no_memory(err);
  for (int r = 0; rc == GBCAST_OK && r < size; r++)
    rc = match(&names, r, rank[r].name, &rank_host[r], err);
  free(names.whole);
  free(names.brief);
  free((void *)names.known_as);
  return rc;
}

int gb_map_by_order(const gbcast_platform *p, const gb_identity *rank, int size, uint32_t *rank_host,
                    gbcast_error *err) {
  /* slot_end[h]: slots of the hosts up to h; the host of a slot is the first whose end lies beyond it */
  uint64_t *slot_end = malloc(sizeof *slot_end * p->host_count), slots = 0;
  if (slot_end == NULL)
    return gb_no_memory(err);
  for (uint32_t h = 0; h < p->host_count; h++)
    slot_end[h] = slots += p->host[h].slots;
  int rc = GBCAST_OK;
  for (int r = 0; rc == GBCAST_OK && r < size; r++) {
    int world = rank[r].world_rank;
    if (world == MPI_UNDEFINED || world < 0) {
      rc = gb_fail(err, GBCAST_EINPUT,
                   "%s: rank %d is not in MPI_COMM_WORLD, so GBCAST_MAP=order cannot place it", p->file, r);
    } else if ((uint64_t)world >= slots) {
      rc = gb_fail(err, GBCAST_EINPUT, "%s: rank %d of MPI_COMM_WORLD has no slot: the file has %llu",
                   p->file, world, (unsigned long long)slots);
    } else {
      uint32_t low = 0, high = p->host_count - 1;
      while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (slot_end[middle] > (uint64_t)world)
          high = middle;
        else
          low = middle + 1;
      }
      rank_host[r] = low;
    }
  }
  free(slot_end);
  return rc;
}

bool gb_is_plain_name(const char *name) {
  static const char *const keyword[] = {"cluster", "switch", "link", "plogp", "topology"};
  for (size_t i = 0; i < sizeof keyword / sizeof *keyword; i++)
    if (strcmp(name, keyword[i]) == 0)
      return false;
  if (!isalnum((unsigned char)name[0]))
    return false;
  for (const char *at = name; *at != '\0'; at++)
    if (!isalnum((unsigned char)*at) && *at != '-' && *at != '_' && *at != '.')
      return false;
  return true;
}
