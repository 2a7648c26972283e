#ifndef GB_PLAN_SHOW_SVG_SITE_TREE_H
#define GB_PLAN_SHOW_SVG_SITE_TREE_H

#include "plan/show/site_rows.h"
#include "plan/show/svg.h"

typedef struct gb_site_item {
  gb_site_row row;
  uint32_t parent, first_child, last_child, next, depth; /* items */
  bool critical, drawn;
  double y;
} gb_site_item;

typedef struct gb_site_outline { /* what is drawn of one tree; at x, where the first column is */
  const gbcast_plan *plan;
  gb_site_item *item;              /* site_count, level by level */
  uint32_t *site_of;               /* by endpoint */
  uint32_t *item_of;               /* by site */
  double x, indent, from, figures; /* of columns; the next tree begins after `figures` */
} gb_site_outline;

/* The tree over sites of one tree: fills `item`. critical: of gb_critical_path; rows: site_count, scratch.
 * GBCAST_OK or GBCAST_EMEMORY. */
int gb_site_outline_fill(gb_site_outline *o, uint32_t tree, const bool *critical, gb_site_row *rows);

#endif
