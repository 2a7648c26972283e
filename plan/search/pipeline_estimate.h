#ifndef GB_PLAN_SEARCH_PIPELINE_ESTIMATE_H
#define GB_PLAN_SEARCH_PIPELINE_ESTIMATE_H

#include "plan/search/planner.h"

/* What estimates of trees over sites need. Arrays by site (site_count), matrices as in gb_site_graph. */
typedef struct gb_estimate {
  const gb_site_graph *graph;         /* for messages of a segment ... */
  const gb_site_graph *whole;         /* ... and of the whole size; the same graph if nothing is cut */
  double segments;                    /* segments of the message */
  double *port;                       /* s: Delta of one WAN send of a segment */
  double *local_sends;                /* s: how long the local sends of a segment keep the port busy */
  double *home;                       /* s: from the leader having a segment until its site has it */
  double *wan, *round, *first, *pace; /* s: of the tree that was estimated last */
  uint32_t last;                      /* the site that ends last in that tree */
  uint32_t *path;                     /* memory for a path */
} gb_estimate;

/* GBCAST_EMEMORY. The graphs must outlive the estimate. */
int gb_estimate_new(const gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                    const gb_site_graph *whole, gb_estimate *e, gbcast_error *err);
void gb_estimate_free(gb_estimate *e);

/* Estimated seconds until all sites of a tree have the message. parent: by site. */
double gb_estimate_time(gb_estimate *e, const uint32_t *parent);

/* Estimated seconds until v has the message as a child of u, if nothing else changed in the tree that was
 * estimated last. */
double gb_estimate_below(const gb_estimate *e, uint32_t u, uint32_t v);

#endif
