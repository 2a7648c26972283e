/* An image of a large grid: the tree over sites, and beside each site a bar for what is sent to it from
 * others and one for what is sent inside it. */
#include "plan/show/svg_site_tree.h"

#include <inttypes.h>
#include <stdlib.h>

#define FEW 32u /* sites: their lines are as in small grids */

static void draw_note(gb_svg *svg, const gbcast_plan *plan) {
  svg->y += 26;
  gb_svg_text(
      svg, GB_SVG_LEFT, svg->y, "m",
      "Too many hosts to show: each row is all of a site. A bar lasts from the first byte sent to the last "
      "one there%s",
      plan->schedule.tree_count > 1 ? ", over all trees; the tree over sites is the first one's." : ".");
}

static void draw_figures(gb_svg *svg, const gb_site_outline *o, double y) {
  const char *classes = gb_site_outline_class(o, "s e", "e");
  gb_svg_text(svg, o->figures + 50, y, "m e", "%s", "hosts");
  gb_svg_text(svg, o->figures + 120, y, "m e", "%s", "done");
  for (uint32_t i = 0; i < o->shown; i++) {
    const double line = o->item[i].y;
    gb_svg_text(svg, o->figures + 50, line, classes, "%" PRIu32, o->plan->site[o->row[i].site].hosts);
    gb_svg_text(svg, o->figures + 120, line, classes, "%s", gb_text_seconds(o->row[i].done).s);
  }
}

int gb_svg_overview(gb_svg *svg, const gbcast_plan *plan, const gb_aggregate *aggregate, const gb_bars *bars,
                    const bool *critical) {
  gb_site_outline o;
  const uint32_t shown = aggregate->count - (aggregate->to == GB_AGGREGATE_MORE);
  double *y = calloc(aggregate->count, sizeof *y);
  int rc = gb_site_outline_begin(&o, plan, shown, shown <= FEW ? 20 : 9);
  if (rc == GBCAST_OK)
    rc = y == NULL ? GBCAST_EMEMORY : gb_site_outline_fill(&o, 0, critical, GB_SVG_LEFT);
  if (rc == GBCAST_OK) {
    draw_note(svg, plan);
    svg->y += GB_AXIS_HEIGHT + 2;
    const double title = svg->y;
    gb_site_outline_draw(svg, &o);
    draw_figures(svg, &o, title);
    if (shown < aggregate->count) {
      svg->y += o.step;
      gb_svg_text(svg, GB_SVG_LEFT, svg->y, gb_site_outline_class(&o, "s m", "m"),
                  "%" PRIu32 " further sites, %" PRIu32 " hosts", plan->site_count - shown,
                  aggregate->row[shown].hosts);
      y[shown] = svg->y;
    }
    for (uint32_t row = 0; row < aggregate->count; row++) /* in the order of items */
      y[row] = (row < shown ? o.item[row].y : y[row]) - 4 - o.step / 2;
    gb_svg_bars(svg, plan, aggregate, bars, y, o.step, o.figures + 140);
  }
  gb_site_outline_end(&o);
  free(y);
  return rc;
}
