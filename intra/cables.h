/* What is left of the cables between switches while trees with shared links grow. */
#ifndef GB_INTRA_CABLES_H
#define GB_INTRA_CABLES_H

#include "intra/switch_walk.h"

/* A directed link carries two halves: a host with two children takes half of each link on the way to one of
 * them, a host with one child the whole links. */
#define GB_HALVES 2u

typedef struct gb_cables {
  const gb_switch_walk *walk;
  uint32_t *child, *next; /* node_count: the first node that the walk enters from a node; the one after it */
  uint32_t *halves; /* 2 x node_count: left on the link to a node from the one nearer to node 0, and back */
  uint32_t *seen, *via; /* nodes that the last gb_cables_look found; the step back from each */
  uint32_t seen_count;
} gb_cables;

int gb_cables_new(const gb_switch_walk *walk, gb_cables *cables, gbcast_error *err);
void gb_cables_free(gb_cables *cables);
void gb_cables_reset(gb_cables *cables);

/* The nodes that a send from `start` can get to over links with so many halves left, nearest first. */
void gb_cables_look(gb_cables *cables, uint32_t start, uint32_t halves);
/* The links between the start of the last look and a node that it found: indices into halves. Returns how
 * many. */
uint32_t gb_cables_way(const gb_cables *cables, uint32_t node, uint32_t *way);

/* Halves left from a node to its neighbour. */
static inline uint32_t gb_cables_left(const gb_cables *cables, uint32_t from, uint32_t to) {
  return cables->walk->from[to] == from ? cables->halves[2 * (size_t)to]
                                        : cables->halves[2 * (size_t)from + 1];
}

/* The neighbours of a node, one after the other: begin with GB_NONE, ends with GB_NONE. */
static inline uint32_t gb_cables_neighbour(const gb_cables *cables, uint32_t node, uint32_t last) {
  uint32_t nearer = cables->walk->from[node];
  if (last == GB_NONE && nearer != GB_NONE) {
    return nearer;
  }
  return last == GB_NONE || last == nearer ? cables->child[node] : cables->next[last];
}

#endif
