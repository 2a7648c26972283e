#ifndef GB_PLAN_SEARCH_NATIVE_H
#define GB_PLAN_SEARCH_NATIVE_H

#include "plan/build/build.h"

/* Whether the MPI library is assumed to run a tree over ranks on different hosts, so that a tree that stands
 * in for it can be simulated. */
bool gb_native_is_tree(const gbcast_plan *plan, uint64_t bytes);

/* Seconds that the MPI library's own collective takes for the plan's operation on one site: a model that
 * ignores switches (intra/native.c) over its hosts, plus one over the ranks of the host with the most; on one
 * host the price of a single message. Not less than plan->bound. If it is a tree, not less than `simulated`
 * either, the time of the tree that stands in for it: that one knows the switches, and a library that does
 * not crosses their cables at least as often. *seconds is -1 if there is no model. GBCAST_EMEMORY. */
int gb_native_predict(gb_network *net, const gbcast_plan *plan, uint64_t bytes, double simulated,
                      double *seconds, gbcast_error *err);

/* Seconds of its reduction or allreduce over the hosts of one site (butterfly.c). GBCAST_EMEMORY. */
int gb_butterfly_time(gb_network *net, const gbcast_plan *plan, uint64_t bytes, double *seconds,
                      gbcast_error *err);

#endif
