/* Decides which pairs are measured at the same time: those that share no link, in either direction.
 *
 *   round 0   a0 - a1          c0 - c1      l0 - l1        inside the sites
 *   round 1   a0 ============= c0                          a site has one pair at a time with another site,
 *   round 2   a0 ========================== l0             whether or not the file says that its uplink
 *   round 3                    c0 ========= l0             is shared
 *
 * Streams that must run at the same time, to show what a link carries in all, are a set; a set is in one
 * round. First fit: each pair or set gets the earliest round in which everything on its routes is free. */
#include "platform/cost/cost.h"
#include "probe/analysis.h"

#include <stdlib.h>

typedef struct scheduler {
  const gbcast_platform *p;
  uint64_t links;  /* resources of the platform; resources for the sites and then the machines follow them */
  uint32_t *taken; /* for each resource: the last round that uses it, from 1; 0: none does */
  gb_route there, back;
} scheduler;

static int set_routes(scheduler *s, const gb_probe_ends *t, gbcast_error *err) {
  s->there.hop_count = s->back.hop_count = 0;
  if (t->host[0] == t->host[1]) /* two ranks of one host */
    return GBCAST_OK;
  int status = gb_route_between(s->p, t->host[0], t->host[1], NULL, &s->there, err);
  return status != GBCAST_OK ? status : gb_route_between(s->p, t->host[1], t->host[0], NULL, &s->back, err);
}

/* Sets *resource to the i-th resource that the pair needs for itself; false past the last. */
static bool need(const scheduler *s, const gb_probe_ends *t, uint32_t i, uint64_t *resource) {
  uint32_t hops = s->there.hop_count + s->back.hop_count;
  if (i < hops) {
    *resource =
        i < s->there.hop_count ? s->there.hop[i].resource : s->back.hop[i - s->there.hop_count].resource;
    return true;
  }
  i -= hops;
  if (i < 2) {
    *resource = s->links + s->p->cluster_count + t->machine[i];
    return true;
  }
  i -= 2;
  uint32_t site[2] = {s->p->host[t->host[0]].cluster, s->p->host[t->host[1]].cluster};
  if (i < 2 && site[0] != site[1]) {
    *resource = s->links + site[i];
    return true;
  }
  return false;
}

/* Returns how many entries from the first on are of its set: they share what they need. */
static uint32_t span_of(const gb_probe_ends *ends, uint32_t count, uint32_t first) {
  uint32_t span = 1;
  while (ends[first].set != GB_NONE && first + span < count && ends[first + span].set == ends[first].set)
    span++;
  return span;
}

/* Reserves in this round what the `span` entries need. *fits: all of it was free; if not, nothing is
 * reserved. */
static int take(scheduler *s, const gb_probe_ends *t, uint32_t span, uint32_t round, bool *fits,
                gbcast_error *err) {
  uint64_t resource;
  int status = GBCAST_OK;
  *fits = true;
  for (int taking = 0; taking < 2 && *fits; taking++)
    for (uint32_t k = 0; k < span && status == GBCAST_OK; k++) {
      status = set_routes(s, &t[k], err);
      for (uint32_t i = 0; status == GBCAST_OK && need(s, &t[k], i, &resource); i++) {
        *fits = *fits && (taking == 1 || s->taken[resource] != round + 1);
        if (taking == 1)
          s->taken[resource] = round + 1;
      }
    }
  return status;
}

int gb_probe_rounds(const gbcast_platform *p, uint32_t machines, gb_probe_ends *ends, uint32_t count,
                    uint32_t *rounds, gbcast_error *err) {
  scheduler s = {.p = p, .links = gb_resource_count(p)};
  s.taken = calloc(s.links + p->cluster_count + machines, sizeof *s.taken);
  int status = s.taken == NULL ? gb_no_memory(err) : GBCAST_OK;
  for (uint32_t i = 0; i < count; i++)
    ends[i].round = GB_NONE;
  uint32_t left = count, round = 0;
  for (; status == GBCAST_OK && left > 0; round++)
    for (uint32_t i = 0, span = 0; status == GBCAST_OK && i < count; i += span) {
      bool fits = false;
      span = span_of(ends, count, i);
      if (ends[i].round != GB_NONE)
        continue;
      status = take(&s, &ends[i], span, round, &fits, err);
      for (uint32_t k = 0; status == GBCAST_OK && fits && k < span; k++) {
        ends[i + k].round = round;
        left--;
      }
    }
  free(s.taken);
  gb_route_release(&s.there);
  gb_route_release(&s.back);
  *rounds = round;
  return status;
}
