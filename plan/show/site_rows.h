/* The tree over sites as a list: what the text and the pictures show of it. */
#ifndef GB_PLAN_SHOW_SITE_ROWS_H
#define GB_PLAN_SHOW_SITE_ROWS_H

#include "plan/show/print.h"

typedef struct gb_site_row { /* a site and the WAN edge that feeds it; from is GB_NONE for the root's site */
  uint32_t site, from, to, order;
  uint32_t feeder; /* the row of the site that feeds it, or GB_NONE */
  double arrival,
      done; /* at the first endpoints that are fed, at the last of the site; over all trees. Of what
               goes up: when the first leader begins to send, when all has come from the last */
} gb_site_row;

/* Fills rows[plan->site_count]: the sites of one tree, level by level, each with the first edge into it.
 * GBCAST_EMEMORY. */
int gb_site_rows(const gbcast_plan *plan, uint32_t tree, gb_site_row *rows);

/* Only the sites, in the order of these rows of the first tree, to be freed; NULL: out of memory. */
uint32_t *gb_sites_in_order(const gbcast_plan *plan);

/* The route of that edge, or "?" for both. */
void gb_site_row_link(const gbcast_plan *plan, const gb_site_row *row, gb_text *latency, gb_text *bandwidth);

#endif
