/* The part of a switch tree that a broadcast has not reached yet. A node is dark while none of its hosts has
 * the message; a region is a largest connected set of dark nodes. */
#ifndef GB_INTRA_DARK_H
#define GB_INTRA_DARK_H

#include "intra/cables.h"

typedef struct gb_dark {
  const gb_switch_walk *walk;
  const gb_cables *cables;
  const double *least; /* count + 1: seconds that so many hosts need at the least once one has the message */
  double hop, extra;   /* see gb_dark_start */
  uint32_t *own;       /* node_count: hosts on a node */
  uint32_t *region;    /* node_count: of a dark node; GB_NONE for the others */
  double *ahead;   /* node_count: seconds by which its region is to be entered sooner; set by the caller, 0 at
                      first */
  double *entered; /* node_count, with hosts: what its region needs from when the message is there */
  double *need;    /* of a region: the least `entered`; -1 without hosts */
  uint32_t regions;
  uint32_t *list, *above, *below, *switches, *stamp; /* node_count each, for one region */
  uint32_t now;
  double *task;
} gb_dark;

/* Keeps `cables` and `least`. */
int gb_dark_new(const gb_cables *cables, const double *least, gb_dark *dark, gbcast_error *err);
void gb_dark_free(gb_dark *dark);

/* Everything is dark but node 0. `hop`: seconds from one host to the next; `extra`: what a region is taken to
 * need beyond `least` for each doubling of the number of its switches. */
void gb_dark_start(gb_dark *dark, double hop, double extra);

/* A host of the node has the message: its region falls into pieces. */
void gb_dark_light(gb_dark *dark, uint32_t node);

/* Whether a way into each region with hosts is left when the node is lit over the way of the last look and
 * the cables have been taken. */
bool gb_dark_safe(gb_dark *dark, uint32_t node);

#endif
