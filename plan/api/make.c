/* Making a plan: who takes part, and the search for its trees or phases. */
#include "plan/alltoall/alltoall.h"
#include "plan/api/api.h"
#include "plan/bound/bound.h"
#include "plan/search/search.h"
#include <math.h>
#include <stdlib.h>

#define MAX_SITES 2048u
#define MAX_BYTES ((uint64_t)1 << 50)
#define MAX_BLOCKS ((uint64_t)1 << 46) /* over all ranks: a scatter is simulated to its end */

/* Its bound is the larger of those of the links inside clusters and between them. */
static int make_alltoall(gbcast_plan *plan, const gbcast_request *request, gbcast_error *err) {
  double cuts = 0;
  int status = gb_alltoall_make(plan, request, err);
  if (status == GBCAST_OK)
    status = gb_bound_cuts(plan, plan->bytes, &cuts, err);
  if (status == GBCAST_OK)
    plan->bound = gb_larger(cuts, (double)plan->bytes * plan->alltoall->inside_a_byte);
  return status == GBCAST_OK ? gb_plan_set_cost(plan, err) : status;
}

int gb_plan_make(const gbcast_platform *p, const gb_job *job, const gbcast_request *request,
                 gbcast_plan **out, gbcast_error *err) {
  if (request->bytes > MAX_BYTES)
    return gb_fail(err, GBCAST_EUSAGE, "found a message of %llu bytes, expected at most %llu",
                   (unsigned long long)request->bytes, (unsigned long long)MAX_BYTES);
  if (request->within > 0 && !p->priced)
    return gb_fail_at(err, &p->cluster[0].where,
                      "found no price above 0, expected egress= or hire= for an objective other than time");
  if (!(request->within >= 0))
    return gb_fail(err, GBCAST_EUSAGE, "found a limit of %g s, expected 0 or more", request->within);
  if (request->sync && request->operation != GBCAST_ALLTOALL)
    return gb_fail(err, GBCAST_EUSAGE, "the synchronisation '%s' is for an all-to-all", request->sync);
  gbcast_plan *plan = calloc(1, sizeof *plan);
  if (!plan)
    return gb_no_memory(err);
  plan->operation = request->operation;
  plan->cost_bound = NAN;
  plan->bytes = gb_has_size(request->operation) ? request->bytes : 1;
  plan->class_bytes = gb_size_class(plan->bytes);
  int status = gb_plan_set_platform(plan, p, err);
  if (status == GBCAST_OK)
    status = gb_layout(plan, job, err);
  if (status == GBCAST_OK && job->root_host == GB_NONE && plan->site_count <= MAX_SITES)
    status = gb_plan_choose_root(plan, err);
  if (status == GBCAST_OK && request->rank_host)
    status = gb_numbering(p, job->ranks, request->rank_host, &plan->rank_host, &(uint32_t){0}, err);
  if (status == GBCAST_OK && plan->site_count > MAX_SITES)
    status = gb_fail_at(err, &p->cluster[p->cluster_count - 1].where,
                        "found %u sites, expected at most %u; group hosts with `cluster` lines",
                        plan->site_count, MAX_SITES);
  if (status == GBCAST_OK && gb_carries_blocks(plan->operation) && plan->operation != GBCAST_ALLTOALL &&
      plan->bytes > MAX_BLOCKS / plan->schedule.endpoint_count)
    status =
        gb_fail(err, GBCAST_EUSAGE, "found %s of %u blocks of %llu bytes, expected at most %llu bytes in all",
                gb_operation_table[plan->operation].noun, plan->schedule.endpoint_count,
                (unsigned long long)plan->bytes, (unsigned long long)MAX_BLOCKS);
  if (status == GBCAST_OK && plan->operation == GBCAST_ALLTOALL)
    status = make_alltoall(plan, request, err);
  else if (status == GBCAST_OK)
    status = gb_search_plan(plan, request, err);
  if (status == GBCAST_OK) {
    plan->decision = gb_plan_hash_decision(plan);
    plan->hash = gb_plan_hash_for(plan, plan->bytes);
    status = gbcast_plan_check(plan, err);
  }
  if (status == GBCAST_OK)
    *out = plan;
  else
    gbcast_plan_free(plan);
  return status;
}

/* Whether several clusters have ranks. */
static bool has_sites(const gbcast_platform *p, const uint32_t *ranks) {
  uint32_t first = GB_NONE;
  for (uint32_t h = 0; h < p->host_count; h++)
    if (ranks[h] > 0 && first == GB_NONE)
      first = p->host[h].cluster;
    else if (ranks[h] > 0 && p->host[h].cluster != first)
      return true;
  return false;
}

int gbcast_plan_make(const gbcast_platform *platform, const gbcast_request *request, gbcast_plan **out,
                     gbcast_error *err) {
  uint32_t *ranks = malloc(platform->host_count * sizeof *ranks);
  if (!ranks)
    return gb_no_memory(err);
  for (uint32_t h = 0; h < platform->host_count; h++)
    if (request->ranks)
      ranks[h] = request->ranks[h];
    else
      ranks[h] = gb_takes_ranks(platform, h) ? platform->host[h].slots : 0;
  const bool by_cost = request->within > 0 && request->operation == GBCAST_BCAST;
  gb_job job = {.ranks = ranks, .relays = request->relays && by_cost && has_sites(platform, ranks)};
  int status = gb_request_root(platform, request, &job, err);
  if (status == GBCAST_OK)
    status = gb_plan_make(platform, &job, request, out, err);
  free(ranks);
  return status;
}
