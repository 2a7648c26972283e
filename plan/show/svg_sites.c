/* The tree over sites of an image with figures; or the trees, where they differ.
 *
 *   o ottawa
 *   +--o lyon       n0.ottawa  46 ms  200 Mbit/s ...
 *   |  +--o nice    l0.lyon
 *   +--o carleton   n0.ottawa */
#include "plan/show/svg_site_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TREES_DRAWN = 8 };
#define STEP 20.0 /* between lines */

static void draw_title(gb_svg *svg, const gb_site_outline *o) {
  const double x = o->figures;
  gb_svg_text(svg, x + 70, svg->y, "m e", "%s", "latency");
  gb_svg_text(svg, x + 165, svg->y, "m e", "%s", "bandwidth");
  gb_svg_text(svg, x + 225, svg->y, "m e", "%s", "hosts");
  gb_svg_text(svg, x + 285, svg->y, "m e", "%s", "ranks");
  gb_svg_text(svg, x + 305, svg->y, "m", "%s", "inside");
  gb_svg_text(svg, x + 555, svg->y, "m e", "%s", gb_plan_goes_up(o->plan) ? "start" : "arrival");
  gb_svg_text(svg, x + 635, svg->y, "m e", "%s", "done");
}

static void draw_figures(gb_svg *svg, const gb_site_outline *o, const gb_site_row *row, double y) {
  const gbcast_plan *plan = o->plan;
  const gb_site *site = &plan->site[row->site];
  const double x = o->figures;
  if (row->from != GB_NONE) {
    gb_text latency, bandwidth;
    gb_site_row_link(plan, row, &latency, &bandwidth);
    gb_svg_text(svg, x + 70, y, "e", "%s", latency.s);
    gb_svg_text(svg, x + 165, y, "e", "%s", bandwidth.s);
  }
  gb_svg_text(svg, x + 225, y, "e", "%" PRIu32, site->hosts);
  gb_svg_text(svg, x + 285, y, "e", "%" PRIu32, site->endpoint_count);
  gb_svg_text(svg, x + 305, y, "", "%s", site->hosts > 1 ? site->intra : "-");
  gb_svg_text(svg, x + 555, y, "e", "%s", gb_text_seconds(row->arrival).s);
  gb_svg_text(svg, x + 635, y, "e", "%s", gb_text_seconds(row->done).s);
}

/* Whether no tree before connects the sites like this one. parent: by site, of each of those trees. */
static bool is_new(const gb_site_outline *o, uint32_t *parent, uint32_t *count) {
  const uint32_t sites = o->plan->site_count;
  uint32_t *mine = parent + (size_t)*count * sites;
  for (uint32_t i = 0; i < sites; i++) {
    const uint32_t feeder = o->row[i].feeder;
    mine[o->row[i].site] = feeder == GB_NONE ? GB_NONE : o->row[feeder].site;
  }
  for (uint32_t k = 0; k < *count; k++)
    if (memcmp(parent + (size_t)k * sites, mine, sites * sizeof *mine) == 0)
      return false;
  ++*count;
  return true;
}

/* The first tree with all figures of the sites; the others side by side. */
static int draw_all(gb_svg *svg, gb_site_outline *o, const bool *critical, uint32_t *parent) {
  uint32_t kinds = 0, t = 0;
  double top = svg->y, bottom = svg->y, x = GB_SVG_LEFT;
  for (; t < o->plan->schedule.tree_count && kinds < TREES_DRAWN; t++) {
    int rc = gb_site_outline_fill(o, t, critical, x);
    if (rc == GBCAST_OK && !is_new(o, parent, &kinds))
      continue;
    if (rc == GBCAST_OK && o->figures > GB_SVG_RIGHT) {
      rc = gb_site_outline_fill(o, t, critical, GB_SVG_LEFT);
      top = bottom;
    }
    if (rc != GBCAST_OK)
      return rc;
    svg->y = top + 30;
    if (kinds > 1) {
      gb_svg_text(svg, o->x, svg->y, "b", "The sites in tree %" PRIu32, t + 1);
      svg->y += 18;
    } else {
      draw_title(svg, o);
    }
    gb_site_outline_draw(svg, o);
    for (uint32_t i = 0; kinds == 1 && i < o->shown; i++)
      draw_figures(svg, o, &o->row[i], o->item[i].y);
    bottom = gb_larger(svg->y, bottom);
    x = kinds == 1 ? GB_SVG_RIGHT : o->figures + 30;
  }
  svg->y = bottom;
  if (t < o->plan->schedule.tree_count) {
    svg->y += STEP;
    gb_svg_text(svg, GB_SVG_LEFT, svg->y, "m", "\u2026 and further trees (--format=json has every one)");
  }
  return GBCAST_OK;
}

int gb_svg_sites(gb_svg *svg, const gbcast_plan *plan, const bool *critical) {
  if (plan->site_count == 1)
    return GBCAST_OK;
  gb_site_outline o;
  uint32_t *parent = malloc((size_t)(TREES_DRAWN + 1) * plan->site_count * sizeof *parent);
  int rc = gb_site_outline_begin(&o, plan, plan->site_count, STEP);
  if (rc == GBCAST_OK)
    rc = parent == NULL ? GBCAST_EMEMORY : draw_all(svg, &o, critical, parent);
  gb_site_outline_end(&o);
  free(parent);
  return rc;
}
