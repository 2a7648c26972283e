/* Pieces of an SVG image, 1200 units wide. Text stays text, in generic fonts; colours are classes of one
 * style sheet, with a set for light and one for dark backgrounds. */
#ifndef GB_PLAN_SHOW_SVG_H
#define GB_PLAN_SHOW_SVG_H

#include "plan/show/aggregate.h"
#include "plan/show/print.h"

#define GB_SVG_LEFT 20.0
#define GB_SVG_RIGHT 1180.0
#define GB_SVG_CHARACTER 7.25 /* of a name of 12 units; 9 units: three quarters of that */

typedef struct gb_span {
  double y, height;
} gb_span;

/* The body of a document is printed first, as its height is known last. */
typedef struct gb_svg {
  FILE *out;
  double y; /* where the next piece begins; what is above has been drawn */
  char *text;
  size_t length;
  struct gb_stroke *stroke;
  size_t strokes;
  bool failed;   /* out of memory */
  gb_span *span; /* to be filled, unless NULL: where the rows of endpoints are; of an all-to-all those of
                    hosts, site after site */
} gb_svg;

int gb_svg_begin(gb_svg *svg, gb_span *span);
/* Frees it, and if rc is GBCAST_OK prints the document, with a title and a description for screen readers.
 * Returns rc, or GBCAST_EMEMORY. */
int gb_svg_end(gb_svg *svg, int rc, const char *title, const char *description, FILE *out);

void gb_xml_escape(const char *text, FILE *out);
__attribute__((format(printf, 5, 6))) void gb_svg_text(gb_svg *svg, double x, double y, const char *classes,
                                                       const char *format, ...);
void gb_svg_box(gb_svg *svg, double x, double y, double width, double height, const char *classes);
/* The same with a text that is shown when it is pointed at. */
__attribute__((format(printf, 7, 8))) void gb_svg_bar(gb_svg *svg, double x, double y, double width,
                                                      double height, const char *classes, const char *tip,
                                                      ...);
void gb_svg_line(gb_svg *svg, double x1, double y1, double x2, double y2, const char *classes);
/* What labels keep clear of: an upright line, or a dot on it. Bars cover some. */
typedef struct gb_stroke {
  double x, half, top, bottom; /* half its width */
  bool covered;
} gb_stroke;
void gb_svg_avoid(gb_svg *svg, gb_stroke stroke);
/* Where a text of that width can begin between least and most, as near to `wish` as strokes let it; NAN where
 * it cannot. y: of its middle; in_bar: it is drawn on a bar. */
double gb_svg_clear(const gb_svg *svg, double wish, double width, double least, double most, double y,
                    bool in_bar);
/* Beside or in a bar from x to end, where there is room before `most` and after `least`. */
void gb_svg_label(gb_svg *svg, double x, double end, double y, double height, const char *label, double least,
                  double most);
void gb_svg_dot(gb_svg *svg, double x, double y, double radius, const char *classes);

/* What a printer of text prints, line under line; the first one larger. */
int gb_svg_lines(gb_svg *svg, const gbcast_plan *plan, void (*print)(const gbcast_plan *plan, FILE *out));

/* What the colours mean, on one line. */
typedef struct gb_legend {
  const char *classes, *text; /* NULL: the end; without a text it is left out */
} gb_legend;
void gb_svg_legend(gb_svg *svg, const gb_legend *legend);

/* An axis, of time unless it is said otherwise: 0 is at x0, `end` at x1. */
typedef struct gb_axis {
  double x0, x1, end;
} gb_axis;

static inline double gb_axis_x(const gb_axis *axis, double value) {
  return axis->end > 0 ? axis->x0 + (axis->x1 - axis->x0) * (value / axis->end) : axis->x0;
}

/* From one tick to the next, which is to be so far away at least: 1, 2 or 5 times a power of ten. */
double gb_axis_step(const gb_axis *axis, double distance);

#define GB_AXIS_HEIGHT 48.0 /* of what is written above it */
/* Lines at round times with these, before what is drawn over them; then the prediction and the bound. From y,
 * below the axis, down to bottom. */
void gb_axis_ticks(gb_svg *svg, const gb_axis *axis, const gbcast_plan *plan, double y, double bottom);
void gb_axis_marks(gb_svg *svg, const gb_axis *axis, const gbcast_plan *plan, double y, double bottom);

/* Panels of a broadcast or scatter: the tree or trees over sites, and the time line of every row. */
int gb_svg_sites(gb_svg *svg, const gbcast_plan *plan, const bool *critical);
int gb_svg_rows(gb_svg *svg, const gbcast_plan *plan, const gb_aggregate *aggregate, const gb_bars *bars);
/* Only the bars of rows that are drawn already: their upper edges, and where the axis begins. */
void gb_svg_bars(gb_svg *svg, const gbcast_plan *plan, const gb_aggregate *aggregate, const gb_bars *bars,
                 double *y, double height, double x0);
/* Both in one, where rows are sites. */
int gb_svg_overview(gb_svg *svg, const gbcast_plan *plan, const gb_aggregate *aggregate, const gb_bars *bars,
                    const bool *critical);

/* Panels of an all-to-all. Time lines of what goes on inside clusters and between them; or of the phases of
 * one cluster, for every host; or who sends to whom in a cluster without phases. */
int gb_svg_transfers(gb_svg *svg, const gbcast_plan *plan);
int gb_svg_phases(gb_svg *svg, const gbcast_plan *plan);
int gb_svg_matrix(gb_svg *svg, const gbcast_plan *plan);

/* The whole image; span: see gb_svg. GBCAST_OK or GBCAST_EMEMORY. */
int gb_draw(const gbcast_plan *plan, gb_span *span, FILE *out);

#endif
