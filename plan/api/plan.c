/* What is the same for all plans: checking, hashing and freeing them. */
#include "plan/alltoall/alltoall.h"
#include "plan/api/api.h"
#include <stdlib.h>

int gbcast_plan_check(const gbcast_plan *plan, gbcast_error *err) {
  return plan->alltoall ? gb_alltoall_check(plan->alltoall, err) : gb_plan_check_trees(plan, err);
}

uint64_t gb_plan_hash_decision(const gbcast_plan *plan) {
  uint64_t h = gb_hash_trees(plan);
  if (plan->alltoall)
    h = gb_alltoall_hash(h, plan->alltoall);
  return gb_hash_live(h, plan->platform);
}

double gbcast_plan_predicted(const gbcast_plan *plan) {
  return plan->predicted;
}

double gbcast_plan_lower_bound(const gbcast_plan *plan) {
  return plan->bound;
}

double gbcast_plan_cost(const gbcast_plan *plan) {
  return gb_cost_total(plan->cost);
}

uint64_t gbcast_plan_hash(const gbcast_plan *plan) {
  return plan->hash;
}

void gbcast_plan_free(gbcast_plan *plan) {
  if (!plan)
    return;
  gb_schedule_free(&plan->schedule);
  free(plan->file);
  free(plan->schedule.endpoint);
  free(plan->rank_host);
  free(plan->site);
  free(plan->leaders);
  free(plan->candidate);
  gb_alltoall_free(plan->alltoall);
  gb_platform_turned_free(plan->turned);
  free(plan);
}
