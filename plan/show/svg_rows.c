/* The time lines of an image: a row for each rank, host, or group of them, and in it a bar for each send to
 * it. A line leads there from the row of the sender.
 *
 *   ottawa  n0  o  root
 *               |\
 *           n1  |=====from n0=====
 *   lyon    l0  |======from n0============ */
#include "plan/show/svg.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SITE_CHARACTERS = 20, ROW_CHARACTERS = 24, ROWS_WITH_LINES = 64 };
#define SITE_GAP 6.0
#define DOT_REACH 9.0   /* of its middle and that of a label that it touches */
#define SITE_LEAST 13.0 /* height of a site's rows: its name has to go there */

typedef struct rows {
  const gbcast_plan *plan;
  const gb_aggregate *aggregate;
  const gb_bars *bars;
  double *y; /* of the rows' upper edges */
  double height;
  double names; /* x of the rows' names; those of the sites are left of it */
  gb_axis axis;
} rows;

static const gb_bar *bars_of(const rows *r, uint32_t row) {
  return &r->bars->bar[(size_t)row * r->bars->per_row];
}

/* Of bars in a row, one below the other. */
static uint32_t bars_in(const rows *r, uint32_t row) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->bars->per_row; i++)
    count += bars_of(r, row)[i].sends > 0;
  return count;
}

static gb_name row_name(const rows *r, uint32_t row) {
  gb_name name = gb_aggregate_name(r->plan, r->aggregate, row, ROW_CHARACTERS);
  if (row == r->aggregate->of[r->plan->schedule.root])
    gb_append(name.s, sizeof name.s, " (root)");
  return name;
}

static gb_name site_name(const rows *r, uint32_t row) {
  const uint32_t site = r->aggregate->row[row].site;
  return site == GB_NONE ? (gb_name){"other sites"}
                         : gb_short_name(gb_plan_site_name(r->plan, site), SITE_CHARACTERS);
}

static double latest(const rows *r) {
  double end = gb_larger(r->plan->predicted, r->plan->bound);
  for (size_t i = 0; i < (size_t)r->aggregate->count * r->bars->per_row; i++)
    end = r->bars->bar[i].sends > 0 ? gb_larger(end, r->bars->bar[i].arrival) : end;
  return end;
}

static void set_axis(rows *r) {
  uint32_t sites = 0, names = 0;
  for (uint32_t row = 0; row < r->aggregate->count; row++) {
    const uint32_t site = gb_character_count(site_name(r, row).s);
    const uint32_t name = gb_character_count(row_name(r, row).s);
    sites = site > sites ? site : sites;
    names = name > names ? name : names;
  }
  r->names = GB_SVG_LEFT + sites * GB_SVG_CHARACTER + 14;
  r->axis = (gb_axis){r->names + names * GB_SVG_CHARACTER + 12, GB_SVG_RIGHT, latest(r)};
}

/* Sets y; returns where the last row ends. */
static double set_places(rows *r, double y) {
  uint32_t most = 1;
  for (uint32_t row = 0; row < r->aggregate->count; row++) {
    const uint32_t bars = bars_in(r, row);
    most = bars > most ? bars : most;
  }
  const bool few = r->aggregate->count <= ROWS_WITH_LINES;
  r->height = gb_larger(few ? 18 : 12, most * (few ? 12 : 6));
  double first = y;
  for (uint32_t row = 0; row < r->aggregate->count; row++) {
    if (row > 0 && r->aggregate->row[row].site != r->aggregate->row[row - 1].site) {
      y = (y < first + SITE_LEAST ? first + SITE_LEAST : y) + SITE_GAP;
      first = y;
    }
    r->y[row] = y;
    y += r->height;
  }
  return y < first + SITE_LEAST ? first + SITE_LEAST : y;
}

static void draw_names(gb_svg *svg, const rows *r) {
  const bool small = r->height < 16;
  for (uint32_t row = 0; row < r->aggregate->count; row++) {
    const double middle = r->y[row] + r->height / 2;
    if (row == 0 || r->aggregate->row[row].site != r->aggregate->row[row - 1].site) {
      gb_svg_text(svg, GB_SVG_LEFT, r->y[row] + (r->height > 12 ? r->height / 2 + 4 : 10), "n b", "%s",
                  site_name(r, row).s);
      if (row > 0) {
        gb_svg_line(svg, GB_SVG_LEFT, r->y[row] - SITE_GAP / 2, GB_SVG_RIGHT, r->y[row] - SITE_GAP / 2,
                    "grid");
      }
    }
    gb_svg_text(svg, r->axis.x0 - 10, middle + (small ? 3 : 4), small ? "n s e" : "n e", "%s",
                row_name(r, row).s);
  }
}

/* Thin where rows are many or low. */
static const char *critical_class(const rows *r) {
  return r->aggregate->count <= ROWS_WITH_LINES && r->height >= 12 ? " crit" : " crit thin";
}

/* A bar of one send has a line from its sender, or where data go up, to its receiver; where there are many
 * rows, only on the critical path. */
static void draw_line(gb_svg *svg, const rows *r, uint32_t row, const gb_bar *bar, double y,
                      enum gb_level level, bool critical) {
  const uint32_t sender = r->aggregate->of[r->plan->schedule.tree[bar->tree].parent[bar->to]];
  const bool shown = bar->sends == 1 && (bar->critical > 0) == critical && sender != row &&
                     (critical || r->aggregate->count <= ROWS_WITH_LINES);
  if (shown) {
    const double x = gb_axis_x(&r->axis, gb_plan_goes_up(r->plan) ? bar->arrival : bar->start),
                 from = r->y[sender] + r->height / 2;
    const char *classes = critical ? critical_class(r) : gb_level_name[level];
    fprintf(svg->out, "<path d=\"M%.1f %.1fV%.1f\" class=\"%s\"/>\n", x, from, y, classes);
    gb_svg_dot(svg, x, from, r->height < 12 ? 1.5 : 2.5, classes);
    gb_svg_avoid(svg, (gb_stroke){x, 1, from < y ? from : y, from < y ? y : from, !critical});
    gb_svg_avoid(svg, (gb_stroke){x, 2.5, from - DOT_REACH, from + DOT_REACH, !critical});
  }
}

/* Who sends, or where data go up, who receives. */
static void draw_label(gb_svg *svg, const rows *r, const gb_bar *bar, double x, double end, double y,
                       double height) {
  char text[200];
  const uint32_t from = r->plan->schedule.tree[bar->tree].parent[bar->to];
  const gb_name name = gb_aggregate_name(r->plan, r->aggregate, r->aggregate->of[from], ROW_CHARACTERS);
  const char *way = gb_plan_goes_up(r->plan) ? "to" : "from";
  if (bar->sends == 1)
    (void)snprintf(text, sizeof text, "%s %s", way, name.s);
  else if (r->aggregate->to == GB_AGGREGATE_SWITCHES || r->aggregate->to == GB_AGGREGATE_BLOCKS)
    (void)snprintf(text, sizeof text, "%" PRIu32 " sends, the first %s %s", bar->sends, way, name.s);
  else
    (void)snprintf(text, sizeof text, "%" PRIu32 " sends", bar->sends);
  gb_svg_label(svg, x, end, y, height, text, r->axis.x0, r->axis.x1);
}

/* What is to be drawn of a row: in this order, for all rows. */
enum pass { LINES, BARS, CRITICAL_LINES, LABELS, PASSES };

static void draw_part(gb_svg *svg, const rows *r, uint32_t row, uint32_t i, double y, double height,
                      enum pass pass) {
  const gb_bar *bar = &bars_of(r, row)[i];
  const enum gb_level level = (enum gb_level)(i / r->bars->trees);
  const double x = gb_axis_x(&r->axis, bar->start), end = gb_axis_x(&r->axis, bar->arrival);
  if (pass == BARS) {
    char classes[32];
    (void)snprintf(classes, sizeof classes, "%s%s%s", gb_level_name[level], height < 8 ? " low" : "",
                   bar->critical > 0 ? critical_class(r) : "");
    gb_svg_bar(svg, x, y, end - x > 1 ? end - x : 1, height, classes, "%s",
               gb_bar_tip(r->plan, bar, level, r->bars->trees > 1).s);
  } else if (pass == LABELS) {
    draw_label(svg, r, bar, x, end, y, height);
  } else {
    draw_line(svg, r, row, bar, y + height / 2, level, pass == CRITICAL_LINES);
  }
}

/* What comes from other sites is above the rest. */
static void draw_row(gb_svg *svg, const rows *r, uint32_t row, enum pass pass) {
  const uint32_t count = bars_in(r, row), trees = r->bars->trees;
  const double gap = r->height < 8 ? 0.5 : 1.5, height = (r->height - gap) / (count > 0 ? count : 1);
  double y = r->y[row] + gap / 2;
  for (uint32_t level = GB_LEVELS; level-- > 0;) {
    for (uint32_t i = level * trees; i < (level + 1) * trees; i++) {
      if (bars_of(r, row)[i].sends > 0) {
        draw_part(svg, r, row, i, y, height, pass);
        y += height;
      }
    }
  }
}

static void draw(gb_svg *svg, const rows *r, double top, double bottom) {
  gb_axis_ticks(svg, &r->axis, r->plan, top - 4, bottom + 4);
  for (enum pass pass = LINES; pass < PASSES; pass++) {
    if (pass == LABELS)
      gb_axis_marks(svg, &r->axis, r->plan, top - 4, bottom + 4);
    for (uint32_t row = 0; row < r->aggregate->count; row++)
      draw_row(svg, r, row, pass);
  }
  for (uint32_t e = 0; svg->span != NULL && e < r->plan->schedule.endpoint_count; e++)
    svg->span[e] = (gb_span){r->y[r->aggregate->of[e]], r->height};
}

/* What the rows are, if not all ranks. */
static void draw_note(gb_svg *svg, const rows *r) {
  static const char *const note[] = {
      [GB_AGGREGATE_NONE] = "Each row is a rank.",
      [GB_AGGREGATE_HOSTS] = "Each row is a host.",
      [GB_AGGREGATE_SWITCHES] = "Too many hosts to show: each row is the hosts of one switch together.",
      [GB_AGGREGATE_BLOCKS] =
          "Too many hosts to show: each row is some of them together, the first one named."};
  const bool hosts = r->aggregate->to == GB_AGGREGATE_NONE && !gb_plan_has_nodes(r->plan);
  svg->y += 26;
  gb_svg_text(svg, GB_SVG_LEFT, svg->y, "m",
              "%s A bar lasts from the first byte sent to the last one there%s",
              note[hosts ? GB_AGGREGATE_HOSTS : r->aggregate->to],
              r->plan->schedule.tree_count == 1 ? "."
              : r->bars->trees > 1              ? "; each tree has its own."
                                                : ", over all trees.");
}

int gb_svg_rows(gb_svg *svg, const gbcast_plan *plan, const gb_aggregate *aggregate, const gb_bars *bars) {
  rows r = {.plan = plan, .aggregate = aggregate, .bars = bars, .y = malloc(aggregate->count * sizeof *r.y)};
  if (r.y == NULL)
    return GBCAST_EMEMORY;
  if (plan->schedule.endpoint_count == 1) {
    svg->y += 26;
    gb_svg_text(svg, GB_SVG_LEFT, svg->y, "b", "%s", "There is one rank: nothing is sent.");
  } else {
    draw_note(svg, &r);
    set_axis(&r);
    const double top = svg->y + GB_AXIS_HEIGHT + 12, bottom = set_places(&r, top);
    draw_names(svg, &r);
    draw(svg, &r, top, bottom);
    svg->y = bottom + 18;
  }
  free(r.y);
  return GBCAST_OK;
}

void gb_svg_bars(gb_svg *svg, const gbcast_plan *plan, const gb_aggregate *aggregate, const gb_bars *bars,
                 double *y, double height, double x0) {
  rows r = {.plan = plan, .aggregate = aggregate, .bars = bars, .y = y, .height = height};
  double top = y[0], bottom = y[0];
  for (uint32_t row = 0; row < aggregate->count; row++) {
    top = gb_smaller(top, y[row]);
    bottom = gb_larger(bottom, y[row] + height);
  }
  r.axis = (gb_axis){x0, GB_SVG_RIGHT, latest(&r)};
  draw(svg, &r, top, bottom);
  svg->y = bottom + 18;
}
