/* Maximum flow between sites over all links and relays. */
#ifndef GB_PLAN_BOUND_MAXFLOW_H
#define GB_PLAN_BOUND_MAXFLOW_H

#include "platform/platform.h"

typedef struct gb_flow_network gb_flow_network;

/* Arcs have the capacities of limits.h. GBCAST_EMEMORY. */
int gb_flow_network_new(const gbcast_platform *p, gb_flow_network **out, gbcast_error *err);
void gb_flow_network_free(gb_flow_network *net);

/* The most bytes a second that site `from` can send to another site `to` over all links and relays, or
 * `enough` when it is at least that. */
double gb_max_flow(gb_flow_network *net, uint32_t from, uint32_t to, double enough);

/* A lower bound (s) of the time in which site `from` can send bytes[c] to each site c, all at once, over all
 * links and relays: that of the narrowest of all cuts, found by Newton's method from `seconds` on (T. Radzik,
 * Fractional combinatorial optimization, 1998). distance[c]: the least latency to site c, s. 0: `seconds` are
 * enough. */
double gb_flow_time(gb_flow_network *net, uint32_t from, const double *bytes, const double *distance,
                    double seconds);

#endif
