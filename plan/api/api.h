/* Plans as a whole: what is behind the functions of gbcast/plan.h, and what mpi/ needs besides. */
#ifndef GB_PLAN_API_API_H
#define GB_PLAN_API_API_H

#include "plan/core/core.h"
#include "plan/show/show.h"

/* Makes the plan for a job. `request->root` is not looked at. GBCAST_EUSAGE, GBCAST_EINPUT, GBCAST_EMEMORY.
 */
int gb_plan_make(const gbcast_platform *p, const gb_job *job, const gbcast_request *request,
                 gbcast_plan **out, gbcast_error *err);

/* The hash of all that a plan decides, whatever the size; gb_plan_hash_for adds that. */
uint64_t gb_plan_hash_decision(const gbcast_plan *plan);

/* The saved plan on a platform: the same trees, with the times of the file. ranks: as in gb_job.
 * GBCAST_EINPUT, with a message that begins FILE:LINE:COLUMN: the plan is not for these ranks, the file lacks
 * something that is needed, or it is an all-to-all's. GBCAST_EMEMORY. */
int gb_saved_bind(const gb_saved *saved, const gbcast_platform *p, const uint32_t *ranks, gbcast_plan **out,
                  gbcast_error *err);

/* The same, to be run at a size that is planned alike: its times are predicted anew on this platform. */
int gb_saved_run(const gb_saved *saved, const gbcast_platform *p, const uint32_t *ranks, uint64_t bytes,
                 gbcast_plan **out, gbcast_error *err);

/* What gbcast_plan_print writes as JSON, read back. GBCAST_EMEMORY. */
int gb_saved_of(const gbcast_plan *plan, gb_saved *out, gbcast_error *err);

/* Prints what has changed from an earlier plan to `now`, and why, as text, in any locale; one line where
 * nothing has. GBCAST_EMEMORY. */
int gb_plan_diff(const gb_saved *then, const gbcast_plan *now, FILE *out, gbcast_error *err);

/* Makes plans of which none is beaten in both time and cost, for any operation but an all-to-all;
 * request->within is not looked at. Statuses of gbcast_plan_make. */
int gb_pareto_make(const gbcast_platform *p, const gbcast_request *request, gb_pareto *out,
                   gbcast_error *err);

/* Prints them as GBCAST_TEXT, GBCAST_JSON or GBCAST_SVG. Statuses of gbcast_plan_print. */
int gb_pareto_print(const gb_pareto *pareto, enum gbcast_format format, FILE *out);

void gb_pareto_free(gb_pareto *pareto);

#endif
