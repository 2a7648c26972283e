/* A broadcast or scatter as an SVG image: the tree over sites, and below it the time lines. */
#include "plan/show/critical.h"
#include "plan/show/svg_site_tree.h"

#include <stdlib.h>

static void draw_legend(gb_svg *svg, const gbcast_plan *plan) {
  static const gb_legend between = {"wan", "between sites (WAN)"}, inside = {"lan", "inside a site (LAN)"},
                         ranks = {"node", "between ranks of a host"},
                         path = {"key crit", "critical path: the sends that decide when all is done"};
  gb_legend legend[5] = {{NULL, NULL}};
  size_t count = 0;
  bool lan = false;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    lan = lan || plan->site[s].hosts > 1;
  }
  if (plan->site_count > 1) {
    legend[count++] = between;
  }
  if (lan) {
    legend[count++] = inside;
  }
  if (gb_plan_has_nodes(plan)) {
    legend[count++] = ranks;
  }
  if (count > 0) {
    legend[count] = path;
    gb_svg_legend(svg, legend);
  }
}

static void print_head(const gbcast_plan *plan, FILE *out) {
  gb_print_head(plan, out);
  gb_print_cost(plan, out);
}

static int draw_trees(gb_svg *svg, const gbcast_plan *plan, uint32_t *order, bool *critical) {
  static const gb_aggregate_limits limits = {64, 128, GB_SITES_IN_TABLE};
  gb_aggregate aggregate = {0};
  gb_bars bars = {0};
  (void)gb_critical_path(plan, critical);
  int rc = gb_svg_lines(svg, plan, print_head);
  draw_legend(svg, plan);
  if (rc == GBCAST_OK) {
    rc = gb_sites_in_order(plan, order);
  }
  if (rc == GBCAST_OK) {
    rc = gb_aggregate_new(plan, order, limits, &aggregate);
  }
  if (rc == GBCAST_OK) {
    rc = gb_bars_new(plan, &aggregate, critical, &bars);
  }
  if (rc == GBCAST_OK && aggregate.to >= GB_AGGREGATE_SITES) {
    rc = gb_svg_overview(svg, plan, &aggregate, &bars, critical);
  } else if (rc == GBCAST_OK) {
    rc = gb_svg_sites(svg, plan, critical);
    rc = rc == GBCAST_OK ? gb_svg_rows(svg, plan, &aggregate, &bars) : rc;
  }
  free(bars.bar);
  gb_aggregate_free(&aggregate);
  return rc;
}

#define DESCRIPTION                                                                                          \
  "The tree over sites, and a time line with a row for each host or group of hosts: bars are sends "

int gb_draw(const gbcast_plan *plan, gb_span *span, FILE *out) {
  char title[64];
  gb_svg svg;
  (void)snprintf(title, sizeof title, "%s planned by gbcast", gb_operation_table[plan->operation].title);
  uint32_t *order = malloc(plan->site_count * sizeof *order);
  bool *critical = calloc(plan->schedule.endpoint_count, plan->schedule.tree_count * sizeof *critical);
  int rc = order == NULL || critical == NULL ? GBCAST_EMEMORY : gb_svg_begin(&svg, span);
  if (rc == GBCAST_OK) {
    rc = gb_svg_end(&svg, draw_trees(&svg, plan, order, critical), title,
                    gb_plan_goes_up(plan) ? DESCRIPTION "from it, from their first byte to their last."
                                          : DESCRIPTION "to it, from their first byte to their last.",
                    out);
  }
  free(critical);
  free(order);
  return rc;
}

int gb_print_svg(const gbcast_plan *plan, FILE *out) {
  return gb_draw(plan, NULL, out);
}
