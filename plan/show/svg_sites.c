/* The tree over sites of an image, or the trees, where they differ: a line for each site, below the one that
 * feeds it.
 *
 *   o ottawa
 *   +--o lyon       n0.ottawa  46 ms  200 Mbit/s ...
 *   |  +--o nice    l0.lyon
 *   +--o carleton   n0.ottawa */
#include "plan/show/svg_site_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TREES_DRAWN = 8, SITES_DRAWN = 60, CHARACTERS = 24 };
#define STEP 20.0 /* between lines */
#define INDENT_MOST 200.0

static uint32_t at_most(uint32_t characters) {
  return characters < CHARACTERS ? characters : CHARACTERS;
}

static void set_columns(gb_site_outline *o) {
  uint32_t deepest = 1, from = 6;
  for (uint32_t i = 0; i < o->plan->site_count; i++) {
    if (o->item[i].drawn) {
      deepest = o->item[i].depth > deepest ? o->item[i].depth : deepest;
      const uint32_t characters =
          o->item[i].parent == GB_NONE
              ? 0
              : at_most(gb_character_count(gb_plan_host_name(o->plan, o->item[i].row.from)));
      from = characters > from ? characters : from;
    }
  }
  o->indent = INDENT_MOST / deepest < 26 ? INDENT_MOST / deepest : 26;
  o->from = 0;
  for (uint32_t i = 0; i < o->plan->site_count; i++) {
    if (o->item[i].drawn) {
      const uint32_t characters =
          at_most(gb_character_count(gb_plan_site_name(o->plan, o->item[i].row.site)));
      const double end = o->x + 6 + o->item[i].depth * o->indent + 10 + GB_SVG_CHARACTER * characters;
      o->from = end > o->from ? end : o->from;
    }
  }
  o->from += 24;
  o->figures = o->from + from * GB_SVG_CHARACTER;
}

static void move_columns(gb_site_outline *o, double by) {
  o->x += by;
  o->from += by;
  o->figures += by;
}

static void draw_title(gb_svg *svg, const gb_site_outline *o, bool first) {
  const double x = o->figures;
  gb_svg_text(svg, o->x, svg->y, "m", "%s", "site");
  gb_svg_text(svg, o->from, svg->y, "m", "%s", gb_plan_goes_up(o->plan) ? "feeds" : "fed by");
  if (first) {
    gb_svg_text(svg, x + 70, svg->y, "m e", "%s", "latency");
    gb_svg_text(svg, x + 165, svg->y, "m e", "%s", "bandwidth");
    gb_svg_text(svg, x + 225, svg->y, "m e", "%s", "hosts");
    gb_svg_text(svg, x + 285, svg->y, "m e", "%s", "ranks");
    gb_svg_text(svg, x + 305, svg->y, "m", "%s", "inside");
    gb_svg_text(svg, x + 555, svg->y, "m e", "%s", gb_plan_goes_up(o->plan) ? "start" : "arrival");
    gb_svg_text(svg, x + 635, svg->y, "m e", "%s", "done");
  }
}

static void draw_figures(gb_svg *svg, const gb_site_outline *o, const gb_site_item *it) {
  const gbcast_plan *plan = o->plan;
  const gb_site *site = &plan->site[it->row.site];
  const double x = o->figures;
  if (it->parent != GB_NONE) {
    gb_text latency, bandwidth;
    gb_site_row_link(plan, &it->row, &latency, &bandwidth);
    gb_svg_text(svg, x + 70, it->y, "e", "%s", latency.s);
    gb_svg_text(svg, x + 165, it->y, "e", "%s", bandwidth.s);
  }
  gb_svg_text(svg, x + 225, it->y, "e", "%" PRIu32, site->hosts);
  gb_svg_text(svg, x + 285, it->y, "e", "%" PRIu32, site->endpoint_count);
  gb_svg_text(svg, x + 305, it->y, "", "%s", site->hosts > 1 ? site->intra : "-");
  gb_svg_text(svg, x + 555, it->y, "e", "%s", gb_text_seconds(it->row.arrival).s);
  gb_svg_text(svg, x + 635, it->y, "e", "%s", gb_text_seconds(it->row.done).s);
}

static double dot_x(const gb_site_outline *o, const gb_site_item *it) {
  return o->x + 6 + it->depth * o->indent;
}

/* From the site that feeds it; critical ones over the others. */
static void draw_edges(gb_svg *svg, const gb_site_outline *o, bool critical) {
  for (uint32_t i = 0; i < o->plan->site_count; i++) {
    const gb_site_item *it = &o->item[i];
    if (it->y > 0 && it->parent != GB_NONE && it->critical == critical) {
      const gb_site_item *parent = &o->item[it->parent];
      fprintf(svg->out, "<path d=\"M%.1f %.1fV%.1fH%.1f\" class=\"%s\"/>\n", dot_x(o, parent), parent->y - 4,
              it->y - 4, dot_x(o, it), critical ? "crit" : "wan");
    }
  }
}

static void draw_items(gb_svg *svg, gb_site_outline *o, bool first) {
  uint32_t drawn = 0, i = 0;
  while (i != GB_NONE && drawn < SITES_DRAWN) {
    gb_site_item *it = &o->item[i];
    if (it->drawn) {
      svg->y += STEP;
      it->y = svg->y;
      drawn++;
    }
    uint32_t next = it->first_child;
    for (uint32_t up = i; next == GB_NONE && up != GB_NONE; up = o->item[up].parent) {
      next = o->item[up].next;
    }
    i = next;
  }
  draw_edges(svg, o, false);
  draw_edges(svg, o, true);
  for (i = 0; i < o->plan->site_count; i++) {
    const gb_site_item *it = &o->item[i];
    if (it->y > 0) {
      const char *name = gb_plan_site_name(o->plan, it->row.site);
      gb_svg_dot(svg, dot_x(o, it), it->y - 4, 4, it->critical ? "crit" : "wan");
      gb_svg_text(svg, dot_x(o, it) + 10, it->y, "n b", "%s", gb_short_name(name, CHARACTERS).s);
      gb_svg_text(svg, o->from, it->y, it->parent == GB_NONE ? "m" : "n", "%s",
                  it->parent == GB_NONE
                      ? "(root)"
                      : gb_short_name(gb_plan_host_name(o->plan, it->row.from), CHARACTERS).s);
      if (first) {
        draw_figures(svg, o, it);
      }
    }
  }
  if (drawn < o->plan->site_count) {
    svg->y += STEP;
    gb_svg_text(svg, GB_SVG_LEFT, svg->y, "m",
                "\u2026 and %" PRIu32 " more sites (--format=json has every one)",
                o->plan->site_count - drawn);
  }
}

/* Whether no tree before connects the sites like this one. parent: by site, of each of those trees. */
static bool is_new(const gb_site_outline *o, uint32_t *parent, uint32_t *count) {
  const uint32_t sites = o->plan->site_count;
  uint32_t *mine = parent + (size_t)*count * sites;
  for (uint32_t i = 0; i < sites; i++) {
    const gb_site_item *it = &o->item[i];
    mine[it->row.site] = it->parent == GB_NONE ? GB_NONE : o->item[it->parent].row.site;
  }
  for (uint32_t k = 0; k < *count; k++) {
    if (memcmp(parent + (size_t)k * sites, mine, sites * sizeof *mine) == 0) {
      return false;
    }
  }
  ++*count;
  return true;
}

/* The first tree with all figures of the sites; the others side by side. */
static int draw_all(gb_svg *svg, gb_site_outline *o, const bool *critical, gb_site_row *rows,
                    uint32_t *parent) {
  uint32_t kinds = 0, t = 0;
  double top = svg->y, bottom = svg->y;
  for (; t < o->plan->schedule.tree_count && kinds < TREES_DRAWN; t++) {
    const int rc = gb_site_outline_fill(o, t, critical, rows);
    if (rc != GBCAST_OK) {
      return rc;
    }
    if (!is_new(o, parent, &kinds)) {
      continue;
    }
    set_columns(o);
    if (kinds == 1 || o->figures > GB_SVG_RIGHT) {
      move_columns(o, GB_SVG_LEFT - o->x);
      top = bottom;
    }
    svg->y = top + 30;
    if (kinds > 1) {
      gb_svg_text(svg, o->x, svg->y, "b", "The sites in tree %" PRIu32, t + 1);
      svg->y += 18;
    }
    draw_title(svg, o, kinds == 1);
    draw_items(svg, o, kinds == 1);
    bottom = svg->y > bottom ? svg->y : bottom;
    o->x = kinds == 1 ? GB_SVG_RIGHT : o->figures + 30;
  }
  svg->y = bottom;
  if (t < o->plan->schedule.tree_count) {
    svg->y += STEP;
    gb_svg_text(svg, GB_SVG_LEFT, svg->y, "m", "\u2026 and further trees (--format=json has every one)");
  }
  return GBCAST_OK;
}

int gb_svg_sites(gb_svg *svg, const gbcast_plan *plan, const bool *critical) {
  if (plan->site_count == 1) {
    return GBCAST_OK;
  }
  const size_t sites = plan->site_count;
  gb_site_outline o = {.plan = plan,
                       .x = GB_SVG_LEFT,
                       .item = calloc(sites, sizeof *o.item),
                       .site_of = malloc(plan->schedule.endpoint_count * sizeof *o.site_of),
                       .item_of = malloc(sites * sizeof *o.item_of)};
  gb_site_row *rows = malloc(sites * sizeof *rows);
  uint32_t *parent = malloc((TREES_DRAWN + 1) * sites * sizeof *parent);
  int rc = GBCAST_EMEMORY;
  if (o.item != NULL && o.site_of != NULL && o.item_of != NULL && rows != NULL && parent != NULL) {
    gb_sites_of(plan, o.site_of);
    rc = draw_all(svg, &o, critical, rows, parent);
  }
  free(parent);
  free(rows);
  free(o.item_of);
  free(o.site_of);
  free(o.item);
  return rc;
}
