#ifndef GB_PLAN_SEARCH_SITE_SKELETON_H
#define GB_PLAN_SEARCH_SITE_SKELETON_H

#include "plan/search/compose.h"

/* The part of a plan in which trees over sites differ: the leaders, and the ranks inside their sites that
 * they feed. n stands for schedule.endpoint_count. */
typedef struct gb_site_skeleton {
  const gb_flow *flow;
  gb_endpoint *endpoint; /* n */
  uint32_t *leader;      /* by site: the leader's node */
  uint32_t *site;        /* n: the site of each node */
  uint32_t *in_plan;     /* n: the endpoint of the plan */
  double *below; /* tree_count * n; s from the node's last segment until all ranks that it stands for have
                    theirs; index tree * n + node */
  gb_schedule schedule;
  gb_traffic traffic;
} gb_site_skeleton;

/* choice: by site. The flow must outlive the skeleton. GBCAST_EMEMORY, or a status of an algorithm. */
int gb_site_skeleton_new(gb_planner *pl, const gb_flow *flow, const gb_host_choice *choice,
                         gb_site_skeleton *skeleton, gbcast_error *err);
void gb_site_skeleton_free(gb_site_skeleton *skeleton);

/* Sets the skeleton's `below` from the arrivals in a simulation of the whole plan. GBCAST_EMEMORY. */
int gb_site_skeleton_fit(const gb_planner *pl, const gb_composed *whole, gb_site_skeleton *skeleton,
                         gbcast_error *err);

/* Simulates the skeleton with a tree over sites (site_parent, by site): *time is the predicted time (s),
 * *last the site that ends last. Statuses of gb_traffic_find. */
int gb_site_skeleton_simulate(gb_planner *pl, gb_site_skeleton *skeleton, const uint32_t *site_parent,
                              double *time, uint32_t *last, gbcast_error *err);

#endif
