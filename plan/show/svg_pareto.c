/* Plans of which none is beaten in both time and cost, as an SVG image: time to the right, cost upwards, both
 * from 0. Nothing was found below the steps.
 *
 *   USD |  o---.
 *       |      o-----.
 *       | -  -  -  - o - lower bound
 *       +---------------- s
 */
#include "plan/show/svg.h"

#include <math.h>

#define LEFT 120.0
#define RIGHT 1060.0
#define HEIGHT 420.0
#define TICK_DISTANCE 105.0 /* at least */
#define LINE_DISTANCE 50.0

static void draw_axes(gb_svg *svg, const gb_axis *x, const gb_axis *y) {
  const double x_step = gb_axis_step(x, TICK_DISTANCE), y_step = gb_axis_step(y, LINE_DISTANCE);
  for (int i = 0; i * x_step <= x->end; i++) {
    const double at = gb_axis_x(x, i * x_step);
    gb_svg_line(svg, at, y->x1, at, y->x0, "grid");
    gb_svg_text(svg, at, y->x0 + 18, "c m", "%s", gb_text_seconds(i * x_step).s);
  }
  for (int i = 0; i * y_step <= y->end; i++) {
    const double at = gb_axis_x(y, i * y_step);
    gb_svg_line(svg, x->x0, at, x->x1, at, "grid");
    gb_svg_text(svg, x->x0 - 8, at + 4, "e m", "%.4g USD", i * y_step);
  }
}

static void draw_bounds(gb_svg *svg, const gb_pareto *pareto, const gb_axis *x, const gb_axis *y) {
  const double seconds = pareto->bound, usd = pareto->cost_bound;
  gb_svg_line(svg, gb_axis_x(x, seconds), y->x1, gb_axis_x(x, seconds), y->x0, "bound");
  gb_svg_text(svg, gb_axis_x(x, seconds) + 5, y->x1 + 12, "b", "lower bound %s", gb_text_seconds(seconds).s);
  if (isnan(usd))
    return;
  gb_svg_line(svg, x->x0, gb_axis_x(y, usd), x->x1, gb_axis_x(y, usd), "bound");
  gb_svg_text(svg, x->x1, gb_axis_x(y, usd) + 15, "e b", "lower bound %s", gb_text_usd(usd).s);
}

static void draw_points(gb_svg *svg, const gb_pareto *pareto, const gb_axis *x, const gb_axis *y) {
  double before = NAN; /* where the last label stands */
  for (size_t i = 0; i < pareto->count; i++) {
    const gb_pareto_point *p = &pareto->point[i];
    const double px = gb_axis_x(x, p->plan->predicted), py = gb_axis_x(y, gb_cost_total(p->plan->cost));
    const bool last = i + 1 == pareto->count;
    const double next = last ? x->x1 : gb_axis_x(x, p[1].plan->predicted);
    gb_svg_line(svg, px, py, next, py, "wan");
    if (!last)
      gb_svg_line(svg, next, py, next, gb_axis_x(y, gb_cost_total(p[1].plan->cost)), "wan");
    const double text = !isnan(before) && py - 8 < before + 14 ? before + 14 : py - 8;
    gb_svg_text(svg, px + 9, text, "", "%s, %s: --objective=%s", gb_text_seconds(p->plan->predicted).s,
                gb_text_usd(gb_cost_total(p->plan->cost)).s, gb_text_objective(p->within).s);
    before = text;
  }
  for (size_t i = 0; i < pareto->count; i++)
    gb_svg_dot(svg, gb_axis_x(x, pareto->point[i].plan->predicted),
               gb_axis_x(y, gb_cost_total(pareto->point[i].plan->cost)), 4, "wan");
}

int gb_pareto_svg(const gb_pareto *pareto, FILE *out) {
  gb_svg svg;
  int rc = gb_svg_begin(&svg, NULL);
  if (rc != GBCAST_OK)
    return rc;
  rc = gb_svg_lines(&svg, pareto->point[0].plan, gb_print_header);
  svg.y += 24;
  gb_svg_text(&svg, GB_SVG_LEFT, svg.y, "m", "Time and cost of the plans that no other one beats in both");
  const gbcast_plan *dearest = pareto->point[0].plan, *slowest = pareto->point[pareto->count - 1].plan;
  const gb_axis x = {LEFT, RIGHT, 1.25 * slowest->predicted},
                y = {svg.y + 30 + HEIGHT, svg.y + 30, 1.1 * gb_cost_total(dearest->cost)};
  if (rc == GBCAST_OK && x.end > 0 && y.end > 0) {
    draw_axes(&svg, &x, &y);
    draw_bounds(&svg, pareto, &x, &y);
    draw_points(&svg, pareto, &x, &y);
  }
  svg.y = y.x0 + 30;
  return gb_svg_end(&svg, rc, "Time and cost of plans",
                    "A point for each plan: time to the right, cost upwards, with the lower bounds of both.",
                    out);
}
