/* The depth-first walk over the switches of one cluster that all contention-free trees follow, from the
 * switch of the root on. Hosts get places 0 .. count - 1 in the order of the walk, nodes (switches and the
 * core) numbers in the order in which the walk meets them. So what lies below a node, away from the root, is
 * a run of places and a run of numbers. */
#ifndef GB_INTRA_SWITCH_WALK_H
#define GB_INTRA_SWITCH_WALK_H

#include "platform/platform.h"

typedef struct gb_switch_walk {
  uint32_t count, node_count;
  uint32_t *host;  /* count: who is at a place, by index into the list given; the root at place 0 */
  uint32_t *node;  /* count: the node that the host at a place is on */
  uint32_t *from;  /* node_count: the node from which the walk came, a smaller number; GB_NONE for node 0 */
  uint32_t *first; /* node_count: hosts on or below a node have places first .. end - 1, its own come first */
  uint32_t *end;
  uint32_t *sw;    /* node_count: the node's switch; GB_NONE for the core */
  uint32_t *words; /* owns the six above */
} gb_switch_walk;

/* host[count]: hosts of one cluster, the root first. GBCAST_EUSAGE when they are of several. */
int gb_switch_walk_new(const gbcast_platform *p, const uint32_t *host, uint32_t count, gb_switch_walk *walk,
                       gbcast_error *err);
void gb_switch_walk_free(gb_switch_walk *walk);

/* The node nearest to both, on the way from node 0. */
uint32_t gb_switch_walk_meet(const gb_switch_walk *walk, uint32_t a, uint32_t b);

#endif
