/* Inside a host: how its ranks pass the message on, and which of them sends to other hosts of the site. Ranks
 * count from 0, the one that the message reaches first. */
#ifndef GB_INTRA_NODE_H
#define GB_INTRA_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gb_node_shape {
  const char *name;
  uint32_t (*parent)(uint32_t i); /* of rank i > 0 */
  bool relay; /* what goes to other hosts of the site does so from a rank that has nothing else to do */
} gb_node_shape;

extern const gb_node_shape gb_node_table[]; /* the first is for sites with one rank on each host */
extern const size_t gb_node_count;

/* The rank that a host's LAN edges leave from. */
uint32_t gb_node_sender(size_t shape, uint32_t ranks);

/* From whom rank i > 0 hears; `sends` tells whether its host has LAN edges that leave it. */
uint32_t gb_node_parent(size_t shape, bool sends, uint32_t i);

#endif
