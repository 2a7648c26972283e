/* Joining for the two-tree: see intra/two_tree.c for what is built and why it holds. Hosts are
 * numbered by position (gb_switch_order), the source has position 0. */
#ifndef GB_INTRA_TWO_TREE_H
#define GB_INTRA_TWO_TREE_H

#include "intra/intra.h"

/* Time in a tree is counted in units of which a hop has 32; a host's second child is served one unit later.
 * So depth counts first, then the number of second children on the path. */
enum { GB_TWO_TREE_FIRST = 32, GB_TWO_TREE_SECOND = 33 };

/* What one tree does to a bundle: comes in at `entry`, reaches its last host after `height`, and may go out
 * again by `exits` edges, each from a host of the bundle; what is attached there is reached after `delay`. */
typedef struct gb_two_tree_side {
  uint32_t entry;
  uint32_t height;
  uint32_t exits;
  uint32_t from[2], delay[2];
} gb_two_tree_side;

/* Hosts that a tree enters once: one host, or all behind a cable. Two exits in all. A bundle with both of
 * them in one tree has them in its first, side[0]; `swapped` says that the first is the second of those
 * around. */
typedef struct gb_bundle {
  uint32_t hosts;
  uint32_t node; /* of the switch, GB_NONE for a host */
  bool swapped;
  gb_two_tree_side side[2];
} gb_bundle;

typedef struct gb_two_tree_edge { /* the edge into a host in one tree */
  uint32_t parent;
  uint32_t node; /* the switch that joins the two, and which of its trees this is */
  uint32_t side;
} gb_two_tree_edge;

typedef struct gb_two_tree_slot { /* a free exit: what is placed there is reached at `time` */
  uint32_t time, parent;
} gb_two_tree_slot;

typedef struct gb_two_tree_key { /* bundles in the order in which they are placed */
  uint64_t rank;
  uint32_t item;
} gb_two_tree_key;

/* Room for joining; items are what meets at a switch, subtrees first. */
typedef struct gb_joiner {
  gb_bundle *item;
  uint32_t hosts; /* all but the source: a bundle of all of them needs no exits */
  uint32_t item_count, subtree_count;
  gb_two_tree_slot *heap; /* item_count + 2 */
  gb_two_tree_key *key;   /* subtree_count */
  gb_two_tree_edge *edge; /* two a host */
  uint8_t *edge_count;    /* by host */
  uint32_t exit_worth;    /* 64ths of a hop of height that an exit one hop earlier is worth */
} gb_joiner;

/* Joins the items into one bundle in both trees, and writes the edges down. From `source` (a host, or GB_NONE
 * when the trees come in from outside; the bundle then has exits). */
void gb_two_tree_join(gb_joiner *j, uint32_t node, uint32_t source, gb_bundle *made);

/* One host: two exits in its first tree, a leaf in the other. */
gb_bundle gb_two_tree_host(uint32_t host);

#endif
