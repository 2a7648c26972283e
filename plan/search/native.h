#ifndef GB_PLAN_SEARCH_NATIVE_H
#define GB_PLAN_SEARCH_NATIVE_H

#include "plan/search/planner.h"

/* Whether the MPI library is taken to run a tree, over ranks that share no host, so that the tree that stands
 * in for it can be walked. */
bool gb_native_is_tree(const gbcast_plan *plan, uint64_t bytes);

/* Seconds that the MPI library's own collective takes for the plan's operation on one site, by a
 * topology-blind model (intra/native.c) over its hosts, then over the ranks of the fullest host; on one
 * host, as a single message; not less than the plan's bound. A tree takes no less than `walked`, the
 * stand-in's time, which knows of switches: a library that does not meets on their cables at least as often.
 * -1 when there is no model. */
double gb_native_predict(const gbcast_plan *plan, uint64_t bytes, double simulated);

#endif
