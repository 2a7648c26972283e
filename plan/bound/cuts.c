/* A bound of an all-to-all between sites: whatever path a block takes, it crosses each cut between its site
 * and its destination, and the last one arrives a latency later.
 *
 *        S | rest                ranks in S * ranks in the rest * block
 *     a  --|--> c           T >= -------------------------------------- + least latency over the cut    [s]
 *     b  --|--> d                what the links over the cut carry
 *
 * and the same with what the sites of S may send, or those of the rest take in, by their wan-bandwidth. Cuts
 * are those around each site, and, where there are few links, those through one link that is the only path.
 */
#include "plan/bound/bound.h"
#include "plan/bound/limits.h"
#include "platform/cost/cost.h"
#include <math.h>
#include <stdlib.h>

#define FEW_LINKS 512u /* the time is quadratic in them */

typedef struct gb_cut {
  const gbcast_platform *p;
  double *ranks; /* by cluster */
  bool *inside;  /* by cluster */
  double block;  /* bytes */
} gb_cut;

/* From inside to outside, or in the other direction. */
static double time_over(const gb_cut *cut, bool outwards) {
  const gbcast_platform *p = cut->p;
  double rate = 0, sites_out = 0, sites_in = 0, from = 0, to = 0, latency = INFINITY;
  uint32_t senders = 0;
  for (uint32_t c = 0; c < p->cluster_count; c++) {
    const bool sends = cut->inside[c] == outwards;
    senders += sends;
    *(sends ? &from : &to) += cut->ranks[c];
    *(sends ? &sites_out : &sites_in) += gb_bound_site_capacity(p, c);
  }
  for (uint32_t i = 0; i < p->link_count; i++) {
    const gb_link *link = &p->link[i];
    if (cut->inside[link->from] != outwards || cut->inside[link->to] == outwards)
      continue;
    rate += gb_bound_link_capacity(link);
    latency = gb_smaller(latency, gb_bound_link_latency(link));
  }
  if (p->assumed_mesh) {
    rate = (double)senders * (p->cluster_count - senders) * p->assumed.bandwidth;
    latency = p->assumed.latency;
  }
  rate = gb_smaller(rate, gb_smaller(sites_out, sites_in));
  return from * to > 0 && rate > 0 ? from * to * cut->block / rate + latency : 0;
}

static double longest(const gb_cut *cut, double bound) {
  const double out = time_over(cut, true), in = time_over(cut, false);
  bound = out > bound ? out : bound;
  return in > bound ? in : bound;
}

/* What is reached from one end of a link without the link: inside. Whether the other end is not. */
static bool parts(const gb_cut *cut, const gb_link *without) {
  const gbcast_platform *p = cut->p;
  for (uint32_t c = 0; c < p->cluster_count; c++)
    cut->inside[c] = c == without->from;
  for (bool more = true; more && !cut->inside[without->to];) {
    more = false;
    for (uint32_t i = 0; i < p->link_count; i++) {
      const gb_link *link = &p->link[i];
      const bool same = (link->from == without->from && link->to == without->to) ||
                        (link->from == without->to && link->to == without->from);
      if (same || cut->inside[link->from] == cut->inside[link->to])
        continue;
      cut->inside[link->from] = cut->inside[link->to] = more = true;
    }
  }
  return !cut->inside[without->to];
}

static double over_all(const gb_cut *cut, const gbcast_plan *plan) {
  const gbcast_platform *p = cut->p;
  double bound = 0;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    for (uint32_t c = 0; c < p->cluster_count; c++)
      cut->inside[c] = c == plan->site[s].cluster;
    bound = longest(cut, bound);
  }
  for (uint32_t i = 0; p->link_count <= FEW_LINKS && i < p->link_count; i++)
    if (parts(cut, &p->link[i]))
      bound = longest(cut, bound);
  return bound;
}

int gb_bound_cuts(const gbcast_plan *plan, uint64_t block, double *bound, gbcast_error *err) {
  const gbcast_platform *p = plan->platform;
  gb_cut cut = {.p = p,
                .ranks = calloc(p->cluster_count, sizeof *cut.ranks),
                .inside = calloc(p->cluster_count, sizeof *cut.inside),
                .block = (double)block};
  const bool enough = cut.ranks != NULL && cut.inside != NULL;
  *bound = 0;
  for (uint32_t s = 0; enough && s < plan->site_count; s++)
    cut.ranks[plan->site[s].cluster] += plan->site[s].endpoint_count;
  if (enough && block > 0)
    *bound = over_all(&cut, plan);
  free(cut.ranks);
  free(cut.inside);
  return enough ? GBCAST_OK : gb_no_memory(err);
}
