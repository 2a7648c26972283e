/* Quantities as a person reads them, numbers as a program reads them back, tables, and text to work on. */
#include "plan/show/print.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

gb_text gb_text_of(const char *format, ...) {
  gb_text t;
  va_list list;
  va_start(list, format);
  (void)vsnprintf(t.s, sizeof t.s, format, list);
  va_end(list);
  return t;
}

gb_text gb_text_usd(double usd) {
  return gb_text_of(usd == 0 || usd >= 1 ? "%.2f USD" : "%.4g USD", usd);
}

gb_text gb_text_seconds(double seconds) {
  static const struct {
    double unit;
    const char *name;
  } scale[] = {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  if (!isfinite(seconds))
    return gb_text_of(isnan(seconds) ? "?" : "never");
  if (seconds == 0.0)
    return gb_text_of("0 s");
  if (fabs(seconds) >= 9999.5)
    return gb_text_of("%.0f s", seconds);
  size_t i = 0;
  while (i < 3 && fabs(seconds) < scale[i].unit * 0.99995)
    i++;
  return gb_text_of("%.4g %s", seconds / scale[i].unit, scale[i].name);
}

gb_text gb_text_bytes(uint64_t bytes) {
  static const char *const name[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t i = 0;
  for (; i < 4 && bytes != 0 && bytes % 1024 == 0; i++)
    bytes /= 1024;
  return gb_text_of("%llu %s", (unsigned long long)bytes, name[i]);
}

gb_text gb_text_rate(double bytes_a_second) {
  static const char *const name[] = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};
  if (!isfinite(bytes_a_second))
    return gb_text_of("no limit");
  double v = bytes_a_second * 8.0;
  size_t i = 0;
  for (; i < 4 && v >= 999.95; i++)
    v /= 1000.0;
  return gb_text_of("%.4g %s", v, name[i]);
}

gb_text gb_text_number(double value) {
  gb_text t = gb_text_of("%.15g", value);
  for (int digits = 16; digits <= 17 && strtod(t.s, NULL) != value; digits++)
    t = gb_text_of("%.*g", digits, value);
  return t;
}

gb_text gb_text_whole(uint64_t value) {
  return gb_text_of("%llu", (unsigned long long)value);
}

gb_text gb_text_count(uint64_t n, const char *noun) {
  return gb_text_of("%llu %s%s", (unsigned long long)n, noun, n == 1 ? "" : "s");
}

void gb_append(char *text, size_t size, const char *format, ...) {
  const size_t length = strlen(text);
  va_list list;
  va_start(list, format);
  (void)vsnprintf(text + length, size - length, format, list);
  va_end(list);
}

void gb_append_word(char *text, size_t size, const char *word) {
  if (*word != '\0')
    gb_append(text, size, "%s%s", *text != '\0' ? ", " : "", word);
}

bool gb_plan_is_alone(const gbcast_plan *plan, uint32_t endpoint) {
  const gb_endpoint *e = &plan->schedule.endpoint[endpoint];
  return (endpoint == 0 || e[-1].host != e->host) &&
         (endpoint + 1 == plan->schedule.endpoint_count || e[1].host != e->host);
}

gb_text gb_text_rank(const gbcast_plan *plan, uint32_t endpoint, bool numbered) {
  return numbered ? gb_text_of("#%u", plan->schedule.endpoint[endpoint].k) : (gb_text){""};
}

gb_text gb_text_segment(const gbcast_plan *plan, uint64_t segment) {
  return segment >= gb_plan_total(plan) ? (gb_text){"whole"} : gb_text_bytes(segment);
}

gb_text gb_text_objective(double within) {
  return within == 0 ? gb_text_of("time") : isinf(within) ? gb_text_of("cost") : gb_text_number(within);
}

static void add_cell(gb_table *table, const char *text) {
  const size_t size = GB_QUOTED(strlen(text));
  if (table->most > 0 && table->cells == (table->most + 1) * table->columns) {
    table->left_out++;
    return;
  }
  char **grown = gb_grow(table->cell, table->cells, &table->capacity, sizeof *grown), *cell = malloc(size);
  table->cell = grown != NULL ? grown : table->cell;
  table->failed = table->failed || grown == NULL || cell == NULL;
  if (table->failed)
    free(cell);
  else
    table->cell[table->cells++] = gb_quote_message(cell, size, text);
}

void gb_table_row(gb_table *table, ...) {
  va_list list;
  va_start(list, table);
  for (const char *text = va_arg(list, const char *); text != NULL; text = va_arg(list, const char *))
    add_cell(table, text);
  va_end(list);
}

void gb_table_add(gb_table *table, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  table->failed = table->failed || text == NULL;
  if (text == NULL)
    return;
  va_start(args, format);
  (void)vsnprintf(text, (size_t)length + 1, format, args);
  va_end(args);
  add_cell(table, text);
  free(text);
}

static void print_row(const gb_table *table, char *const *cell, uint32_t count, const int *width, FILE *out) {
  const char *gap = "";
  while (count > 1 && (table->align[count - 1] == '-' || cell[count - 1][0] == '\0'))
    count--;
  for (uint32_t c = 0; c < count; c++)
    if (table->align[c] != '-') {
      const int left = c + 1 == count ? 0 : -width[c]; /* no blanks at the end */
      fprintf(out, "%s%*s", gap, table->align[c] == 'r' ? width[c] : left, cell[c]);
      gap = "  ";
    }
  putc('\n', out);
}

int gb_table_print(gb_table *table, FILE *out) {
  int *width = calloc(table->columns, sizeof *width);
  const int rc = table->failed || width == NULL ? GBCAST_EMEMORY : GBCAST_OK;
  for (uint32_t i = 0; rc == GBCAST_OK && i < table->cells; i++) {
    const int length = (int)strlen(table->cell[i]);
    int *w = &width[i % table->columns];
    *w = length > *w ? length : *w;
  }
  for (uint32_t i = 0; rc == GBCAST_OK && i < table->cells; i += table->columns) {
    const uint32_t rest = table->cells - i;
    print_row(table, &table->cell[i], rest < table->columns ? rest : table->columns, width, out);
  }
  free(width);
  gb_table_drop(table);
  return rc;
}

void gb_table_drop(gb_table *table) {
  for (uint32_t i = 0; i < table->cells; i++)
    free(table->cell[i]);
  free(table->cell);
  *table = (gb_table){0};
}

char *gb_printed(const gbcast_plan *plan, void (*print)(const gbcast_plan *plan, FILE *out)) {
  char *text = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&text, &length);
  if (memory == NULL)
    return NULL;
  print(plan, memory);
  if (fclose(memory) != 0) {
    free(text);
    return NULL;
  }
  return text;
}

gb_text gb_text_what(enum gbcast_operation operation, uint64_t bytes) {
  const bool sized = gb_has_size(operation);
  return gb_text_of("%s%s%s", gb_operation_table[operation].title, sized ? " of " : "",
                    sized ? gb_text_bytes(bytes).s : "");
}

uint64_t gb_plan_total(const gbcast_plan *plan) {
  uint64_t blocks = gb_carries_blocks(plan->operation) && plan->schedule.endpoint_count > 1
                        ? plan->schedule.endpoint_count - 1
                        : 1;
  return plan->bytes > UINT64_MAX / blocks ? UINT64_MAX : plan->bytes * blocks;
}
