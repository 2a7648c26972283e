#ifndef GB_PLAN_SEARCH_SPEC_SITES_H
#define GB_PLAN_SEARCH_SPEC_SITES_H

#include "plan/search/spec.h"

/* Prices one choice of algorithms inside the sites (choice, by site) with the trees over sites of the
 * algorithms first <= inter < end, and hands each spec that is simulated to `visit`. model: what all these
 * specs have in common. *best: the algorithm with the least price; unchanged if there is none. Statuses as
 * gb_specs_price. */
int gb_specs_price_sites(gb_planner *pl, const gb_flow *flow, const gb_host_choice *choice,
                         const gb_spec *model, size_t first, size_t end, gb_spec_visit *visit, void *context,
                         size_t *best, gbcast_error *err);

/* Makes the site graph for messages of a segment, or of the whole size. Statuses of gb_site_graph_make. */
int gb_spec_graph(gb_planner *pl, const gb_flow *flow, bool whole, const gb_host_choice *choice,
                  gb_site_graph *graph, gbcast_error *err);

#endif
