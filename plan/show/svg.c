/* Pieces of an SVG image. */
#include "plan/show/svg.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    "text{font:12px sans-serif;fill:#1f2328}.n{font-family:monospace}.s{font-size:9px}.b{font-weight:bold}"
    ".h{font-size:17px;font-weight:bold}.m{fill:#59636e}.e{text-anchor:end}.c{text-anchor:middle}"
    "line,path{fill:none;stroke:#8c959f}.bg{fill:#fff}.band{fill:#f3f5f7}line.grid{stroke:#d5dbe1}"
    ".wan{fill:#f5b056;stroke:#b86200}.lan{fill:#8fc1f5;stroke:#2a6fc0}.node{fill:#98dba8;stroke:#2c8a48}"
    "rect{stroke-width:.6}rect.bg,rect.band{stroke:none}"
    ".low{stroke:none}.key{fill:none}.crit{stroke:#d1105a;stroke-width:2.2}.thin{stroke-width:1}text.crit{"
    "fill:#d1105a;stroke:"
    "none}circle.crit{"
    "fill:#d1105a}"
    "path.wan,path.lan,path.node,line.wan{fill:none}.mark{stroke:#1f2328;stroke-width:1.5}"
    ".bound{stroke:#1f2328;stroke-width:1.5;stroke-dasharray:5 4}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.m{fill:#9da7b1}line,path{stroke:#6e7681}"
    ".bg{fill:#0d1117}.band{fill:#161c24}line.grid{stroke:#2d343c}"
    ".wan{fill:#8f5410;stroke:#f0a040}.lan{fill:#1d5596;stroke:#6cb0ff}.node{fill:#23693a;stroke:#5fd080}"
    "text.crit,circle.crit{fill:#ff6fa3}.crit{stroke:#ff6fa3}"
    ".mark,.bound{stroke:#e6edf3}}";

int gb_svg_begin(gb_svg *svg, gb_span *span) {
  *svg = (gb_svg){.y = 18, .span = span};
  svg->out = open_memstream(&svg->text, &svg->length);
  return svg->out != NULL ? GBCAST_OK : GBCAST_EMEMORY;
}

int gb_svg_end(gb_svg *svg, int rc, const char *title, const char *description, FILE *out) {
  free(svg->stroke);
  if (fclose(svg->out) != 0 || rc != GBCAST_OK || svg->failed) {
    free(svg->text);
    return rc != GBCAST_OK ? rc : GBCAST_EMEMORY;
  }
  const double height = svg->y + 14;
  fprintf(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 %.0f\" width=\"1200\" height=\"%.0f\" "
      "role=\"img\" aria-labelledby=\"title description\">\n<title id=\"title\">",
      height, height);
  gb_xml_escape(title, out);
  fputs("</title>\n<desc id=\"description\">", out);
  gb_xml_escape(description, out);
  fprintf(out, "</desc>\n<style>%s</style>\n<rect class=\"bg\" width=\"1200\" height=\"%.0f\"/>\n", style,
          height);
  fwrite(svg->text, 1, svg->length, out);
  fputs("</svg>\n", out);
  free(svg->text);
  return GBCAST_OK;
}

/* Bytes that are no UTF-8 are written as in JSON. What XML cannot hold at all is a question mark. */
void gb_xml_escape(const char *s, FILE *out) {
  while (*s != '\0') {
    size_t n = gb_utf8_length(s, 4);
    const unsigned char c = (unsigned char)*s;
    if (n == 0) {
      fprintf(out, "&#%u;", c);
      n = 1;
    } else if ((c < 0x20 && c != '\n') || c == 0x7f || strncmp(s, "\xef\xbf\xbe", 3) == 0 ||
               strncmp(s, "\xef\xbf\xbf", 3) == 0) {
      putc('?', out);
    } else if (strchr("<>&\"'", *s) != NULL) {
      fprintf(out, "&#%u;", c);
    } else {
      fwrite(s, 1, n, out);
    }
    s += n;
  }
}

static void escape_formatted(FILE *out, const char *format, va_list list) {
  char text[1024];
  (void)vsnprintf(text, sizeof text, format, list);
  gb_xml_escape(text, out);
}

void gb_svg_text(gb_svg *svg, double x, double y, const char *classes, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(svg->out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, classes);
  escape_formatted(svg->out, format, list);
  fputs("</text>\n", svg->out);
  va_end(list);
}

static void open_rect(gb_svg *svg, double x, double y, double width, double height, const char *classes) {
  fprintf(svg->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"", x, y, width,
          height, classes);
}

void gb_svg_box(gb_svg *svg, double x, double y, double width, double height, const char *classes) {
  open_rect(svg, x, y, width, height, classes);
  fputs("/>\n", svg->out);
}

void gb_svg_bar(gb_svg *svg, double x, double y, double width, double height, const char *classes,
                const char *tip, ...) {
  va_list list;
  va_start(list, tip);
  open_rect(svg, x, y, width, height, classes);
  fputs("><title>", svg->out);
  escape_formatted(svg->out, tip, list);
  fputs("</title></rect>\n", svg->out);
  va_end(list);
}

void gb_svg_avoid(gb_svg *svg, gb_stroke stroke) {
  if ((svg->strokes & (svg->strokes - 1)) == 0) { /* full at powers of two */
    const size_t capacity = svg->strokes > 0 ? 2 * svg->strokes : 1;
    gb_stroke *more = realloc(svg->stroke, capacity * sizeof *more);
    svg->failed = svg->failed || more == NULL;
    if (more == NULL)
      return;
    svg->stroke = more;
  }
  svg->stroke[svg->strokes++] = stroke;
}

/* From x to the right or to the left, until no stroke is in the way. */
static double slide(const gb_svg *svg, double x, double width, double y, bool in_bar, bool right) {
  for (size_t i = 0; i < svg->strokes;) {
    const gb_stroke *s = &svg->stroke[i];
    const double begin = s->x - s->half - 2 - width, end = s->x + s->half + 2;
    const bool hit = s->top < y && y < s->bottom && x < end && x > begin && !(in_bar && s->covered);
    x = hit ? right ? end : begin : x;
    i = hit ? 0 : i + 1; /* after a step, all once more */
  }
  return x;
}

double gb_svg_clear(const gb_svg *svg, double wish, double width, double least, double most, double y,
                    bool in_bar) {
  const double x = wish + width > most ? most - width : wish;
  const double right = slide(svg, x, width, y, in_bar, true), left = slide(svg, x, width, y, in_bar, false);
  const bool fits_right = right + width <= most, fits_left = left >= least;
  return x < least || (!fits_right && !fits_left)              ? NAN
         : !fits_left || (fits_right && right - x <= x - left) ? right
                                                               : left;
}

void gb_svg_label(gb_svg *svg, double x, double end, double y, double height, const char *word, double least,
                  double most) {
  const bool small = height < 14;
  const double width = gb_character_count(word) * GB_SVG_CHARACTER * (small ? 0.75 : 1);
  const double middle = y + height / 2, near = 60, rightmost = end + 5 + width + near;
  double at = gb_svg_clear(svg, x + 5, width, x + 5, end - 3, middle, true);
  if (isnan(at))
    at = gb_svg_clear(svg, end + 5, width, end + 5, most < rightmost ? most : rightmost, middle, false);
  if (isnan(at)) {
    const double leftmost = x - 5 - width - near;
    at = gb_svg_clear(svg, x - 5 - width, width, least > leftmost ? least : leftmost, x - 5, middle, false);
  }
  if (isnan(at)) /* then over something */
    at = end - x >= width + 8 ? x + 5 : end + width + 8 <= most ? end + 5 : x - width - 5;
  if (height >= 9 && at >= least)
    gb_svg_text(svg, at, middle + (small ? 3 : 4), small ? "n s" : "n", "%s", word);
}

void gb_svg_line(gb_svg *svg, double x1, double y1, double x2, double y2, const char *classes) {
  fprintf(svg->out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1, x2, y2,
          classes);
}

void gb_svg_dot(gb_svg *svg, double x, double y, double radius, const char *classes) {
  fprintf(svg->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" class=\"%s\"/>\n", x, y, radius, classes);
}

/* Where the text is to be broken: its end, or the last blank before it has so many characters, or the first
 * one.
 */
static char *break_of(char *text, uint32_t characters) {
  char *at = text + strlen(text), *blank = strrchr(text, ' ');
  while (gb_character_count(text) > characters && blank != NULL) {
    at = blank;
    *at = '\0';
    blank = strrchr(text, ' ');
  }
  return at;
}

/* A line of text, on as many as it needs. */
static void draw_text_line(gb_svg *svg, char *text, bool first) {
  const double character_bytes = first ? 9.6 : 6.2;
  for (const char *end = text + strlen(text); text < end;) {
    char *at = break_of(text, (uint32_t)((GB_SVG_RIGHT - GB_SVG_LEFT) / character_bytes));
    svg->y += first ? 18 : 17;
    gb_svg_text(svg, GB_SVG_LEFT, svg->y, first ? "h" : "m", "%s", text);
    text = at + 1;
    for (char *c = text; c < end; c++)
      if (*c == '\0')
        *c = ' ';
  }
}

int gb_svg_lines(gb_svg *svg, const gbcast_plan *plan, void (*print)(const gbcast_plan *plan, FILE *out)) {
  char *text = gb_printed(plan, print);
  if (text == NULL)
    return GBCAST_EMEMORY;
  char *rest = NULL;
  bool first = true;
  for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    draw_text_line(svg, line, first);
    first = false;
  }
  free(text);
  return GBCAST_OK;
}

void gb_svg_legend(gb_svg *svg, const gb_legend *legend) {
  double x = GB_SVG_LEFT;
  svg->y += 24;
  for (; legend->classes != NULL; legend++) {
    if (legend->text == NULL)
      continue;
    gb_svg_box(svg, x, svg->y - 10, 22, 11, legend->classes);
    gb_svg_text(svg, x + 28, svg->y, "m", "%s", legend->text);
    x += 28 + 6.2 * gb_character_count(legend->text) + 24;
  }
}
