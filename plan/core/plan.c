/* Questions about a plan. */
#include "plan/core/core.h"

int gb_plan_set_platform(gbcast_plan *plan, const gbcast_platform *p, gbcast_error *err) {
  static const enum gb_turn turn[] = {
      [GB_WAY_DOWN] = GB_TURN_NOT, [GB_WAY_UP] = GB_TURN_ROUND, [GB_WAY_BOTH] = GB_TURN_BOTH};
  const int status = gb_platform_turn(p, turn[gb_way_of(plan->operation)], &plan->turned, err);
  plan->given = p;
  plan->platform = plan->turned ? plan->turned : p;
  return status;
}

bool gb_plan_has_nodes(const gbcast_plan *plan) {
  bool any = false;
  for (uint32_t s = 0; s < plan->site_count; s++)
    any |= gb_site_has_nodes(&plan->site[s]);
  return any;
}

uint32_t gb_plan_leader_count(const gbcast_plan *plan, uint32_t site, uint32_t lanes) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < lanes; k++) {
    uint32_t like = 0;
    while (gb_plan_leader(plan, site, like) != gb_plan_leader(plan, site, k))
      like++;
    count += like == k;
  }
  return count;
}

const char *const gb_level_name[GB_LEVELS] = {
    [GB_LEVEL_NODE] = "node", [GB_LEVEL_LAN] = "lan", [GB_LEVEL_WAN] = "wan"};

enum gb_level gb_plan_level(const gbcast_plan *plan, uint32_t from, uint32_t to) {
  uint32_t u = plan->schedule.endpoint[from].host, v = plan->schedule.endpoint[to].host;
  if (u == v)
    return GB_LEVEL_NODE;
  return plan->platform->host[u].cluster == plan->platform->host[v].cluster ? GB_LEVEL_LAN : GB_LEVEL_WAN;
}
