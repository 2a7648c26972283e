/* Reads the names of a request. */
#include "plan/search/request.h"
#include "plan/build/build.h"
#include "plan/core/core.h"
#include "platform/text/text.h"
#include <stdlib.h>
#include <string.h>

/* In gb_planner.forced_intra, while the request is read: any algorithm, whatever the other sites use. */
#define INTRA_AUTO (SIZE_MAX - 1)

static bool is_auto(const char *name) {
  return !name || name[0] == '\0' || strcmp(name, "auto") == 0;
}

static int find_intra(const gb_planner *pl, const char *name, size_t *index, gbcast_error *err) {
  const int operation = gb_carries_blocks(pl->plan->operation);
  *index = gb_intra_find(name, operation);
  if (*index != SIZE_MAX)
    return GBCAST_OK;
  const char *nearest = NULL;
  char hint[GB_HINT_TEXT];
  unsigned best = GB_FAR;
  for (size_t i = 0; i < gb_intra_count; i++)
    if ((gb_intra_table[i].operations >> operation & 1u) != 0 &&
        gb_nearer(name, strlen(name), gb_intra_table[i].name, &best))
      nearest = gb_intra_table[i].name;
  return gb_fail(err, GBCAST_EUSAGE,
                 "unknown intra algorithm '%s' for this operation%s; --list shows the names", name,
                 gb_hint(hint, nearest));
}

static int unknown_inter(const char *name, gbcast_error *err) {
  const char *nearest = NULL;
  char hint[GB_HINT_TEXT];
  unsigned best = GB_FAR;
  for (size_t i = 0; i < gb_inter_count; i++)
    if (gb_nearer(name, strlen(name), gb_inter_table[i].name, &best))
      nearest = gb_inter_table[i].name;
  return gb_fail(err, GBCAST_EUSAGE, "unknown inter algorithm '%s'%s; --list shows the names", name,
                 gb_hint(hint, nearest));
}

/* Reads one "NAME" or "NAME,CLUSTER" of the list; `word` is cut at the comma. */
static int read_intra(gb_planner *pl, char *word, gb_limits *limits, gbcast_error *err) {
  char *cluster = strchr(word, ',');
  if (cluster)
    *cluster++ = '\0';
  size_t index = SIZE_MAX;
  int status = is_auto(word) ? GBCAST_OK : find_intra(pl, word, &index, err);
  if (status != GBCAST_OK)
    return status;
  if (!cluster) {
    limits->intra = index;
    return GBCAST_OK;
  }
  uint32_t c = gb_platform_find_cluster(pl->net.p, cluster);
  if (c == GB_NONE)
    return gb_fail(err, GBCAST_EUSAGE, "--intra=%s,%s: found cluster '%s', expected one of the hosts file",
                   word, cluster, cluster);
  for (uint32_t s = 0; s < pl->plan->site_count; s++)
    if (pl->plan->site[s].cluster == c) {
      pl->forced_intra[s] = index == SIZE_MAX ? INTRA_AUTO : index;
      limits->per_site = true;
    }
  return GBCAST_OK;
}

static int read_intra_list(gb_planner *pl, const char *list, gb_limits *limits, gbcast_error *err) {
  char *copy = strdup(list), *rest = copy;
  if (!copy)
    return gb_no_memory(err);
  int status = GBCAST_OK;
  for (char *word; status == GBCAST_OK && (word = strtok_r(rest, ";", &rest));)
    status = read_intra(pl, word, limits, err);
  free(copy);
  return status;
}

static int read_segment(const gb_planner *pl, const gbcast_request *request, gb_limits *limits,
                        gbcast_error *err) {
  uint64_t total = pl->plan->class_bytes, s = request->segment;
  if (gb_carries_blocks(pl->plan->operation))
    total *= pl->plan->schedule.endpoint_count;
  if (s == 0)
    return GBCAST_OK;
  if (s < total && s < pl->least_measured)
    return gb_fail(err, GBCAST_EUSAGE,
                   "a segment of %llu bytes is below the first measured size of %llu bytes",
                   (unsigned long long)s, (unsigned long long)pl->least_measured);
  if (s > GB_SEGMENT_BYTES_MOST)
    return gb_fail(err, GBCAST_EUSAGE, "found a segment of %llu bytes, expected at most %llu",
                   (unsigned long long)s, (unsigned long long)GB_SEGMENT_BYTES_MOST);
  if (total / s > GB_SEGMENT_COUNT_MOST)
    return gb_fail(err, GBCAST_EUSAGE, "segments of %llu bytes cut %llu bytes into more than %llu pieces",
                   (unsigned long long)s, (unsigned long long)total,
                   (unsigned long long)GB_SEGMENT_COUNT_MOST);
  limits->segment = s < total ? s : total ? total : 1;
  return GBCAST_OK;
}

/* Where some sites have an algorithm of their own, or any, whatever the others use. */
static void free_named_sites(gb_planner *pl, gb_limits *limits) {
  bool any = false;
  for (uint32_t s = 0; limits->per_site && s < pl->plan->site_count; s++)
    any |= pl->forced_intra[s] == INTRA_AUTO;
  for (uint32_t s = 0; any && s < pl->plan->site_count; s++)
    pl->forced_intra[s] = pl->forced_intra[s] == INTRA_AUTO ? SIZE_MAX
                          : pl->forced_intra[s] == SIZE_MAX ? limits->intra
                                                            : pl->forced_intra[s];
  limits->intra = any ? SIZE_MAX : limits->intra;
}

int gb_request_limits(gb_planner *pl, const gbcast_request *request, gb_limits *limits, gbcast_error *err) {
  *limits = (gb_limits){
      .inter = SIZE_MAX, .intra = SIZE_MAX, .within = pl->plan->site_count > 1 ? request->within : 0};
  for (uint32_t s = 0; s < pl->plan->site_count; s++)
    pl->forced_intra[s] = SIZE_MAX;
  if (!is_auto(request->inter)) {
    limits->inter = gb_inter_find(request->inter);
    if (limits->inter == SIZE_MAX)
      return unknown_inter(request->inter, err);
    if (gb_inter_table[limits->inter].bcast_only && gb_carries_blocks(pl->plan->operation))
      return gb_fail(err, GBCAST_EUSAGE,
                     "the inter algorithm '%s' is for a bcast; --list shows what each is for",
                     request->inter);
  }
  int status = request->intra ? read_intra_list(pl, request->intra, limits, err) : GBCAST_OK;
  if (pl->plan->site_count == 1 && limits->per_site) { /* the one site is all sites */
    limits->intra = pl->forced_intra[0] == INTRA_AUTO ? SIZE_MAX : pl->forced_intra[0];
    pl->forced_intra[0] = SIZE_MAX;
    limits->per_site = false;
  }
  free_named_sites(pl, limits);
  for (uint32_t s = 0; s < pl->plan->site_count; s++) {
    size_t forced = pl->forced_intra[s] == SIZE_MAX ? limits->intra : pl->forced_intra[s];
    pl->rendezvous |= forced < gb_intra_count && gb_intra_table[forced].rendezvous;
  }
  if (request->lanes > GBCAST_LANES_MOST)
    return gb_fail(err, GBCAST_EUSAGE, "found %u lanes, expected at most %u", request->lanes,
                   GBCAST_LANES_MOST);
  const bool may = !gb_carries_blocks(pl->plan->operation) && pl->plan->site_count > 1;
  limits->lanes = may ? request->lanes : 1;
  return status == GBCAST_OK ? read_segment(pl, request, limits, err) : status;
}

/* Letter case counts only if the file has several hosts that differ in nothing else. */
static uint32_t find_host(const gbcast_platform *p, const char *name, size_t length) {
  if (length > 2 && name[0] == '[' && name[length - 1] == ']') { /* as in the file */
    name++;
    length -= 2;
  }
  return gb_match_whole(p, name, length);
}

static bool read_number(const char *text, uint64_t *out) {
  *out = 0;
  const char *c = text;
  for (; *c >= '0' && *c <= '9' && *out <= UINT32_MAX; c++)
    *out = 10 * *out + (uint64_t)(*c - '0');
  return c > text && *c == '\0';
}

static bool is_rank(const gb_job *job, uint32_t host, uint64_t k) {
  return host != GB_NONE && k < job->ranks[host];
}

/* The host whose name this is like, or NULL. */
static const gb_host *nearest_host(const gbcast_platform *p, const char *name) {
  const gb_host *nearest = NULL;
  unsigned best = GB_FAR;
  for (uint32_t h = 0; h < p->host_count; h++)
    if (gb_nearer(name, strlen(name), p->host[h].name, &best))
      nearest = &p->host[h];
  return nearest;
}

/* Finds a rank by its number. */
static int find_rank(const gbcast_platform *p, const gbcast_request *request, gb_job *job,
                     gbcast_error *err) {
  const char *root = request->root;
  uint32_t *host = NULL, count = 0;
  uint64_t number = 0;
  int status = gb_numbering(p, job->ranks, request->rank_host, &host, &count, err);
  const bool found = status == GBCAST_OK && read_number(root, &number) && number < count;
  if (status == GBCAST_OK && !found) {
    char hint[GB_HINT_TEXT];
    const gb_host *nearest = nearest_host(p, root);
    status = gb_fail_at(
        err, nearest != NULL ? &nearest->where : &p->host[0].where,
        "found root '%s', expected a host of the file%s, HOST#K for a rank of a host, or the number "
        "of a rank from 0 to %lld",
        root, gb_hint(hint, nearest != NULL ? nearest->name : NULL), (long long)count - 1);
  }
  if (found) {
    job->root_host = host[number];
    for (uint64_t r = 0; r < number; r++)
      job->root_k += host[r] == host[number];
  }
  free(host);
  return status;
}

int gb_request_root(const gbcast_platform *p, const gbcast_request *request, gb_job *job, gbcast_error *err) {
  const char *root = request->root;
  job->root_host = job->root_k = 0;
  if (!root && gb_way_of(request->operation) == GB_WAY_BOTH) {
    job->root_host = GB_NONE;
    return GBCAST_OK;
  }
  if (!root) {
    while (job->root_host + 1 < p->host_count && job->ranks[job->root_host] == 0)
      job->root_host++; /* a job without ranks is reported later */
    return GBCAST_OK;
  }
  uint32_t host = find_host(p, root, strlen(root));
  uint64_t k = 0;
  const char *hash = strrchr(root, '#');
  if (host == GB_NONE && hash && read_number(hash + 1, &k))
    host = find_host(p, root, (size_t)(hash - root));
  if (host == GB_NONE)
    return find_rank(p, request, job, err);
  if (!is_rank(job, host, k))
    return gb_fail_at(err, &p->host[host].where, "found root '%s', expected a host of the job%s", root,
                      job->ranks[host] > 0 ? ", and one of its ranks" : "");
  job->root_host = host;
  job->root_k = (uint32_t)k;
  return GBCAST_OK;
}
