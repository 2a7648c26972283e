/* The tree over sites of an image: a line for each site, below the one that feeds it.
 *
 *   o ottawa
 *   +--o lyon       n0.ottawa
 *   |  +--o nice    l0.lyon
 *   +--o carleton   n0.ottawa */
#ifndef GB_PLAN_SHOW_SVG_SITE_TREE_H
#define GB_PLAN_SHOW_SVG_SITE_TREE_H

#include "plan/show/site_rows.h"
#include "plan/show/svg.h"

#define GB_SITES_IN_TABLE                                                                                    \
  40u /* in larger grids rows of time lines are sites, and the tree is beside them                           \
       */

typedef struct gb_site_item { /* what is drawn of a row */
  uint32_t depth;
  uint32_t below, taken; /* lines of what it feeds, at any distance; of these those that are given out */
  bool critical;
  double y;
} gb_site_item;

typedef struct gb_site_outline { /* what is drawn of one tree; at x, where the first column is */
  const gbcast_plan *plan;
  uint32_t shown;                  /* of the items, the first ones */
  gb_site_row *row;                /* site_count, level by level */
  gb_site_item *item;              /* the same */
  uint32_t *site_of;               /* by endpoint */
  uint32_t *item_of;               /* by site */
  double step;                     /* from line to line */
  double x, indent, from, figures; /* of columns; the next tree begins after `figures` */
} gb_site_outline;

/* GBCAST_OK or GBCAST_EMEMORY; gb_site_outline_end either way. */
int gb_site_outline_begin(gb_site_outline *o, const gbcast_plan *plan, uint32_t shown, double step);
void gb_site_outline_end(gb_site_outline *o);

/* The tree over sites of one tree, with its columns from x. critical: of gb_critical_path. GBCAST_OK or
 * GBCAST_EMEMORY. */
int gb_site_outline_fill(gb_site_outline *o, uint32_t tree, const bool *critical, double x);
const char *gb_site_outline_class(const gb_site_outline *o, const char *small, const char *large);
/* Its lines, below the title of the columns at svg->y. */
void gb_site_outline_draw(gb_svg *svg, gb_site_outline *o);

#endif
