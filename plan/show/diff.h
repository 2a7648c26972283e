/* What changed from an earlier plan to this one: what moved, what got faster or slower, and why. */
#ifndef GB_PLAN_SHOW_DIFF_H
#define GB_PLAN_SHOW_DIFF_H

#include "plan/show/print.h"
#include "plan/show/saved.h"
#include "platform/text/text.h"

/* One of two plans, and what its sites do. */
typedef struct gb_diff_site {
  uint64_t order;  /* of the first edge into it among its sender's children, or 0 */
  double done;     /* s: all of its ranks have all; 0 at a root alone */
  uint64_t inside; /* of the edges inside it, a hash that does not depend on their order */
} gb_diff_site;

typedef struct gb_diff_side {
  const gb_saved *saved;
  gb_names hosts; /* those of the plan, numbered */
  gb_arena arena;
  uint32_t *cluster;  /* by host: of saved->cluster, or GB_NONE: the file does not tell */
  uint32_t root_site; /* or GB_NONE */
  gb_diff_site *site; /* saved->cluster_count */
  bool *feeds;        /* feeder * saved->cluster_count + fed, in any of the trees */
} gb_diff_side;

/* p: knows where hosts are of which the file does not tell it. Plans with trees. */
int gb_diff_side_make(const gb_saved *saved, const gbcast_platform *p, gb_diff_side *out, gbcast_error *err);
void gb_diff_side_free(gb_diff_side *side);

uint32_t gb_diff_cluster_of(const gb_diff_side *side, const char *host);
uint32_t gb_diff_find(const gb_diff_side *side, const char *cluster); /* GB_NONE */

/* Tables of the sites and of the ways between them that are not as they were; nothing where all are. Each
 * sets *any where it has printed something. */
int gb_diff_print_sites(const gb_diff_side *then, const gb_diff_side *now, FILE *out, bool *any);
int gb_diff_print_ways(const gb_diff_side *then, const gb_diff_side *now, const gbcast_platform *p, FILE *out,
                       bool *any);

/* A cell of a table: "then -> now" where these differ, which is returned. */
typedef struct gb_diff_cell {
  char s[2112];
} gb_diff_cell;
bool gb_diff_write(gb_diff_cell *cell, const char *then, const char *now);

/* One more thing to say in a cell, behind a comma if it is not the first; nothing for "". */
void gb_diff_also(gb_diff_cell *cell, const char *words);

/* ", 1.5 times as long" and the end, or nothing. */
gb_text gb_diff_times(double now, double then, const char *end);

/* What the earlier trees would take over the network of the later plan. */
typedef struct gb_diff_old {
  const char *unusable; /* why they cannot be used there, or NULL */
  bool same;            /* they are the trees of the later plan */
  double seconds;
} gb_diff_old;

/* plan: of now. Nothing where the two are of different operations or sizes. */
void gb_diff_print_why(const gb_saved *then, const gb_saved *now, const gbcast_plan *plan,
                       const gb_diff_old *old, FILE *out);

/* Compares in full, as text; one line where nothing has changed. plan: of now. Prints in the C locale, which
 * the caller sets for the thread. GBCAST_EMEMORY. */
int gb_diff_print(const gb_saved *then, const gb_saved *now, const gbcast_plan *plan, const gb_diff_old *old,
                  FILE *out, gbcast_error *err);

#endif
