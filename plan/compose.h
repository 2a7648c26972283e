#ifndef GB_PLAN_COMPOSE_H
#define GB_PLAN_COMPOSE_H

#include "plan/planner.h"

/* Everything about one composed tree; arrays have an entry an endpoint. */
typedef struct gb_composed {
  gb_shape shape;
  gb_edges edges;
  double *label, *start, *arrival;
  double makespan;
} gb_composed;

/* One tree over all levels: the sites' trees hung under a tree over sites (site_parent, an entry a site),
 * children in label order for the flow `decided`, then walked with `walked` (another size of the same class).
 */
int gb_compose(gb_planner *pl, const uint32_t *site_parent, const gb_locals *locals, const gb_flow *decided,
               const gb_flow *walked, gb_composed *out, gbcast_error *err);
void gb_composed_free(gb_composed *c);

#endif
