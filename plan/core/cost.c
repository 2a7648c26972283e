/* What a plan costs, in USD:
 *
 *   egress   sum over edges between sites of bytes * price of a byte on the way          (egress= of links)
 *   hire     sum over hosts of price of a second * seconds                               (hire= of clusters)
 *
 * Data that all ranks of a site have for those of another go straight there in an all-to-all and where
 * leaders or ranks exchange, so there they are counted by pairs of sites. */
#include "platform/cost/cost.h"
#include "plan/core/core.h"
#include <math.h>
#include <stdlib.h>

void gb_sites_of(const gbcast_plan *plan, uint32_t *site_of) {
  for (uint32_t s = 0; s < plan->site_count; s++)
    for (uint32_t i = 0; i < plan->site[s].endpoint_count; i++)
      site_of[plan->site[s].first_endpoint + i] = s;
}

int gb_plan_prices(const gbcast_plan *plan, double **price, gbcast_error *err) {
  const gbcast_platform *p = plan->given;
  const size_t n = plan->site_count;
  gb_route route = {0};
  *price = NULL;
  if (!p->priced)
    return GBCAST_OK;
  double *usd = calloc(n * n, sizeof *usd);
  uint32_t *row = malloc(p->cluster_count * sizeof *row);
  int status = usd && row ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t a = 0; status == GBCAST_OK && a < n; a++) {
    const uint32_t from = plan->schedule.endpoint[plan->site[a].leader].host;
    status = gb_route_row(p, plan->site[a].cluster, row, NULL, err);
    for (uint32_t b = 0; status == GBCAST_OK && b < n; b++) {
      if (a == b)
        continue;
      status =
          gb_route_between(p, from, plan->schedule.endpoint[plan->site[b].leader].host, row, &route, err);
      usd[a * n + b] = status == GBCAST_OK ? route.egress : 0;
    }
  }
  gb_route_release(&route);
  free(row);
  if (status == GBCAST_OK)
    *price = usd;
  else
    free(usd);
  return status;
}

/* What the edges of a tree cost, each as price[from * sites + to] says. below: how
 * many endpoints are below each edge. */
static double tree_cost(const gbcast_plan *plan, const gb_schedule *schedule, const gb_tree *tree,
                        uint64_t bytes, const uint32_t *site_of, const uint32_t *below, const double *price) {
  const double share = (double)bytes * tree->weight / schedule->weight_total;
  const bool parts = gb_carries_parts(plan->operation), combines = gb_combines(plan->operation);
  const double block = parts ? share / schedule->endpoint_count : share;
  double usd = 0;
  for (uint32_t v = 0; v < schedule->endpoint_count; v++) {
    const uint32_t b = site_of[v], a = tree->parent[v] == GB_NONE ? b : site_of[tree->parent[v]];
    if (a == b)
      continue;
    const bool blocks = gb_carries_blocks(plan->operation);
    const double down = blocks || (parts && combines) ? block * below[v] : share;
    const double up = blocks || (parts && !combines) ? block * below[v] : share;
    if (gb_way_of(plan->operation) != GB_WAY_UP)
      usd += down * price[(size_t)a * plan->site_count + b];
    if (gb_way_of(plan->operation) != GB_WAY_DOWN)
      usd += up * price[(size_t)b * plan->site_count + a];
  }
  return usd;
}

/* Bytes that go from one site straight to another. */
static double straight(const gbcast_plan *plan, double bytes, const gb_site *from, const gb_site *to) {
  const double n = plan->schedule.endpoint_count;
  if (plan->operation == GBCAST_ALLTOALL)
    return bytes * from->endpoint_count * to->endpoint_count;
  if (!gb_carries_parts(plan->operation))
    return bytes;
  return bytes / n * (gb_combines(plan->operation) ? to->endpoint_count : from->endpoint_count);
}

static double exchange_cost(const gbcast_plan *plan, double bytes, const double *price) {
  double usd = 0;
  for (uint32_t a = 0; a < plan->site_count; a++)
    for (uint32_t b = 0; b < plan->site_count; b++)
      if (a != b)
        usd +=
            straight(plan, bytes, &plan->site[a], &plan->site[b]) * price[(size_t)a * plan->site_count + b];
  return usd;
}

static double hire_a_second(const gbcast_plan *plan, const gb_schedule *schedule) {
  double usd = 0;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    const gb_site *site = &plan->site[s];
    if (!site->relay || gb_schedule_has(schedule, site->first_endpoint))
      usd += site->hosts * plan->given->cluster[site->cluster].hire;
  }
  return usd;
}

int gb_plan_cost(const gbcast_plan *plan, const double *price, const gb_schedule *schedule, uint64_t bytes,
                 double seconds, gb_cost_usd *cost, gbcast_error *err) {
  const size_t n = schedule->endpoint_count;
  *cost = (gb_cost_usd){NAN, NAN};
  if (price == NULL)
    return GBCAST_OK;
  *cost = (gb_cost_usd){0, hire_a_second(plan, schedule) * seconds};
  if (plan->operation == GBCAST_ALLTOALL || schedule->exchange != GB_UP_AND_DOWN) {
    cost->egress = exchange_cost(plan, (double)bytes, price);
    return GBCAST_OK;
  }
  uint32_t *site_of = malloc(3 * n * sizeof *site_of);
  if (site_of == NULL)
    return gb_no_memory(err);
  gb_sites_of(plan, site_of);
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    const gb_tree *tree = &schedule->tree[t];
    gb_tree_sizes(tree, schedule->root, schedule->endpoint_count, site_of + 2 * n, site_of + n);
    cost->egress += tree_cost(plan, schedule, tree, bytes, site_of, site_of + n, price);
  }
  free(site_of);
  return GBCAST_OK;
}

int gb_plan_set_cost(gbcast_plan *plan, gbcast_error *err) {
  double *price;
  int status = gb_plan_prices(plan, &price, err);
  if (status == GBCAST_OK)
    status = gb_plan_cost(plan, price, &plan->schedule, plan->bytes, plan->predicted, &plan->cost, err);
  free(price);
  return status;
}
