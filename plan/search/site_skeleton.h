#ifndef GB_PLAN_SEARCH_SITE_SKELETON_H
#define GB_PLAN_SEARCH_SITE_SKELETON_H

#include "plan/search/compose.h"

/* The part of a plan that trees over sites differ in: the leaders, and those at home whom a leader feeds. */
typedef struct gb_site_skeleton {
  const gb_flow *flow;
  gb_endpoint *endpoint; /* schedule.endpoint_count */
  uint32_t *leader;      /* per site: its endpoint here */
  uint32_t *site;        /* per node */
  uint32_t *in_plan;     /* per node: endpoint of the plan */
  double *below; /* tree * schedule.endpoint_count + node: s from its last segment to that of all whom it
                    stands for */
  gb_schedule schedule;
  gb_traffic traffic;
} gb_site_skeleton;

int gb_site_skeleton_new(gb_planner *pl, const gb_flow *flow, const gb_host_choice *choice,
                         gb_site_skeleton *skeleton, gbcast_error *err);
void gb_site_skeleton_free(gb_site_skeleton *skeleton);

/* Takes from a walk of the whole plan how long the rest of each site needs. */
int gb_site_skeleton_fit(const gb_planner *pl, const gb_composed *whole, gb_site_skeleton *skeleton,
                         gbcast_error *err);

/* Walks the outline with a tree over sites: the predicted time (s), and the site that is last. */
int gb_site_skeleton_simulate(gb_planner *pl, gb_site_skeleton *skeleton, const uint32_t *site_parent,
                              double *time, uint32_t *last, gbcast_error *err);

#endif
