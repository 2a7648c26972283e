/* The tree over sites of an image. */
#include "plan/show/svg_site_tree.h"

#include <stdlib.h>

enum { CHARACTERS = 24 };
#define INDENT_MOST 200.0
#define STEP_OF_LARGE 16.0 /* between lines of usual letters */

int gb_site_outline_begin(gb_site_outline *o, const gbcast_plan *plan, uint32_t shown, double step) {
  const size_t sites = plan->site_count;
  *o = (gb_site_outline){.plan = plan,
                         .shown = shown < plan->site_count ? shown : plan->site_count,
                         .item = calloc(sites, sizeof *o->item),
                         .row = malloc(sites * sizeof *o->row),
                         .site_of = malloc(plan->schedule.endpoint_count * sizeof *o->site_of),
                         .item_of = malloc(sites * sizeof *o->item_of),
                         .step = step};
  if (o->item == NULL || o->row == NULL || o->site_of == NULL || o->item_of == NULL)
    return GBCAST_EMEMORY;
  gb_sites_of(plan, o->site_of);
  return GBCAST_OK;
}

void gb_site_outline_end(gb_site_outline *o) {
  free(o->item);
  free(o->row);
  free(o->site_of);
  free(o->item_of);
}

/* Marks the sites that get a critical send from the site that feeds them. Trees of several lanes may connect
 * the sites in the same way. */
static void mark_critical(gb_site_outline *o, const bool *critical) {
  const gb_schedule *schedule = &o->plan->schedule;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    for (uint32_t to = 0; to < schedule->endpoint_count; to++)
      if (critical[(size_t)t * schedule->endpoint_count + to]) {
        const uint32_t i = o->item_of[o->site_of[to]], feeder = o->row[i].feeder;
        const uint32_t from = o->item_of[o->site_of[schedule->tree[t].parent[to]]];
        o->item[i].critical |= feeder == from;
      }
}

static double width_of(const gb_site_outline *o, const char *name) {
  const uint32_t characters = gb_character_count(name);
  return (characters < CHARACTERS ? characters : CHARACTERS) * GB_SVG_CHARACTER *
         (o->step < STEP_OF_LARGE ? 0.75 : 1);
}

static double dot_x(const gb_site_outline *o, const gb_site_item *it) {
  return o->x + 6 + it->depth * o->indent;
}

static void set_columns(gb_site_outline *o) {
  uint32_t deepest = 1;
  double from = 6 * GB_SVG_CHARACTER;
  for (uint32_t i = 0; i < o->shown; i++) {
    deepest = o->item[i].depth > deepest ? o->item[i].depth : deepest;
    if (o->row[i].from != GB_NONE)
      from = gb_larger(from, width_of(o, gb_plan_host_name(o->plan, o->row[i].from)));
  }
  o->indent = INDENT_MOST / deepest < 26 ? INDENT_MOST / deepest : 26;
  o->from = 0;
  for (uint32_t i = 0; i < o->shown; i++) {
    const char *name = gb_plan_site_name(o->plan, o->row[i].site);
    o->from = gb_larger(o->from, dot_x(o, &o->item[i]) + 10 + width_of(o, name));
  }
  o->from += 24;
  o->figures = o->from + from;
}

int gb_site_outline_fill(gb_site_outline *o, uint32_t tree, const bool *critical, double x) {
  const int rc = gb_site_rows(o->plan, tree, o->row);
  if (rc != GBCAST_OK)
    return rc;
  for (uint32_t i = 0; i < o->plan->site_count; i++) {
    const uint32_t feeder = o->row[i].feeder;
    o->item[i] = (gb_site_item){.depth = feeder != GB_NONE ? o->item[feeder].depth + 1 : 0};
    o->item_of[o->row[i].site] = i;
  }
  mark_critical(o, critical);
  o->x = x;
  set_columns(o);
  return GBCAST_OK;
}

const char *gb_site_outline_class(const gb_site_outline *o, const char *small, const char *large) {
  return o->step < STEP_OF_LARGE ? small : large;
}

/* From the site that feeds it; critical ones over the others. */
static void draw_edges(gb_svg *svg, const gb_site_outline *o, bool critical) {
  for (uint32_t i = 0; i < o->shown; i++) {
    const gb_site_item *it = &o->item[i];
    if (o->row[i].feeder != GB_NONE && it->critical == critical) {
      const gb_site_item *parent = &o->item[o->row[i].feeder];
      fprintf(svg->out, "<path d=\"M%.1f %.1fV%.1fH%.1f\" class=\"%s\"/>\n", dot_x(o, parent), parent->y - 4,
              it->y - 4, dot_x(o, it), critical ? gb_site_outline_class(o, "crit thin", "crit") : "wan");
    }
  }
}

/* What is fed by a site that is shown is below it. */
static void set_lines(gb_svg *svg, gb_site_outline *o) {
  for (uint32_t i = o->shown; i-- > 1;)
    o->item[o->row[i].feeder].below += 1 + o->item[i].below;
  o->item[0].y = svg->y + o->step;
  for (uint32_t i = 1; i < o->shown; i++) {
    gb_site_item *it = &o->item[i], *parent = &o->item[o->row[i].feeder];
    it->y = parent->y + (1 + parent->taken) * o->step;
    parent->taken += 1 + it->below;
  }
  svg->y += o->shown * o->step;
}

void gb_site_outline_draw(gb_svg *svg, gb_site_outline *o) {
  gb_svg_text(svg, o->x, svg->y, "m", "%s", "site");
  gb_svg_text(svg, o->from, svg->y, "m", "%s", gb_plan_goes_up(o->plan) ? "feeds" : "fed by");
  svg->y += o->step < STEP_OF_LARGE ? STEP_OF_LARGE - o->step : 0;
  set_lines(svg, o);
  draw_edges(svg, o, false);
  draw_edges(svg, o, true);
  for (uint32_t i = 0; i < o->shown; i++) {
    const gb_site_item *it = &o->item[i];
    const char *name = gb_plan_site_name(o->plan, o->row[i].site);
    const bool root = o->row[i].from == GB_NONE;
    gb_svg_dot(svg, dot_x(o, it), it->y - 4, o->step < STEP_OF_LARGE ? 2.5 : 4,
               it->critical ? "crit" : "wan");
    gb_svg_text(svg, dot_x(o, it) + 10, it->y, gb_site_outline_class(o, "n s b", "n b"), "%s",
                gb_short_name(name, CHARACTERS).s);
    gb_svg_text(svg, o->from, it->y,
                root ? gb_site_outline_class(o, "s m", "m") : gb_site_outline_class(o, "n s", "n"), "%s",
                root ? "(root)" : gb_short_name(gb_plan_host_name(o->plan, o->row[i].from), CHARACTERS).s);
  }
}
