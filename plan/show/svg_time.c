/* The time axis of an image. */
#include "plan/show/svg.h"

#include <math.h>

#define TICK_DISTANCE 105.0 /* at least: a label may be beside its line */
#define TICK_CHARACTER 6.6
#define MARK_LOW 20.0 /* above the axis: where the names of marks stand */
#define MARK_HIGH 37.0

double gb_axis_step(const gb_axis *axis, double distance) {
  static const double part[] = {1, 2, 5};
  double ten = 1e-12;
  for (unsigned i = 0; ten < 1e12; i++) {
    const double step = part[i % 3] * ten;
    if (axis->end / step * distance <= fabs(axis->x1 - axis->x0))
      return step;
    ten = i % 3 == 2 ? ten * 10 : ten;
  }
  return axis->end;
}

/* Below or above its line, or beside it where the line of a mark is in the way. */
static void tick_label(gb_svg *svg, double x, double y, gb_text time) {
  const double width = TICK_CHARACTER * gb_character_count(time.s);
  const double at =
      gb_svg_clear(svg, x - width / 2, width, gb_larger(4, x - 1.5 * width), GB_SVG_RIGHT + 10, y - 4, false);
  gb_svg_text(svg, isnan(at) ? x : at + width / 2, y, "c m", "%s", time.s);
}

void gb_axis_ticks(gb_svg *svg, const gb_axis *axis, const gbcast_plan *plan, double y, double bottom) {
  const double step = gb_axis_step(axis, TICK_DISTANCE);
  const bool long_way = bottom - y > 500;
  gb_svg_avoid(svg, (gb_stroke){gb_axis_x(axis, plan->predicted), 1, y - MARK_HIGH - 9, bottom, false});
  gb_svg_avoid(svg, (gb_stroke){gb_axis_x(axis, plan->bound), 1, y - MARK_LOW - 9, bottom, false});
  for (int i = 0; step > 0 && i * step <= axis->end * (1 + 1e-9); i++) {
    const double x = gb_axis_x(axis, i * step);
    const gb_text time = gb_text_seconds(i * step);
    gb_svg_line(svg, x, y, x, bottom, "grid");
    tick_label(svg, x, y - 6, time);
    if (long_way)
      tick_label(svg, x, bottom + 14, time);
  }
}

/* The name of a mark stands left of it where there is room. */
static void mark(gb_svg *svg, const gb_axis *axis, const char *name, const char *classes, double seconds,
                 double y, double bottom) {
  const double x = gb_axis_x(axis, seconds);
  const bool left = x - axis->x0 > 220;
  gb_svg_line(svg, x, y - 9, x, bottom, classes);
  gb_svg_text(svg, left ? x - 5 : x + 5, y, left ? "e b" : "b", "%s %s", name, gb_text_seconds(seconds).s);
}

void gb_axis_marks(gb_svg *svg, const gb_axis *axis, const gbcast_plan *plan, double y, double bottom) {
  mark(svg, axis, "lower bound", "bound", plan->bound, y - MARK_LOW, bottom);
  mark(svg, axis, "predicted", "mark", plan->predicted, y - MARK_HIGH, bottom);
}
