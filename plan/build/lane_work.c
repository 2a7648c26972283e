/* How much a site's leaders have to send. With several lanes, a host that leads one is an inner host of the
 * other lanes' trees, and there may be more lanes than hosts:
 *
 *   lane 0   0 -> 1 -> 2      each lane has 1/3 of the message: host 0 sends 1/3 to each site that it feeds,
 *   lane 1   1 -> 2 -> 0      and 1/3 + 0 + 1/3 inside its site
 *   lane 2   2 -> 0 -> 1
 *
 * The result is the work of the leader that does most if it feeds one site. */
#include "plan/build/lane_work.h"
#include "plan/build/host_trees.h"
#include <stdlib.h>

typedef struct gb_tally { /* by host of the platform, in messages */
  double *home, *away;
} gb_tally;

/* Adds one of the site's trees, which carries `share` of the message. */
static void count(const gb_planner *pl, const gb_site *site, const uint32_t *parent, uint32_t leader,
                  double share, gb_tally *tally) {
  const gb_endpoint *endpoint = pl->plan->schedule.endpoint + site->first_endpoint;
  for (uint32_t i = 0; i < site->endpoint_count; i++)
    if (parent[i] != GB_NONE && endpoint[parent[i]].host != endpoint[i].host)
      tally->home[endpoint[parent[i]].host] += share;
  tally->away[endpoint[leader].host] += share;
}

static void find_busiest(const gb_planner *pl, const gb_site *site, const gb_tally *tally,
                         gb_lane_work *work) {
  *work = (gb_lane_work){0, 0};
  for (uint32_t i = 0; i < site->endpoint_count; i++) {
    const uint32_t host = pl->plan->schedule.endpoint[site->first_endpoint + i].host;
    if (tally->away[host] > 0 && tally->home[host] + tally->away[host] > work->home + work->away)
      *work = (gb_lane_work){tally->home[host], tally->away[host]};
  }
}

int gb_lane_work_of(gb_planner *pl, uint32_t site, gb_host_choice choice, uint32_t lanes, gb_lane_work *work,
                    gbcast_error *err) {
  const gb_site *its = &pl->plan->site[site];
  const uint32_t trees = lanes * gb_intra_trees(choice.intra);
  gb_tally tally = {calloc(pl->net.p->host_count, sizeof *tally.home),
                    calloc(pl->net.p->host_count, sizeof *tally.away)};
  uint32_t *parent = malloc(its->endpoint_count * sizeof *parent), leader = 0;
  int status = tally.home && tally.away && parent ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t t = 0; status == GBCAST_OK && t < trees; t++) {
    status = gb_host_tree(pl, site, choice, t, lanes, true, parent, &leader, err);
    if (status == GBCAST_OK)
      count(pl, its, parent, leader, 1.0 / trees, &tally);
  }
  if (status == GBCAST_OK)
    find_busiest(pl, its, &tally, work);
  free(tally.home);
  free(tally.away);
  free(parent);
  return status;
}
