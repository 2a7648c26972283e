/* A plan as an SVG image: of a broadcast or scatter the tree over sites, and below it the time lines. */
#include "plan/show/critical.h"
#include "plan/show/svg_site_tree.h"

#include <stdlib.h>

static void draw_legend(gb_svg *svg, const gbcast_plan *plan) {
  const bool wan = plan->site_count > 1, node = gb_plan_has_nodes(plan);
  bool lan = false;
  for (uint32_t s = 0; s < plan->site_count; s++)
    lan = lan || plan->site[s].hosts > 1;
  const gb_legend legend[] = {{"wan", wan ? "between sites (WAN)" : NULL},
                              {"lan", lan ? "inside a site (LAN)" : NULL},
                              {"node", node ? "between ranks of a host" : NULL},
                              {"key crit", "critical path: the sends that decide when all is done"},
                              {NULL, NULL}};
  if (wan || lan || node)
    gb_svg_legend(svg, legend);
}

static void print_head(const gbcast_plan *plan, FILE *out) {
  gb_print_head(plan, out);
  gb_print_cost(plan, out);
}

static int draw_trees(gb_svg *svg, const gbcast_plan *plan) {
  static const gb_aggregate_limits limits = {64, 128, GB_SITES_IN_TABLE};
  gb_aggregate aggregate = {0};
  gb_bars bars = {0};
  bool *critical = gb_critical_new(plan);
  uint32_t *order = gb_sites_in_order(plan);
  int rc = critical == NULL || order == NULL ? GBCAST_EMEMORY : gb_svg_lines(svg, plan, print_head);
  draw_legend(svg, plan);
  if (rc == GBCAST_OK)
    rc = gb_aggregate_new(plan, order, limits, &aggregate);
  if (rc == GBCAST_OK)
    rc = gb_bars_new(plan, &aggregate, critical, &bars);
  if (rc == GBCAST_OK && aggregate.to >= GB_AGGREGATE_SITES) {
    rc = gb_svg_overview(svg, plan, &aggregate, &bars, critical);
  } else if (rc == GBCAST_OK) {
    rc = gb_svg_sites(svg, plan, critical);
    rc = rc == GBCAST_OK ? gb_svg_rows(svg, plan, &aggregate, &bars) : rc;
  }
  free(bars.bar);
  gb_aggregate_free(&aggregate);
  free(order);
  free(critical);
  return rc;
}

static int draw_exchange(gb_svg *svg, const gbcast_plan *plan) {
  const gb_alltoall *a = plan->alltoall;
  int rc = gb_svg_lines(svg, plan, gb_print_head);
  if (rc != GBCAST_OK)
    return rc;
  if (plan->predicted <= 0 || plan->schedule.endpoint_count == 1) {
    svg->y += 30;
    gb_svg_text(svg, GB_SVG_LEFT, svg->y, "b", "There is one rank: nothing is sent.");
    return GBCAST_OK;
  }
  const bool phases = a->site_count == 1 && gb_sync_in_phases(a->sync.sync) && !plan->native;
  if (phases && a->site->phases.count > 0)
    return gb_svg_phases(svg, plan);
  /* What MPI's own all-to-all does is not known in detail. */
  rc = gb_svg_transfers(svg, plan);
  return rc == GBCAST_OK && a->site_count == 1 && !plan->native ? gb_svg_matrix(svg, plan) : rc;
}

#define TREES                                                                                                \
  "The tree over sites, and a time line with a row for each host or group of hosts: bars are sends "

int gb_draw(const gbcast_plan *plan, gb_span *span, FILE *out) {
  static const char exchange[] = "A time line of what each host or cluster sends; or who sends to whom.",
                    down[] = TREES "to it, from their first byte to their last.",
                    up[] = TREES "from it, from their first byte to their last.";
  char title[64];
  gb_svg svg;
  int rc = gb_svg_begin(&svg, span);
  if (rc != GBCAST_OK)
    return rc;
  (void)snprintf(title, sizeof title, "%s planned by gbcast", gb_operation_table[plan->operation].title);
  if (plan->alltoall != NULL)
    return gb_svg_end(&svg, draw_exchange(&svg, plan), title, exchange, out);
  return gb_svg_end(&svg, draw_trees(&svg, plan), title, gb_plan_goes_up(plan) ? up : down, out);
}

int gb_print_svg(const gbcast_plan *plan, FILE *out) {
  return gb_draw(plan, NULL, out);
}
