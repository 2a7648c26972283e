/* What is sent to the rows of a picture, and when. */
#include "plan/show/aggregate.h"
#include "plan/show/print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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
  if (bars->bar == NULL) {
    return GBCAST_EMEMORY;
  }
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    const gb_tree *tree = &plan->schedule.tree[t];
    for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++) {
      if (tree->parent[e] != GB_NONE) {
        const uint32_t slot = gb_plan_level(plan, tree->parent[e], e) * bars->trees + t % bars->trees;
        const gb_bar send = {1,
                             critical[(size_t)t * plan->schedule.endpoint_count + e],
                             t,
                             e,
                             tree->start[e],
                             tree->arrival[e]};
        gb_bar_join(&bars->bar[(size_t)aggregate->of[e] * bars->per_row + slot], &send);
      }
    }
  }
  return GBCAST_OK;
}

__attribute__((format(printf, 2, 3))) static void append(gb_tip *tip, const char *format, ...) {
  const size_t length = strlen(tip->s);
  va_list list;
  va_start(list, format);
  (void)vsnprintf(tip->s + length, sizeof tip->s - length, format, list);
  va_end(list);
}

static void append_rank(gb_tip *tip, const gbcast_plan *plan, uint32_t e, bool numbered) {
  append(tip, "%s", gb_plan_host_name(plan, e));
  if (numbered) {
    append(tip, "#%" PRIu32, plan->schedule.endpoint[e].k);
  }
}

gb_tip gb_bar_tip(const gbcast_plan *plan, const gb_bar *bar, enum gb_level level, bool tree) {
  static const char *const where[] = {[GB_LEVEL_NODE] = "inside the host",
                                      [GB_LEVEL_LAN] = "inside the site",
                                      [GB_LEVEL_WAN] = "between sites"};
  const bool one = bar->sends == 1;
  gb_tip tip = {""};
  if (one) {
    const bool up = gb_plan_goes_up(plan);
    const uint32_t parent = plan->schedule.tree[bar->tree].parent[bar->to];
    append_rank(&tip, plan, up ? bar->to : parent, level == GB_LEVEL_NODE);
    append(&tip, " \u2192 ");
    append_rank(&tip, plan, up ? parent : bar->to, level == GB_LEVEL_NODE);
  } else {
    append(&tip, "%" PRIu32 " sends", bar->sends);
  }
  append(&tip, " %s", where[level]);
  if (tree) {
    append(&tip, ", tree %" PRIu32, bar->tree + 1);
  }
  append(&tip, ": %s", gb_text_seconds(bar->start).s);
  append(&tip, " to %s", gb_text_seconds(bar->arrival).s);
  if (bar->critical > 0 && one) {
    append(&tip, "; on the critical path");
  } else if (bar->critical > 0) {
    append(&tip, "; %" PRIu32 " on the critical path", bar->critical);
  }
  return tip;
}
