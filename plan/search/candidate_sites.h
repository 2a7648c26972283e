#ifndef GB_PLAN_SEARCH_CANDIDATE_SITES_H
#define GB_PLAN_SEARCH_CANDIDATE_SITES_H

#include "plan/search/candidate.h"

/* Prices one choice of LAN algorithms with the trees over sites of the algorithms first <= inter < end, and
 * hands each that is walked to `visit`. `model`: what all the trials have in common. *best: the algorithm
 * with the least price; left alone when there is none. */
int gb_trial_sites(gb_planner *pl, const gb_flow *flow, const gb_local *local, const gb_trial *model,
                   size_t first, size_t end, gb_trial_visit *visit, void *context, size_t *best,
                   gbcast_error *err);

/* The graph for messages of a segment, or of the whole size. */
int gb_trial_graph(gb_planner *pl, const gb_flow *flow, bool whole, const gb_local *local,
                   gb_site_graph *graph, gbcast_error *err);

#endif
