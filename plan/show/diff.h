/* What changed from an earlier plan to this one: what moved, what got faster or slower, and why. */
#ifndef GB_PLAN_SHOW_DIFF_H
#define GB_PLAN_SHOW_DIFF_H

#include "plan/show/print.h"
#include "platform/text/text.h"

/* One of two plans, and what its sites do. */
typedef struct gb_diff_site {
  uint64_t order;  /* of the first edge into it among its sender's children, or 0 */
  double done;     /* s: when all of its ranks have everything; 0 for a root alone */
  uint64_t inside; /* of the edges inside it, a hash that does not depend on their order */
} gb_diff_site;

typedef struct gb_diff_side {
  const gb_saved *saved;
  gb_names hosts; /* those of the plan, numbered */
  gb_arena arena;
  uint32_t *cluster;  /* by host: of saved->cluster, or GB_NONE: the file does not say it */
  uint32_t root_site; /* or GB_NONE */
  gb_diff_site *site; /* saved->cluster_count */
  bool *feeds;        /* feeder * saved->cluster_count + fed, in any of the trees */
} gb_diff_side;

/* Of a plan with trees. p: has the clusters of hosts that the file does not name. GBCAST_EMEMORY. */
int gb_diff_side_make(const gb_saved *saved, const gbcast_platform *p, gb_diff_side *out, gbcast_error *err);
void gb_diff_side_free(gb_diff_side *side);

uint32_t gb_diff_cluster_of(const gb_diff_side *side, const char *host);
uint32_t gb_diff_find(const gb_diff_side *side, const char *cluster); /* GB_NONE */

/* Tables of the sites and of the links between them that are not as they were; nothing where all are. Each
 * sets *any where it has printed something. GBCAST_EMEMORY. */
int gb_diff_print_sites(const gb_diff_side *then, const gb_diff_side *now, FILE *out, bool *any);
int gb_diff_print_links(const gb_diff_side *then, const gb_diff_side *now, const gbcast_platform *p,
                        FILE *out, bool *any);

/* Prints such a table, unless it has only its title, and how many rows it has left out: "more site". */
int gb_diff_print_table(gb_table *table, const char *more, FILE *out, bool *any);

/* Writes a cell of a table: "then -> now" where these differ. Returns whether they do. */
typedef struct gb_diff_cell {
  char s[2112];
} gb_diff_cell;
bool gb_diff_write(gb_diff_cell *cell, const char *then, const char *now);

/* ", 1.5 times as long" and the end, or nothing. */
gb_text gb_diff_times(double now, double then, const char *end);

/* plan: of now. Nothing where the two are of different operations or sizes. */
void gb_diff_print_why(const gb_saved *then, const gb_saved *now, const gbcast_plan *plan,
                       const gb_diff_old *old, FILE *out);

#endif
