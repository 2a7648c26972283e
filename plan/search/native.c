/* The MPI library's own collective as a candidate, priced by a formula. Ranks of one host share memory, and
 * MPI can let all of them read one buffer, which messages cannot do. So there it is priced as a single
 * message with all that leaves the root. */
#include "plan/search/native.h"

static double model_time(const gbcast_plan *plan, gb_intra_model *model, uint64_t bytes) {
  uint32_t fullest = 0;
  for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++)
    if (plan->schedule.endpoint[e].k + 1 > fullest)
      fullest = plan->schedule.endpoint[e].k + 1;
  gb_lan lan = gb_lan_of(plan->platform, plan->site[0].cluster);
  gb_lan node = {.latency = 0, .bandwidth = GB_NODE_BANDWIDTH, .overhead = GB_NODE_OVERHEAD};
  bool scatter = gb_carries_blocks(plan->operation);
  if (plan->site[0].hosts == 1) {
    uint64_t sent = scatter ? bytes * (fullest - 1) : bytes;
    return model(&node, fullest < 2 ? fullest : 2, sent, sent);
  }
  uint64_t block = scatter ? bytes * fullest : bytes;
  return model(&lan, plan->site[0].hosts, block, block) + model(&node, fullest, bytes, bytes);
}

/* Whether it combines in other ways than up a tree. */
static bool is_butterfly(const gbcast_plan *plan, uint64_t bytes) {
  return gb_way_of(plan->operation) == GB_WAY_BOTH ||
         (gb_plan_goes_up(plan) && !gb_intra_native_is_tree(plan->site[0].hosts, bytes));
}

bool gb_native_is_tree(const gbcast_plan *plan, uint64_t bytes) {
  const uint32_t hosts = plan->site[0].hosts;
  return hosts > 1 && hosts == plan->schedule.endpoint_count && !is_butterfly(plan, bytes) &&
         (gb_carries_blocks(plan->operation) || gb_intra_native_is_tree(hosts, bytes));
}

int gb_native_predict(gb_network *net, const gbcast_plan *plan, uint64_t bytes, double simulated,
                      double *seconds, gbcast_error *err) {
  const size_t a = gb_intra_find("native", gb_carries_blocks(plan->operation));
  int status = GBCAST_OK;
  *seconds = -1;
  if (a == SIZE_MAX || plan->site_count != 1)
    return status;
  gb_intra_model *model =
      gb_carries_blocks(plan->operation) ? gb_intra_table[a].scatter_model : gb_intra_table[a].bcast_model;
  if (!model)
    return status;
  *seconds = model_time(plan, model, bytes);
  if (is_butterfly(plan, bytes) && plan->site[0].hosts > 1)
    status = gb_butterfly_time(net, plan, bytes, seconds, err);
  if (gb_native_is_tree(plan, bytes) && *seconds < simulated)
    *seconds = simulated;
  *seconds = gb_larger(*seconds, plan->bound);
  return status;
}
