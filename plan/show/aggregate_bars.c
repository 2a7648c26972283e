/* What is sent to the rows of a picture, and when. */
#include "plan/show/aggregate.h"
#include "plan/show/print.h"

#include <inttypes.h>
#include <stdlib.h>

gb_bar gb_bar_of(const gbcast_plan *plan, const bool *critical, uint32_t tree, uint32_t to) {
  const gb_tree *its = &plan->schedule.tree[tree];
  const bool on_path = critical[(size_t)tree * plan->schedule.endpoint_count + to];
  return (gb_bar){1, on_path, tree, to, its->start[to], its->arrival[to]};
}

void gb_bar_join(gb_bar *bar, const gb_bar *more) {
  if (bar->sends == 0) {
    *bar = *more;
    return;
  }
  if (more->start < bar->start) {
    bar->tree = more->tree;
    bar->to = more->to;
    bar->start = more->start;
  }
  bar->arrival = more->arrival > bar->arrival ? more->arrival : bar->arrival;
  bar->critical += more->critical;
  bar->sends += more->sends;
}

int gb_bars_new(const gbcast_plan *plan, const gb_aggregate *aggregate, const bool *critical, gb_bars *bars) {
  bars->trees = plan->schedule.tree_count <= GB_TREES_SHOWN && aggregate->to < GB_AGGREGATE_SWITCHES
                    ? plan->schedule.tree_count
                    : 1;
  bars->per_row = GB_LEVELS * bars->trees;
  bars->bar = calloc(aggregate->count, bars->per_row * sizeof *bars->bar);
  if (bars->bar == NULL)
    return GBCAST_EMEMORY;
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    const gb_tree *tree = &plan->schedule.tree[t];
    for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++) {
      if (tree->parent[e] != GB_NONE) {
        const uint32_t slot = gb_plan_level(plan, tree->parent[e], e) * bars->trees + t % bars->trees;
        const gb_bar send = gb_bar_of(plan, critical, t, e);
        gb_bar_join(&bars->bar[(size_t)aggregate->of[e] * bars->per_row + slot], &send);
      }
    }
  }
  return GBCAST_OK;
}

gb_tip gb_bar_tip(const gbcast_plan *plan, const gb_bar *bar, enum gb_level level, bool tree) {
  static const char *const where[] = {[GB_LEVEL_NODE] = "inside the host",
                                      [GB_LEVEL_LAN] = "inside the site",
                                      [GB_LEVEL_WAN] = "between sites"};
  const uint32_t parent = plan->schedule.tree[bar->tree].parent[bar->to];
  const uint32_t from = gb_plan_goes_up(plan) ? bar->to : parent,
                 to = gb_plan_goes_up(plan) ? parent : bar->to;
  const bool one = bar->sends == 1, node = level == GB_LEVEL_NODE;
  gb_tip tip = {""};
  if (one)
    gb_append(tip.s, sizeof tip.s, "%s%s \u2192 %s%s", gb_plan_host_name(plan, from),
              gb_text_rank(plan, from, node).s, gb_plan_host_name(plan, to), gb_text_rank(plan, to, node).s);
  else
    gb_append(tip.s, sizeof tip.s, "%" PRIu32 " sends", bar->sends);
  gb_append(tip.s, sizeof tip.s, " %s", where[level]);
  if (tree)
    gb_append(tip.s, sizeof tip.s, ", tree %" PRIu32, bar->tree + 1);
  gb_append(tip.s, sizeof tip.s, ": %s to %s", gb_text_seconds(bar->start).s,
            gb_text_seconds(bar->arrival).s);
  if (bar->critical > 0)
    gb_append(tip.s, sizeof tip.s, one ? "; on the critical path" : "; %" PRIu32 " on the critical path",
              bar->critical);
  return tip;
}
