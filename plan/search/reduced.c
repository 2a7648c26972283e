/* A large plan is searched on a smaller job: the same sites, each with some of its hosts. Specs are values,
 * so the best ones can be built for all hosts. What differs between them is mostly what happens between
 * sites, where nothing is left out; a site's trees lose a few levels.
 *
 *   site   0 1 2 3 4 5 6 7 8 9 10 11      some   0 . . 3 . . 6 . . 9 . . */
#include "plan/search/reduced.h"
#include <stdlib.h>

#define FEW_RANKS 2048u /* plans with more are reduced to about so many ... */
#define LEAST_HOSTS 4u  /* ... but not to fewer hosts a site */

/* Fills ranks (by host of the platform) with those that stay. */
static void choose_hosts(const gbcast_plan *plan, uint32_t *ranks) {
  const gb_schedule *schedule = &plan->schedule;
  const uint32_t root = schedule->endpoint[schedule->root].host;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    const gb_site *site = &plan->site[s];
    if (site->relay)
      return;
    const uint32_t share = (uint32_t)((uint64_t)FEW_RANKS * site->endpoint_count / schedule->endpoint_count);
    const uint32_t fair =
        site->endpoint_count > site->hosts ? share * site->hosts / site->endpoint_count : share;
    const uint32_t kept = fair > LEAST_HOSTS ? fair : LEAST_HOSTS,
                   step = site->hosts > kept ? site->hosts / kept : 1;
    uint32_t number = 0;
    for (uint32_t i = 0; i < site->endpoint_count; i++) {
      const gb_endpoint e = schedule->endpoint[site->first_endpoint + i];
      number += e.k == 0;
      if ((number - 1) % step == 0 || e.host == root)
        ranks[e.host]++;
    }
  }
}

int gb_reduced_new(gb_planner *pl, gb_reduced *reduced, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  *reduced = (gb_reduced){.pl = pl};
  if (plan->schedule.endpoint_count < 2 * FEW_RANKS)
    return GBCAST_OK;
  uint32_t *ranks = calloc(plan->platform->host_count, sizeof *ranks);
  if (!ranks)
    return gb_no_memory(err);
  choose_hosts(plan, ranks);
  const gb_endpoint root = plan->schedule.endpoint[plan->schedule.root];
  const gb_job job = {.ranks = ranks,
                      .relays = plan->site[plan->site_count - 1].relay,
                      .root_host = root.host,
                      .root_k = root.k};
  reduced->plan = (gbcast_plan){.given = plan->given,
                                .platform = plan->platform,
                                .operation = plan->operation,
                                .bytes = plan->bytes,
                                .class_bytes = plan->class_bytes,
                                .bound = plan->bound};
  int status = gb_layout(&reduced->plan, &job, err);
  if (status == GBCAST_OK)
    status = gb_planner_new(&reduced->small, &reduced->plan, err);
  if (status == GBCAST_OK && pl->edge_price)
    status = gb_planner_count_costs(&reduced->small, err);
  free(ranks);
  if (status != GBCAST_OK)
    return status;
  for (uint32_t s = 0; s < plan->site_count; s++)
    reduced->small.forced_intra[s] = pl->forced_intra[s];
  reduced->small.rendezvous = pl->rendezvous;
  reduced->small.most_trees = pl->most_trees;
  reduced->pl = &reduced->small;
  return GBCAST_OK;
}

void gb_reduced_release(gb_reduced *reduced) {
  if (reduced->plan.site)
    gb_planner_release(&reduced->small);
  free(reduced->plan.schedule.endpoint);
  free(reduced->plan.site);
}
