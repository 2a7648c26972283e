#ifndef GB_PLAN_LOCAL_H
#define GB_PLAN_LOCAL_H

#include "plan/planner.h"

/* One of the trees of a site (number `tree` modulo how many the algorithm makes), rooted at its leader:
 * parents as positions within the site's run of endpoints. Kept by the planner. */
int gb_local_tree(gb_planner *pl, uint32_t site, size_t intra, uint32_t tree, const uint32_t **parent,
                  gbcast_error *err);

/* The algorithm of every site for this flow: the forced one, `uniform` (or GB_INTRA_MIXED: the best by
 * prediction for each site). Both arrays of locals have one entry a site. */
int gb_local_choose(gb_planner *pl, const gb_flow *flow, size_t uniform, gb_locals *locals,
                    gbcast_error *err);

int gb_locals_new(uint32_t sites, gb_locals *locals, gbcast_error *err);
void gb_locals_free(gb_locals *locals);

/* Whether auto may use an algorithm for this flow: segmented ones where the message is cut, the others where
 * not. */
bool gb_local_fits(const gb_flow *flow, bool cut, const gb_intra_algorithm *algorithm);

#endif
