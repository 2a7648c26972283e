/* Squares of an all-to-all. */
#include "plan/show/svg_cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { CHARACTERS = 24 };

uint32_t gb_cells_row(const gb_cells *c, uint32_t machine) {
  return (uint32_t)((uint64_t)c->place[machine] * c->rows / c->hosts);
}

/* The first of `all` that is in this one of `to` rows or columns; and how many are. */
static uint32_t first_of(uint32_t aggregated, uint32_t all, uint32_t to) {
  return (uint32_t)(((uint64_t)aggregated * all + to - 1) / to);
}

static uint32_t part_of(uint32_t aggregated, uint32_t all, uint32_t to) {
  return first_of(aggregated + 1, all, to) - first_of(aggregated, all, to);
}

static const char *name_of(const gb_cells *c, uint32_t place) {
  return gb_alltoall_host_name(c->site, c->site->machines.order.host[place]);
}

/* "n0", or "n0 +3" with the next three. */
static gb_name row_name(const gb_cells *c, uint32_t row) {
  const uint32_t more = part_of(row, c->hosts, c->rows) - 1;
  const char *first = name_of(c, first_of(row, c->hosts, c->rows));
  gb_name name = gb_short_name(first, more > 0 ? CHARACTERS - 5 : CHARACTERS);
  if (more > 0)
    gb_append(name.s, sizeof name.s, " +%" PRIu32, more);
  return name;
}

static double names_width(const gb_cells *c) {
  uint32_t most = 0;
  for (uint32_t row = 0; row < c->rows; row++) {
    const uint32_t characters = gb_character_count(row_name(c, row).s);
    most = characters > most ? characters : most;
  }
  return most * GB_SVG_CHARACTER + 12;
}

int gb_cells_begin(gb_cells *c, const gb_alltoall_site *site, uint32_t in_columns, uint32_t most) {
  const uint32_t hosts = site->machines.count, rows = hosts < GB_CELL_ROWS ? hosts : GB_CELL_ROWS;
  *c = (gb_cells){.site = site, .hosts = hosts, .rows = rows, .in_columns = in_columns};
  c->columns = in_columns < most ? in_columns : most;
  const size_t count = (size_t)rows * c->columns;
  c->place = malloc(hosts * sizeof *c->place);
  c->sends = calloc(count, GB_CELL_KINDS * sizeof *c->sends);
  c->sample = malloc(count * sizeof *c->sample);
  if (c->place == NULL || c->sends == NULL || c->sample == NULL)
    return GBCAST_EMEMORY;
  for (uint32_t place = 0; place < hosts; place++)
    c->place[site->machines.order.host[place]] = place;
  c->x = GB_SVG_LEFT + names_width(c);
  return GBCAST_OK;
}

void gb_cells_end(gb_cells *c) {
  free(c->place);
  free(c->sends);
  free(c->sample);
}

void gb_cells_count(gb_cells *c, uint32_t from, uint32_t to, uint32_t column, enum gb_cell_kind kind) {
  const size_t cell = (size_t)gb_cells_row(c, from) * c->columns + column;
  c->sends[cell * GB_CELL_KINDS + kind]++;
  c->sample[cell] = to;
}

/* Sends in a square, if all its hosts were at work in all its phases. */
static double could_be(const gb_cells *c, uint32_t row, uint32_t column) {
  return (double)part_of(row, c->hosts, c->rows) * part_of(column, c->in_columns, c->columns);
}

/* Where it goes, in the square of one message. */
static void draw_receiver(gb_svg *svg, const gb_cells *c, double x, double y, uint32_t to) {
  const gb_name name = gb_short_name(gb_alltoall_host_name(c->site, to), CHARACTERS);
  const bool small = c->width < (gb_character_count(name.s) + 2) * GB_SVG_CHARACTER + 4;
  const double width = (gb_character_count(name.s) + 2) * GB_SVG_CHARACTER * (small ? 0.75 : 1) + 4;
  if (c->width >= width) {
    const double clear =
        gb_svg_clear(svg, x + (c->width - width) / 2, width, x, x + c->width, y + c->height / 2, true);
    gb_svg_text(svg, (isnan(clear) ? x + (c->width - width) / 2 : clear) + width / 2,
                y + c->height / 2 + (small ? 3 : 4), small ? "n s c" : "n c", "\u2192 %s", name.s);
  }
}

/* where: what the kinds are, in words */
static void draw_cell(gb_svg *svg, const gb_cells *c, uint32_t row, uint32_t column,
                      const char *const where[GB_CELL_KINDS], bool phases) {
  static const char *const classes[GB_CELL_KINDS] = {[GB_CELL_LOCAL] = "node", [GB_CELL_GLOBAL] = "lan"};
  const size_t cell = (size_t)row * c->columns + column;
  const uint32_t first = first_of(column, c->in_columns, c->columns);
  const uint32_t in_column = part_of(column, c->in_columns, c->columns);
  const bool one = part_of(row, c->hosts, c->rows) == 1 && in_column == 1;
  const double x = c->x + column * c->width;
  double y = c->y + row * c->height;
  char when[80] = "";
  if (phases) {
    (void)snprintf(when, sizeof when,
                   in_column > 1 ? "phases %" PRIu32 " to %" PRIu32 ": " : "phase %" PRIu32 ": ", first,
                   first + in_column - 1);
  }
  for (enum gb_cell_kind kind = GB_CELL_LOCAL; kind < GB_CELL_KINDS; kind++) {
    const uint32_t sends = c->sends[cell * GB_CELL_KINDS + kind];
    const double height = c->height * sends / (could_be(c, row, column) * c->most);
    if (sends > 0 && one) {
      gb_svg_bar(svg, x, y, c->width, height, classes[kind], "%s%s \u2192 %s, %s", when, row_name(c, row).s,
                 gb_alltoall_host_name(c->site, c->sample[cell]), where[kind]);
    } else if (sends > 0) {
      gb_svg_bar(svg, x, y, c->width, height, classes[kind], "%s%s: %" PRIu32 " messages %s", when,
                 row_name(c, row).s, sends, where[kind]);
    }
    if (sends > 0 && one && phases)
      draw_receiver(svg, c, x, y, c->sample[cell]);
    y += height;
  }
}

/* Above columns, and before rows. */
static void draw_names(gb_svg *svg, const gb_cells *c) {
  const uint32_t step = c->width >= 22 ? 1 : 8;
  for (uint32_t column = 0; column < c->columns; column += step)
    gb_svg_text(svg, c->x + (column + 0.5) * c->width, c->y - 5, "s c m", "%" PRIu32,
                first_of(column, c->in_columns, c->columns));
  for (uint32_t m = 0; svg->span != NULL && m < c->hosts; m++)
    svg->span[m] = (gb_span){c->y + gb_cells_row(c, m) * c->height, c->height};
  for (uint32_t row = 0; row < c->rows; row++)
    gb_svg_text(svg, c->x - 10, c->y + (row + 0.5) * c->height + 4, "n e", "%s", row_name(c, row).s);
}

void gb_cells_draw(gb_svg *svg, gb_cells *c, const char *const where[GB_CELL_KINDS], bool phases) {
  draw_names(svg, c);
  for (uint32_t row = 0; row < c->rows; row++)
    for (uint32_t column = 0; column < c->columns; column++) {
      const uint32_t *sends = &c->sends[((size_t)row * c->columns + column) * GB_CELL_KINDS];
      const double part = (sends[GB_CELL_LOCAL] + sends[GB_CELL_GLOBAL]) / could_be(c, row, column);
      c->most = part > c->most ? part : c->most;
    }
  for (uint32_t row = 0; row < c->rows; row++)
    for (uint32_t column = 0; column < c->columns; column++)
      draw_cell(svg, c, row, column, where, phases);
}
