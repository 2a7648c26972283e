#ifndef GB_PLAN_COMPOSE_H
#define GB_PLAN_COMPOSE_H

#include "plan/planner.h"

/* The composed trees with labels and times. */
typedef struct gb_composed {
  gb_forest forest;
  double makespan;
} gb_composed;

/* Trees over all levels: the sites' trees hung under a tree over sites (site_parent, an entry a site),
 * children in label order for the flow `decided`, then walked with `walked` (another size of the same class).
 * There are as many trees, with equal shares, as the algorithm that makes most of them makes; all have the
 * same edges between sites, and a site whose algorithm makes fewer uses them again.
 */
int gb_compose(gb_planner *pl, const uint32_t *site_parent, const gb_local *local, const gb_flow *decided,
               const gb_flow *walked, gb_composed *out, gbcast_error *err);
void gb_composed_free(gb_composed *c);

#endif
