/* What no broadcast costs less than, in USD:
 *
 *   bytes * the cheapest tree over the sites + price of the hosts with ranks for a second * lower bound of
 * the time
 *
 * Each byte goes down some tree over the sites, which costs no less than the cheapest (inter/steiner.c), and
 * hosts with ranks are hired for no less than the least time. */
#include "inter/inter.h"
#include "plan/search/search.h"
#include <math.h>
#include <stdlib.h>

int gb_cost_bound(const gbcast_plan *plan, const double *price, double *usd, gbcast_error *err) {
  const uint32_t n = plan->site_count;
  *usd = NAN;
  if (price == NULL || plan->operation != GBCAST_BCAST)
    return GBCAST_OK;
  double hire = 0, tree = 0;
  uint32_t *parent = malloc(n * sizeof *parent);
  bool *relay = malloc(n * sizeof *relay);
  int status = parent && relay ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t s = 0; status == GBCAST_OK && s < n; s++) {
    const gb_site *site = &plan->site[s];
    relay[s] = site->relay;
    hire += site->relay ? 0 : site->hosts * plan->given->cluster[site->cluster].hire;
  }
  if (status == GBCAST_OK)
    status = gb_inter_steiner(n, plan->root_site, relay, price, parent, &tree, err);
  if (status == GBCAST_OK)
    *usd = (double)plan->bytes * tree + hire * plan->bound;
  free(parent);
  free(relay);
  return status;
}
