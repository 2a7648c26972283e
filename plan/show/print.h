/* What the printers share. Everything here prints in the C locale, which gbcast_plan_print sets for the
 * thread. */
#ifndef GB_PLAN_SHOW_PRINT_H
#define GB_PLAN_SHOW_PRINT_H

#include "plan/core/core.h"

/* A number or a quantity as text; big enough for every function below. */
typedef struct gb_text {
  char s[40];
} gb_text;

gb_text gb_text_seconds(double seconds);     /* 46 ms, 7.25 us; three or four digits */
gb_text gb_text_bytes(uint64_t bytes);       /* 1 MiB, 1000000 B: exact, never rounded */
gb_text gb_text_rate(double bytes_a_second); /* 100 Mbit/s */
gb_text gb_text_number(double value);        /* the shortest that reads back as the same double */

/* What leaves the root for all ranks: the message, or a block for each other rank. A plan whose segment is
 * not less sends whole messages. */
uint64_t gb_plan_total(const gbcast_plan *plan);
uint64_t gb_plan_share(const gbcast_plan *plan, uint32_t tree); /* bytes of it that go down one tree */

void gb_print_header(const gbcast_plan *plan, FILE *out); /* what is sent, and to how many: a line */
void gb_print_how(const gbcast_plan *plan, FILE *out);
void gb_print_head(const gbcast_plan *plan, FILE *out); /* both */
/* What a printer of text prints, to be freed; NULL when out of memory. */
char *gb_printed(const gbcast_plan *plan, void (*print)(const gbcast_plan *plan, FILE *out));
void gb_print_times(const gbcast_plan *plan, FILE *out);       /* the last line, behind an empty one */
void gb_print_plural(FILE *out, uint64_t n, const char *noun); /* 1 host, 2 hosts */

/* The links with live values laid over them; unless `all`, those that these change, or that had some of no
 * use. Without such values nothing. */
int gb_print_live(const gbcast_platform *p, bool all, FILE *out);
int gb_print_links(const gbcast_plan *plan, FILE *out); /* the elements of JSON's `links`; GBCAST_EMEMORY */
void gb_print_sources(const gbcast_platform *p, FILE *out); /* the elements of JSON's `sources` */

/* Each returns GBCAST_OK or GBCAST_EMEMORY; the caller looks at ferror(out). */
int gb_print_text(const gbcast_plan *plan, FILE *out);
int gb_print_json(const gbcast_plan *plan, FILE *out);
int gb_print_compare(const gbcast_plan *plan, FILE *out);
int gb_print_dot(const gbcast_plan *plan, FILE *out);
int gb_print_trace(const gbcast_plan *plan, FILE *out);

/* A table of text with aligned columns. Cells are kept until the whole table is printed. */
typedef struct gb_table {
  size_t columns, cells, capacity;
  const char *align; /* a letter a column: l or r */
  char **cell;
  bool failed; /* out of memory */
} gb_table;

__attribute__((format(printf, 2, 3))) void gb_table_add(gb_table *table, const char *format, ...);
int gb_table_print(gb_table *table, FILE *out); /* and frees it; rows keep no blanks at their end */
void gb_table_drop(gb_table *table);            /* frees it */

#endif
