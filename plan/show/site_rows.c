/* The tree over sites as a list. */
#include "plan/show/site_rows.h"

#include "platform/cost/cost.h"

#include <stdlib.h>

typedef struct listing {
  const gbcast_plan *plan;
  gb_site_row *rows;
  uint32_t count;            /* of the rows that there are */
  uint32_t *site_of, *order; /* by endpoint; scratch for as many */
  uint32_t *row_of;          /* by site; GB_NONE: it has none yet */
} listing;

static void add_row(listing *l, gb_site_row row) {
  l->row_of[row.site] = l->count;
  l->rows[l->count++] = row;
}

/* Adds rows for the sites of a tree that have none yet. */
static void add_rows(listing *l, const gb_tree *tree) {
  const uint32_t reached = gb_tree_order(tree, l->plan->schedule.root, l->order);
  uint32_t order = 0;
  for (uint32_t i = 1; i < reached; i++) {
    const uint32_t to = l->order[i], from = tree->parent[to], site = l->site_of[to];
    order = from == tree->parent[l->order[i - 1]] ? order + 1 : 1;
    if (l->row_of[site] == GB_NONE)
      add_row(
          l,
          (gb_site_row){
              .site = site, .from = from, .to = to, .order = order, .feeder = l->row_of[l->site_of[from]]});
  }
}

/* The sites of one tree, and behind them relays that only others have. */
static void rows_in_order(listing *l, uint32_t tree) {
  const gb_schedule *schedule = &l->plan->schedule;
  gb_sites_of(l->plan, l->site_of);
  for (uint32_t s = 0; s < l->plan->site_count; s++)
    l->row_of[s] = GB_NONE;
  add_row(
      l, (gb_site_row){.site = l->plan->root_site, .from = GB_NONE, .to = schedule->root, .feeder = GB_NONE});
  add_rows(l, &schedule->tree[tree]);
  for (uint32_t t = 0; t < schedule->tree_count && l->count < l->plan->site_count; t++)
    add_rows(l, &schedule->tree[t]);
}

/* Of what goes up: when the site's leaders begin to send, and when all has come from them. */
static void fill_times_up(const gbcast_plan *plan, gb_site_row *row) {
  row->done = row->from == GB_NONE ? plan->predicted : 0;
  for (uint32_t t = 0; row->from != GB_NONE && t < plan->schedule.tree_count; t++) {
    const gb_tree *tree = &plan->schedule.tree[t];
    const uint32_t leader = plan->lanes > 1 ? gb_plan_leader(plan, row->site, t) : row->to;
    row->arrival = t == 0 ? tree->start[leader] : gb_smaller(row->arrival, tree->start[leader]);
    row->done = gb_larger(row->done, tree->arrival[leader]);
  }
}

static void fill_times(const gbcast_plan *plan, gb_site_row *rows) {
  for (uint32_t r = 0; r < plan->site_count; r++) {
    const gb_site *site = &plan->site[rows[r].site];
    if (gb_plan_goes_up(plan)) {
      fill_times_up(plan, &rows[r]);
      continue;
    }
    for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
      const double *arrival = plan->schedule.tree[t].arrival;
      const uint32_t fed = plan->lanes > 1 ? gb_plan_leader(plan, rows[r].site, t) : rows[r].to;
      if (rows[r].to != plan->schedule.root)
        rows[r].arrival = gb_larger(rows[r].arrival, arrival[fed]);
      for (uint32_t e = site->first_endpoint; e < site->first_endpoint + site->endpoint_count; e++)
        if (e != plan->schedule.root)
          rows[r].done = gb_larger(rows[r].done, arrival[e]);
    }
  }
}

int gb_site_rows(const gbcast_plan *plan, uint32_t tree, gb_site_row *rows) {
  const size_t endpoints = plan->schedule.endpoint_count;
  uint32_t *scratch = malloc((2 * endpoints + plan->site_count) * sizeof *scratch);
  if (scratch == NULL)
    return GBCAST_EMEMORY;
  listing l = {.plan = plan,
               .rows = rows,
               .site_of = scratch,
               .order = scratch + endpoints,
               .row_of = scratch + 2 * endpoints};
  rows_in_order(&l, tree);
  free(scratch);
  fill_times(plan, rows);
  return GBCAST_OK;
}

void gb_site_row_link(const gbcast_plan *plan, const gb_site_row *row, gb_text *latency, gb_text *bandwidth) {
  gb_route route = {0};
  const uint32_t from = plan->schedule.endpoint[row->from].host, to = plan->schedule.endpoint[row->to].host;
  *latency = *bandwidth = (gb_text){"?"};
  if (gb_route_between(plan->platform, from, to, NULL, &route, NULL) == GBCAST_OK) {
    *latency = gb_text_seconds(route.latency);
    *bandwidth = gb_text_rate(route.narrowest);
  }
  gb_route_release(&route);
}

uint32_t *gb_sites_in_order(const gbcast_plan *plan) {
  gb_site_row *rows = calloc(plan->site_count, sizeof *rows);
  uint32_t *order = malloc(plan->site_count * sizeof *order);
  if (rows == NULL || order == NULL || gb_site_rows(plan, 0, rows) != GBCAST_OK) {
    free(order);
    order = NULL;
  }
  for (uint32_t i = 0; order != NULL && i < plan->site_count; i++)
    order[i] = rows[i].site;
  free(rows);
  return order;
}
