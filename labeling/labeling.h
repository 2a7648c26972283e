/* Labels of a tree and the send order that they imply (Mateescu and Taylor, Fig. 3). */
#ifndef GB_LABELING_LABELING_H
#define GB_LABELING_LABELING_H

#include <gbcast/error.h>
#include <stdint.h>

/* A rooted tree over the nodes 0..n-1 with the cost of the edge that leads to each node. */
typedef struct gb_label_tree {
  uint32_t n, root;
  const uint32_t *parent; /* n; UINT32_MAX at the root, and at nodes that the tree leaves out */
  const double *delta;    /* n; how long the send to this node keeps its parent busy (s) */
  const double *weight;   /* n; from the end of that send to the node having the message (s) */
  const double *own;      /* n, or NULL for zeros; what a node takes by itself once it has the message (s) */
} gb_label_tree;

/* Labels a tree and orders its sends.
 *
 *   label         n: seconds from a node having the message to its whole subtree having it; 0 if left out
 *   child_start   n + 1
 *   child         at most n - 1: the children of v, in sending order, are
 *                 child[child_start[v]] .. child[child_start[v + 1] - 1]
 *
 * Any output may be NULL, but child and child_start go together. O(n log n), without recursion.
 * GBCAST_EINPUT: parent is not a tree rooted at root; GBCAST_EMEMORY. */
int gb_label(const gb_label_tree *t, double *label, uint32_t *child_start, uint32_t *child,
             gbcast_error *err);

#endif
