#include "nws/commands/extract/extract.h"

#include "platform/text/text.h"

#include <string.h>

enum {
  NUMBER_TEXT = 400, /* room for any double without an exponent */
  CELL_MOST = 32     /* the widest column */
};

/* Shortens a text to `most` bytes, as nws_extract does: from the left, a word that begins with a capital
 * keeps that letter alone, and loses the blank behind it, until the rest fits; what still does not is cut.
 * "Sliding Median Window 31" becomes "SM Window 31". Returns the length. */
static size_t shorten(const char *text, size_t length, size_t most, char out[CELL_MOST]) {
  size_t n = 0, at = 0, excess = length > most ? length - most : 0;
  while (excess > 0 && n < most) {
    const char *blank = memchr(text + at, ' ', length - at);
    size_t word = blank != NULL ? (size_t)(blank - text) - at : length - at;
    if (text[at] >= 'A' && text[at] <= 'Z') {
      out[n++] = text[at];
      excess -= word - 1 < excess ? word - 1 : excess;
    } else { /* whole, and a blank */
      for (size_t i = at; i < length && i <= at + word && n < most; i++)
        out[n++] = text[i];
      word += blank != NULL;
    }
    for (at += word; excess > 0 && at < length && text[at] == ' '; at++)
      excess--;
  }
  for (; n < most && at < length; at++)
    out[n++] = text[at];
  return n;
}

/* One cell. Blanks go out before the next text, so that none end a line; those inside a text become '_', so
 * that lines split at blanks. Targets are somebody else's text. */
static void put(FILE *out, const char *whole, size_t length, uint32_t width, uint32_t *gap) {
  char text[CELL_MOST], cell[CELL_MOST];
  (void)gb_quote(cell, width, text, shorten(whole, length, width - 1, text));
  if (*cell != '\0') {
    fprintf(out, "%*s", (int)*gap, "");
    *gap = 0;
  }
  for (const char *c = cell; *c != '\0'; c++)
    putc(*c == ' ' ? '_' : *c, out);
  *gap += width - (uint32_t)strlen(cell);
}

static void print_titles(const gb_extract_printer *p) {
  uint32_t gap = 0;
  for (uint32_t i = 0; i < p->columns.count; i++) {
    const char *title = gb_extract_title(p->columns.field[i]);
    put(p->out, title, strlen(title), gb_extract_width(p->columns.field[i]), &gap);
  }
  putc('\n', p->out);
}

static const char *name_in(const gb_extract_series *series, enum gb_extract_field field) {
  const char *name = field == GB_EXTRACT_SOURCE        ? series->source
                     : field == GB_EXTRACT_DESTINATION ? series->destination
                                                       : series->resource;
  return name != NULL ? name : "";
}

/* A name without its port, and nothing at all when it is that of the row before. */
static gb_view shown_name(const gb_extract_series *series, const gb_extract_series *previous,
                          enum gb_extract_field field) {
  const char *name = name_in(series, field);
  size_t length = strcspn(name, ":");
  if (previous != NULL) {
    const char *before = name_in(previous, field);
    if (strcspn(before, ":") == length && memcmp(before, name, length) == 0)
      length = 0;
  }
  return (gb_view){name, length};
}

/* A number that fills its cell is cut there, exponent or not, as in the original. */
static const char *shown_number(const gb_extract_row *row, enum gb_extract_field field,
                                char text[NUMBER_TEXT]) {
  const double number[] = {
      [GB_EXTRACT_MEASUREMENT] = row->measurement.value, [GB_EXTRACT_MAE_FORECAST] = row->mae.value,
      [GB_EXTRACT_MAE_ERROR] = row->mae.error,           [GB_EXTRACT_MSE_FORECAST] = row->mse.value,
      [GB_EXTRACT_MSE_ERROR] = row->mse.error,
  };
  if (field == GB_EXTRACT_TIME)
    (void)snprintf(text, NUMBER_TEXT, "%.0f", row->measurement.time);
  else
    (void)snprintf(text, NUMBER_TEXT, "%.12g", number[field]);
  return text;
}

static gb_view shown(const gb_extract_row *row, enum gb_extract_field field, char text[NUMBER_TEXT]) {
  bool mae = field == GB_EXTRACT_MAE_METHOD;
  if (!mae && field != GB_EXTRACT_MSE_METHOD)
    return gb_view_of(shown_number(row, field, text));
  const char *method = gb_forecast_method(mae ? row->mae.method : row->mse.method);
  return gb_view_of(method != NULL ? method : "");
}

void gb_extract_print_row(gb_extract_printer *p, const gb_extract_series *series, const gb_extract_row *row) {
  const gb_extract_series *previous = p->previous;
  if (p->header_every > 0 && p->rows % p->header_every == 0) {
    print_titles(p);
    previous = NULL;
  }
  uint32_t gap = 0;
  for (uint32_t i = 0; i < p->columns.count; i++) {
    char number[NUMBER_TEXT];
    enum gb_extract_field field = p->columns.field[i];
    gb_view text =
        field >= GB_EXTRACT_SOURCE ? shown_name(series, previous, field) : shown(row, field, number);
    put(p->out, text.at, text.length, gb_extract_width(field), &gap);
  }
  putc('\n', p->out);
  p->previous = series;
  p->rows++;
}

void gb_extract_print_series(gb_extract_printer *p, const gb_extract_series *series,
                             gb_forecaster *forecaster, const gb_measurement *measurement, uint32_t count,
                             uint32_t most) {
  for (uint32_t i = 0; i < count; i++) {
    gb_extract_row row = {.measurement = measurement[i]};
    gb_forecaster_add(forecaster, measurement[i].value);
    if (gb_forecaster_get(forecaster, &row.mae, &row.mse) && count - i <= most)
      gb_extract_print_row(p, series, &row);
  }
}
