#ifndef GB_PLAN_SEARCH_SPEC_H
#define GB_PLAN_SEARCH_SPEC_H

#include "plan/search/compose.h"

/* What a segment size and a number of lanes mean for the plan's size class. */
gb_flow gb_spec_flow(const gb_planner *pl, uint64_t segment, uint32_t lanes);

/* Prices, at the plan's size class, the trees of the algorithms first <= inter < end over the sites with the
 * given segment, lanes, LAN algorithms and pair of mixes, and hands each that is worth a walk (trial_sites.c)
 * to `visit` with trial->predicted set. */
typedef void gb_spec_visit(void *context, const gb_spec *spec);
int gb_specs_price(gb_planner *pl, uint64_t segment, uint32_t lanes, size_t intra, size_t options,
                   size_t first, size_t end, gb_spec_visit *visit, void *context, gbcast_error *err);

/* The same with the trees over sites of another trial alone, and so many mixes from the given one on; of the
 * planner's own trees, only the segment differs. */
int gb_specs_price_like(gb_planner *pl, const gb_spec *like, uint64_t segment, uint32_t lanes, size_t intra,
                        size_t options, size_t options_count, gb_spec_visit *visit, void *context,
                        gbcast_error *err);

/* Takes over the one tree over sites and the LAN algorithms of a trial as the planner's own, changes the tree
 * where it may and that helps (improve.c), and prices it then. Once for each planner. */
int gb_spec_own(gb_planner *pl, gb_spec *spec, bool may_change, bool *changed, gbcast_error *err);

/* Builds one trial and simulates it at `bytes`. The fastest of all is handed on as it was simulated, once; so
 * is its time where that was at `bytes`. *local, the planner's, has an entry a site. */
int gb_spec_build(gb_planner *pl, const gb_spec *spec, uint64_t bytes, const gb_host_choice **choice,
                  gb_composed *out, gbcast_error *err);

#endif
