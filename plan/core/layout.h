#ifndef GB_PLAN_CORE_LAYOUT_H
#define GB_PLAN_CORE_LAYOUT_H

#include "plan/core/core.h"

/* Fills the endpoints and sites of a plan from the job: sites in the order of the platform's clusters, hosts
 * in file order, ranks in their order. */
int gb_layout(gbcast_plan *plan, const gb_job *job, gbcast_error *err);

#endif
