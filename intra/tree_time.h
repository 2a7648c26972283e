/* When a tree's last host has the first segment. */
#ifndef GB_INTRA_TREE_TIME_H
#define GB_INTRA_TREE_TIME_H

#include "intra/intra.h"

/* Seconds: the largest A L + B g over the hosts, with the children of each host served in the best order.
 * parent[count] is a tree of at least one host; *degree gets the most children of a host. L = 1 and g = 0
 * give the height. */
int gb_tree_time(const uint32_t *parent, uint32_t count, double latency, double gap, double *seconds,
                 uint32_t *degree, gbcast_error *err);

#endif
