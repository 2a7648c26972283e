/* Candidates: pricing them, building their trees. */
#ifndef GB_PLAN_SEARCH_SPEC_H
#define GB_PLAN_SEARCH_SPEC_H

#include "plan/search/compose.h"

/* The flow of a spec with this segment size and these lanes, at the plan's size class. */
gb_flow gb_spec_flow(const gb_planner *pl, uint64_t segment, uint32_t lanes);

/* For each inter algorithm from `first` to end - 1: prices its trees over sites at the plan's size class,
 * with this segment (bytes), lanes and intra algorithm. options: the first of a pair (GB_HOST_OPTIONS_PAIR).
 * Hands each spec that is worth a simulation (spec_sites.c) to `visit`, with spec->predicted set. Candidates
 * of too many segments are left out. GBCAST_EMEMORY; statuses of gb_traffic_find. */
typedef void gb_spec_visit(void *context, const gb_spec *spec);
int gb_specs_price(gb_planner *pl, uint64_t segment, uint32_t lanes, size_t intra, size_t options,
                   size_t first, size_t end, gb_spec_visit *visit, void *context, gbcast_error *err);

/* The same with the trees over sites of the spec `like` only, and `options_count` host options from `options`
 * on. If these trees are the planner's own, only the segment changes. */
int gb_specs_price_like(gb_planner *pl, const gb_spec *like, uint64_t segment, uint32_t lanes, size_t intra,
                        size_t options, size_t options_count, gb_spec_visit *visit, void *context,
                        gbcast_error *err);

/* Takes over the one tree over sites and the LAN algorithms of a spec as the planner's own
 * (gb_planner.own_tree). Changes the tree if may_change is set and that helps (local_search.c); *changed says
 * so, and then the spec is priced again. Only once for each planner. Statuses as above. */
int gb_spec_own(gb_planner *pl, gb_spec *spec, bool may_change, bool *changed, gbcast_error *err);

/* Builds the trees of a spec and simulates them at `bytes`. If it is the planner's fastest and of
 * the same size, its simulated trees move to *out, the first time, and are not simulated again. *choice,
 * which belongs to the planner, has an entry for each site; *out is to be given to gb_composed_free.
 * GBCAST_EINPUT: a site is out of reach; GBCAST_EUSAGE: too many trees or segments; GBCAST_EMEMORY. */
int gb_spec_build(gb_planner *pl, const gb_spec *spec, uint64_t bytes, const gb_host_choice **choice,
                  gb_composed *out, gbcast_error *err);

#endif
