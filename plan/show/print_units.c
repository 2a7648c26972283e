/* Quantities as a person reads them, numbers as a program reads them back, tables, and text to work on. */
#include "plan/show/print.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

gb_text gb_text_usd(double usd) {
  gb_text t;
  snprintf(t.s, sizeof t.s, usd == 0 || usd >= 1 ? "%.2f USD" : "%.4g USD", usd);
  return t;
}

gb_text gb_text_seconds(double seconds) {
  static const struct {
    double unit;
    const char *name;
  } scale[] = {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  gb_text t;
  if (!isfinite(seconds)) {
    snprintf(t.s, sizeof t.s, "%s", isnan(seconds) ? "?" : "never");
    return t;
  }
  if (seconds == 0.0) {
    snprintf(t.s, sizeof t.s, "0 s");
    return t;
  }
  size_t i = 0;
  while (i < 3 && fabs(seconds) < scale[i].unit * 0.99995) {
    i++;
  }
  snprintf(t.s, sizeof t.s, "%.4g %s", seconds / scale[i].unit, scale[i].name);
  if (fabs(seconds) >= 9999.5) {
    snprintf(t.s, sizeof t.s, "%.0f s", seconds);
  }
  return t;
}

gb_text gb_text_bytes(uint64_t bytes) {
  static const char *const name[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t i = 0;
  while (i < 4 && bytes != 0 && bytes % 1024 == 0) {
    bytes /= 1024;
    i++;
  }
  gb_text t;
  snprintf(t.s, sizeof t.s, "%llu %s", (unsigned long long)bytes, name[i]);
  return t;
}

gb_text gb_text_rate(double bytes_a_second) {
  static const char *const name[] = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};
  gb_text t;
  if (!isfinite(bytes_a_second)) {
    snprintf(t.s, sizeof t.s, "no limit");
    return t;
  }
  double v = bytes_a_second * 8.0;
  size_t i = 0;
  while (i < 4 && v >= 999.95) {
    v /= 1000.0;
    i++;
  }
  snprintf(t.s, sizeof t.s, "%.4g %s", v, name[i]);
  return t;
}

gb_text gb_text_number(double value) {
  gb_text t;
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(t.s, sizeof t.s, "%.*g", digits, value);
    if (strtod(t.s, NULL) == value) {
      break;
    }
  }
  return t;
}

gb_text gb_text_rank(const gbcast_plan *plan, uint32_t endpoint, bool numbered) {
  gb_text t = {""};
  if (numbered)
    (void)snprintf(t.s, sizeof t.s, "#%u", plan->schedule.endpoint[endpoint].k);
  return t;
}

gb_text gb_text_segment(const gbcast_plan *plan, uint64_t segment) {
  return segment >= gb_plan_total(plan) ? (gb_text){"whole"} : gb_text_bytes(segment);
}

gb_text gb_text_objective(double within) {
  gb_text t;
  if (within == 0 || isinf(within))
    (void)snprintf(t.s, sizeof t.s, within == 0 ? "time" : "cost");
  else
    t = gb_text_number(within);
  return t;
}

void gb_table_add(gb_table *table, const char *format, ...) {
  if (table->failed) {
    return;
  }
  if (table->cells == table->capacity) {
    size_t capacity = table->capacity == 0 ? 64 : table->capacity * 2;
    char **cell = realloc(table->cell, capacity * sizeof *cell);
    if (cell == NULL) {
      table->failed = true;
      return;
    }
    table->cell = cell;
    table->capacity = capacity;
  }
  va_list args;
  va_start(args, format);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  char *cell = length < 0 ? NULL : malloc(GB_QUOTED((size_t)length));
  if (text == NULL || cell == NULL) {
    free(text);
    free(cell);
    table->failed = true;
    return;
  }
  va_start(args, format);
  vsnprintf(text, (size_t)length + 1, format, args);
  va_end(args);
  table->cell[table->cells++] = gb_quote_message(cell, GB_QUOTED((size_t)length), text);
  free(text);
}

static void print_rows(const gb_table *table, const size_t *width, FILE *out) {
  for (size_t i = 0; i < table->cells; i += table->columns) {
    size_t last = table->columns;
    while (last > 1 && (i + last > table->cells || table->cell[i + last - 1][0] == '\0')) {
      last--;
    }
    for (size_t c = 0; c < last; c++) {
      const char *text = table->cell[i + c];
      int w = (int)width[c];
      const char *gap = c == 0 ? "" : "  ";
      if (table->align[c] == 'r') {
        fprintf(out, "%s%*s", gap, w, text);
      } else {
        fprintf(out, "%s%-*s", gap, c + 1 == last ? 0 : w, text);
      }
    }
    putc('\n', out);
  }
}

int gb_table_print(gb_table *table, FILE *out) {
  size_t *width = calloc(table->columns, sizeof *width);
  int rc = table->failed || width == NULL ? GBCAST_EMEMORY : GBCAST_OK;
  if (rc == GBCAST_OK) {
    for (size_t i = 0; i < table->cells; i++) {
      size_t length = strlen(table->cell[i]);
      size_t *w = &width[i % table->columns];
      *w = length > *w ? length : *w;
    }
    print_rows(table, width, out);
  }
  free(width);
  gb_table_drop(table);
  return rc;
}

void gb_table_drop(gb_table *table) {
  for (size_t i = 0; i < table->cells; i++) {
    free(table->cell[i]);
  }
  free(table->cell);
  *table = (gb_table){0};
}

char *gb_printed(const gbcast_plan *plan, void (*print)(const gbcast_plan *plan, FILE *out)) {
  char *text = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&text, &length);
  if (memory == NULL) {
    return NULL;
  }
  print(plan, memory);
  if (fclose(memory) != 0) {
    free(text);
    return NULL;
  }
  return text;
}

gb_text gb_text_what(enum gbcast_operation operation, uint64_t bytes) {
  const gb_text size = gb_text_bytes(bytes);
  const bool sized = operation != GBCAST_BARRIER;
  gb_text text;
  (void)snprintf(text.s, sizeof text.s, "%.14s%s%.20s", gb_operation_table[operation].title,
                 sized ? " of " : "", sized ? size.s : "");
  return text;
}

uint64_t gb_plan_total(const gbcast_plan *plan) {
  uint64_t blocks = gb_carries_blocks(plan->operation) && plan->schedule.endpoint_count > 1
                        ? plan->schedule.endpoint_count - 1
                        : 1;
  return plan->bytes > UINT64_MAX / blocks ? UINT64_MAX : plan->bytes * blocks;
}
