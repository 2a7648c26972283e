/* The time axis of an image. */
#include "plan/show/svg.h"

#define TICKS_MOST 9
#define TICK_WIDTH 46.0

/* 1, 2 or 5 times a power of ten, so that there are not too many. */
static double step_of(double end) {
  static const double part[] = {1, 2, 5};
  double ten = 1e-12;
  for (unsigned i = 0; ten < 1e12; i++) {
    const double step = part[i % 3] * ten;
    if (end / step <= TICKS_MOST) {
      return step;
    }
    ten = i % 3 == 2 ? ten * 10 : ten;
  }
  return end;
}

/* Whether the line of a mark goes through what is written there. */
static bool struck_out(const gb_axis *axis, double x, double seconds) {
  const double at = gb_axis_x(axis, seconds);
  return at > x - TICK_WIDTH / 2 && at < x + TICK_WIDTH / 2;
}

void gb_axis_ticks(gb_svg *svg, const gb_axis *axis, const gbcast_plan *plan, double y, double bottom) {
  const double step = step_of(axis->end);
  const bool long_way = bottom - y > 500;
  for (int i = 0; step > 0 && i * step <= axis->end * (1 + 1e-9); i++) {
    const double x = gb_axis_x(axis, i * step);
    const gb_text time = gb_text_seconds(i * step);
    gb_svg_line(svg, x, y, x, bottom, "grid");
    if (!struck_out(axis, x, plan->predicted) && !struck_out(axis, x, plan->bound)) {
      gb_svg_text(svg, x, y - 6, "c m", "%s", time.s);
    }
    if (long_way) {
      gb_svg_text(svg, x, bottom + 14, "c m", "%s", time.s);
    }
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
  mark(svg, axis, "lower bound", "bound", plan->bound, y - 20, bottom);
  mark(svg, axis, "predicted", "mark", plan->predicted, y - 37, bottom);
}
