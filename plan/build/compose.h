#ifndef GB_PLAN_BUILD_COMPOSE_H
#define GB_PLAN_BUILD_COMPOSE_H

#include "plan/build/build.h"

/* Composes trees over all levels: the sites' trees hang below the leaders of a tree over sites. Children are
 * in label order for the flow.
 *
 * In each stage, tree t of a lane combines tree t of the stage's trees over sites with tree t of each site's
 * trees, both modulo how many there are. It has the share of the former. There are as many trees as the
 * algorithm with the most trees makes, rounded up to a multiple of the stage's trees over sites. Every tree
 * exists once for each lane; the lanes of a tree follow each other in out->schedule.
 *
 * choice: by site. GBCAST_EUSAGE: more than GB_TREES_MOST trees; GBCAST_EMEMORY. */
int gb_compose(gb_planner *pl, const gb_site_trees *sites, const gb_host_choice *choice, const gb_flow *flow,
               gb_composed *out, gbcast_error *err);

/* The same trees, with children not yet linked and ordered (gb_schedule_order). */
int gb_compose_join(gb_planner *pl, const gb_site_trees *sites, const gb_host_choice *choice,
                    const gb_flow *flow, gb_composed *out, gbcast_error *err);

#endif
