/* Plans as text, JSON, pictures and traces; plans read back from JSON; and what changed between two. All of
 * it prints in the C locale, which the caller sets for the thread (uselocale). */
#ifndef GB_PLAN_SHOW_SHOW_H
#define GB_PLAN_SHOW_SHOW_H

#include "plan/alltoall/alltoall.h"
#include "plan/core/core.h"
#include "plan/show/saved.h"
#include "plan/show/trace.h"

/* A number or a quantity as text; big enough for every function below. */
typedef struct gb_text {
  char s[40];
} gb_text;

/* Cut where it is longer. */
__attribute__((format(printf, 1, 2))) gb_text gb_text_of(const char *format, ...);
gb_text gb_text_seconds(double seconds); /* 46 ms, 7.25 us; three or four digits */
gb_text gb_text_usd(double usd);         /* 12.34 USD; below one, four digits */
gb_text gb_text_bytes(uint64_t bytes);   /* 1 MiB, 1000000 B: exact, never rounded */
gb_text gb_text_what(enum gbcast_operation operation, uint64_t bytes); /* Broadcast of 1 MiB; Barrier */
gb_text gb_text_rate(double bytes_a_second);                           /* 100 Mbit/s */
gb_text gb_text_number(double value); /* the shortest that reads back as the same double */
gb_text gb_text_whole(uint64_t value);
gb_text gb_text_count(uint64_t n, const char *noun); /* 1 host, 2 hosts */
gb_text gb_text_objective(double within);            /* as --objective takes it: time, cost, or seconds */
gb_text gb_text_sync(gb_sync_choice choice);         /* as --sync takes it: sender-partial:8 */

/* Appends to a text in an array of that size; and with a comma before it unless it is the first, or "". */
__attribute__((format(printf, 3, 4))) void gb_append(char *text, size_t size, const char *format, ...);
void gb_append_word(char *text, size_t size, const char *word);

/* The algorithm, lanes, trees and segments of a broadcast or scatter, on one line. */
void gb_print_how(const gbcast_plan *plan, FILE *out);

/* A table of text with aligned columns. Cells are kept until the whole table is printed. */
typedef struct gb_table {
  uint32_t columns, cells, capacity;
  const char *align; /* for each column 'l' or 'r', or '-' where it is not shown */
  uint32_t most;     /* rows that are kept, besides the title; 0: all */
  uint32_t left_out; /* cells of further ones */
  char **cell;
  bool failed; /* out of memory */
} gb_table;

__attribute__((sentinel)) void gb_table_row(gb_table *table, ...); /* its cells, up to NULL */
__attribute__((format(printf, 2, 3))) void gb_table_add(gb_table *table, const char *format,
                                                        ...); /* a cell */
/* Prints the table without blanks at the ends of its rows, and frees it. GBCAST_EMEMORY. */
int gb_table_print(gb_table *table, FILE *out);
void gb_table_drop(gb_table *table); /* frees it */

/* The printers of broadcasts and scatters. Each returns GBCAST_OK or GBCAST_EMEMORY; the caller looks at
 * ferror(out). */
int gb_print_text(const gbcast_plan *plan, FILE *out);
int gb_print_json(const gbcast_plan *plan, FILE *out);
int gb_print_compare(const gbcast_plan *plan, FILE *out);
int gb_print_dot(const gbcast_plan *plan, FILE *out);
int gb_print_trace(const gbcast_plan *plan, FILE *out);

/* Those of all operations. */
int gb_print_svg(const gbcast_plan *plan, FILE *out);
int gb_print_html(const gbcast_plan *plan, FILE *out);

/* Those of all-to-alls, alike. */
int gb_print_alltoall_text(const gbcast_plan *plan, FILE *out);
int gb_print_alltoall_json(const gbcast_plan *plan, FILE *out);
int gb_print_alltoall_compare(const gbcast_plan *plan, FILE *out);
int gb_print_alltoall_dot(const gbcast_plan *plan, FILE *out);
int gb_print_alltoall_trace(const gbcast_plan *plan, FILE *out);

/* Plans of which none is beaten in both time and cost. */
typedef struct gb_pareto_point {
  gbcast_plan *plan;
  double within; /* the request's objective for which it was made (gbcast_request) */
} gb_pareto_point;

typedef struct gb_pareto {
  size_t count;             /* 1 at least */
  gb_pareto_point *point;   /* count; the faster ones first, the cheaper ones last */
  double bound, cost_bound; /* s and USD: nothing is faster, or cheaper; the latter NAN: not known */
} gb_pareto;

/* All plans of the list have the same request but for the objective, and cost something. GBCAST_OK or
 * GBCAST_EMEMORY; the caller looks at ferror(out). */
int gb_pareto_text(const gb_pareto *pareto, FILE *out);
int gb_pareto_json(const gb_pareto *pareto, FILE *out);
int gb_pareto_svg(const gb_pareto *pareto, FILE *out);

/* What the earlier trees would take over the network of the later plan. */
typedef struct gb_diff_old {
  const char *unusable; /* why they cannot be used there, or NULL */
  bool same;            /* they are the trees of the later plan */
  double seconds;
} gb_diff_old;

/* What changed from the plan `then` to the plan `now`, and why, as text; one line where nothing has changed.
 * plan: the later one, of which `now` is what its JSON says. GBCAST_EMEMORY. */
int gb_diff_print(const gb_saved *then, const gb_saved *now, const gbcast_plan *plan, const gb_diff_old *old,
                  FILE *out, gbcast_error *err);

#endif
