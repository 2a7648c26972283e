#ifndef GB_PLAN_SEARCH_PIPELINE_ESTIMATE_H
#define GB_PLAN_SEARCH_PIPELINE_ESTIMATE_H

#include "plan/search/planner.h"

/* What an estimate of a tree over sites needs to know. Arrays by site; matrices as in the site graph. */
typedef struct gb_estimate {
  const gb_site_graph *graph;         /* of messages of a segment ... */
  const gb_site_graph *whole;         /* ... and of the whole size; the same where nothing is cut */
  double pieces;                      /* segments of the message */
  double *port;                       /* Delta of one WAN send of a segment (s) */
  double *choice;                     /* what the local sends of a segment keep the port busy for (s) */
  double *home;                       /* from the leader having a segment to the site having it (s) */
  double *wan, *round, *first, *pace; /* of the tree that was looked at last */
  uint32_t last;                      /* the site that is last in it */
  uint32_t *path;
} gb_estimate;

int gb_estimate_new(const gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                    const gb_site_graph *whole, gb_estimate *stream, gbcast_error *err);
void gb_estimate_free(gb_estimate *stream);

/* Estimated seconds until all sites of a tree have the message. */
double gb_estimate_time(gb_estimate *stream, const uint32_t *parent);

/* Seconds until v has it below u, if that changed nothing else in the tree that was looked at last. */
double gb_estimate_below(const gb_estimate *stream, uint32_t u, uint32_t v);

#endif
