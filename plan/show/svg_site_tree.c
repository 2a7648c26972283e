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
                         .rows = malloc(sites * sizeof *o->rows),
                         .site_of = malloc(plan->schedule.endpoint_count * sizeof *o->site_of),
                         .item_of = malloc(sites * sizeof *o->item_of),
                         .step = step};
  if (o->item == NULL || o->rows == NULL || o->site_of == NULL || o->item_of == NULL) {
    return GBCAST_EMEMORY;
  }
  gb_sites_of(plan, o->site_of);
  return GBCAST_OK;
}

void gb_site_outline_end(gb_site_outline *o) {
  free(o->item);
  free(o->rows);
  free(o->site_of);
  free(o->item_of);
}

/* Marks the sites that get a critical send from the site that feeds them. Trees of several lanes may connect
 * the sites in the same way. */
static void mark_critical(gb_site_outline *o, const bool *critical) {
  const gbcast_plan *plan = o->plan;
  for (size_t i = 0; i < (size_t)plan->schedule.tree_count * plan->schedule.endpoint_count; i++) {
    if (critical[i]) {
      const uint32_t to = (uint32_t)(i % plan->schedule.endpoint_count);
      const uint32_t from = plan->schedule.tree[i / plan->schedule.endpoint_count].parent[to];
      gb_site_item *it = &o->item[o->item_of[o->site_of[to]]];
      it->critical |= it->parent != GB_NONE && it->parent == o->item_of[o->site_of[from]];
    }
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
    const gb_site_item *it = &o->item[i];
    deepest = it->depth > deepest ? it->depth : deepest;
    if (it->parent != GB_NONE) {
      from = gb_larger(from, width_of(o, gb_plan_host_name(o->plan, it->row.from)));
    }
  }
  o->indent = INDENT_MOST / deepest < 26 ? INDENT_MOST / deepest : 26;
  o->from = 0;
  for (uint32_t i = 0; i < o->shown; i++) {
    const char *name = gb_plan_site_name(o->plan, o->item[i].row.site);
    o->from = gb_larger(o->from, dot_x(o, &o->item[i]) + 10 + width_of(o, name));
  }
  o->from += 24;
  o->figures = o->from + from;
}

int gb_site_outline_fill(gb_site_outline *o, uint32_t tree, const bool *critical, double x) {
  const gbcast_plan *plan = o->plan;
  const gb_site_row *rows = o->rows;
  const int rc = gb_site_rows(plan, tree, o->rows);
  for (uint32_t i = 0; rc == GBCAST_OK && i < plan->site_count; i++) {
    gb_site_item *it = &o->item[i];
    *it = (gb_site_item){.row = rows[i], .parent = GB_NONE, .first_child = GB_NONE, .next = GB_NONE};
    o->item_of[rows[i].site] = i;
    if (rows[i].from != GB_NONE) {
      it->parent = o->item_of[o->site_of[rows[i].from]];
      gb_site_item *parent = &o->item[it->parent];
      it->depth = parent->depth + 1;
      if (parent->first_child == GB_NONE) {
        parent->first_child = i;
      } else {
        o->item[parent->last_child].next = i;
      }
      parent->last_child = i;
    }
  }
  if (rc != GBCAST_OK) {
    return rc;
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
    if (it->parent != GB_NONE && it->critical == critical) {
      const gb_site_item *parent = &o->item[it->parent];
      fprintf(svg->out, "<path d=\"M%.1f %.1fV%.1fH%.1f\" class=\"%s\"/>\n", dot_x(o, parent), parent->y - 4,
              it->y - 4, dot_x(o, it), critical ? gb_site_outline_class(o, "crit thin", "crit") : "wan");
    }
  }
}

/* What is fed by a site that is shown is below it. */
static void set_lines(gb_svg *svg, gb_site_outline *o) {
  for (uint32_t i = 0; i != GB_NONE;) {
    gb_site_item *it = &o->item[i];
    if (i < o->shown) {
      svg->y += o->step;
      it->y = svg->y;
    }
    uint32_t next = it->first_child;
    for (uint32_t up = i; next == GB_NONE && up != GB_NONE; up = o->item[up].parent) {
      next = o->item[up].next;
    }
    i = next;
  }
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
    const char *name = gb_plan_site_name(o->plan, it->row.site);
    const bool root = it->parent == GB_NONE;
    gb_svg_dot(svg, dot_x(o, it), it->y - 4, o->step < STEP_OF_LARGE ? 2.5 : 4,
               it->critical ? "crit" : "wan");
    gb_svg_text(svg, dot_x(o, it) + 10, it->y, gb_site_outline_class(o, "n s b", "n b"), "%s",
                gb_short_name(name, CHARACTERS).s);
    gb_svg_text(svg, o->from, it->y,
                root ? gb_site_outline_class(o, "s m", "m") : gb_site_outline_class(o, "n s", "n"), "%s",
                root ? "(root)" : gb_short_name(gb_plan_host_name(o->plan, it->row.from), CHARACTERS).s);
  }
}
