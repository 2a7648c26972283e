/* The tree over sites as a list. */
#include "plan/show/site_rows.h"

#include "platform/cost/cost.h"

#include <stdlib.h>

/* The site has its row: its endpoints are not looked at again. */
static void take_off(const gb_site *site, uint32_t *site_of) {
  for (uint32_t i = 0; i < site->endpoint_count; i++) {
    site_of[site->first_endpoint + i] = GB_NONE;
  }
}

/* Adds rows for the sites that have none yet; site_of and queue: endpoint_count each. Returns how many there
 * are now. */
static uint32_t add_rows(const gbcast_plan *plan, const gb_tree *tree, gb_site_row *rows, uint32_t count,
                         uint32_t *site_of, uint32_t *queue) {
  uint32_t tail = 0;
  queue[tail++] = plan->schedule.root;
  for (uint32_t head = 0; head < tail; head++) {
    uint32_t from = queue[head];
    for (uint32_t i = tree->child_start[from];
         i < tree->child_start[from + 1] && tail < plan->schedule.endpoint_count; i++) {
      uint32_t to = tree->child[i], site = site_of[to];
      queue[tail++] = to;
      if (site != GB_NONE) {
        rows[count++] =
            (gb_site_row){.site = site, .from = from, .to = to, .order = i - tree->child_start[from] + 1};
        take_off(&plan->site[site], site_of);
      }
    }
  }
  return count;
}

/* The sites of one tree, and behind them relays that only others have. */
static void rows_in_order(const gbcast_plan *plan, uint32_t tree, gb_site_row *rows, uint32_t *site_of,
                          uint32_t *queue) {
  uint32_t count = 0;
  gb_sites_of(plan, site_of);
  rows[count++] = (gb_site_row){.site = plan->root_site, .from = GB_NONE, .to = plan->schedule.root};
  take_off(&plan->site[plan->root_site], site_of);
  count = add_rows(plan, &plan->schedule.tree[tree], rows, count, site_of, queue);
  for (uint32_t t = 0; t < plan->schedule.tree_count && count < plan->site_count; t++)
    count = add_rows(plan, &plan->schedule.tree[t], rows, count, site_of, queue);
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
      if (rows[r].to != plan->schedule.root && arrival[fed] > rows[r].arrival) {
        rows[r].arrival = arrival[fed];
      }
      for (uint32_t i = 0; i < site->endpoint_count; i++) {
        uint32_t e = site->first_endpoint + i;
        if (e != plan->schedule.root && arrival[e] > rows[r].done) {
          rows[r].done = arrival[e];
        }
      }
    }
  }
}

int gb_site_rows(const gbcast_plan *plan, uint32_t tree, gb_site_row *rows) {
  uint32_t *scratch = calloc(plan->schedule.endpoint_count, 2 * sizeof *scratch);
  if (scratch == NULL) {
    return GBCAST_EMEMORY;
  }
  rows_in_order(plan, tree, rows, scratch, scratch + plan->schedule.endpoint_count);
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

int gb_sites_in_order(const gbcast_plan *plan, uint32_t *order) {
  gb_site_row *rows = calloc(plan->site_count, sizeof *rows);
  const int rc = rows == NULL ? GBCAST_EMEMORY : gb_site_rows(plan, 0, rows);
  for (uint32_t i = 0; rc == GBCAST_OK && i < plan->site_count; i++) {
    order[i] = rows[i].site;
  }
  free(rows);
  return rc;
}
