#ifndef GB_PLAN_SEARCH_SPEC_SITES_H
#define GB_PLAN_SEARCH_SPEC_SITES_H

#include "plan/search/spec.h"

/* Prices one choice of LAN algorithms with the trees over sites of the algorithms first <= inter < end, and
 * hands each that is walked to `visit`. `model`: what all the trials have in common. *best: the algorithm
 * with the least price; left alone when there is none. */
int gb_specs_price_sites(gb_planner *pl, const gb_flow *flow, const gb_host_choice *choice,
                         const gb_spec *model, size_t first, size_t end, gb_spec_visit *visit, void *context,
                         size_t *best, gbcast_error *err);

/* The graph for messages of a segment, or of the whole size. */
int gb_spec_graph(gb_planner *pl, const gb_flow *flow, bool whole, const gb_host_choice *choice,
                  gb_site_graph *graph, gbcast_error *err);

#endif
