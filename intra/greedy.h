/* Binary trees over a switch tree whose senders share links, grown host by host in the order of time
 * (intra/greedy.c), and what their growth keeps track of. */
#ifndef GB_INTRA_GREEDY_H
#define GB_INTRA_GREEDY_H

#include "intra/intra.h"

/* ---- What is left of the cables between switches ---- */

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

/* ---- The part of the switch tree that the message has not reached yet ----
 *
 * A node is uninformed while none of its hosts has the message; a region is a largest connected set of
 * uninformed nodes. */

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

/* ---- Growing a tree ---- */

typedef struct gb_spread_rule {
  double target; /* seconds: when the last host should have the first segment */
  double extra;  /* seconds: see gb_dark_start */
  double margin; /* hops by which a region is entered before it must be */
} gb_spread_rule;

typedef struct gb_spread {
  const gb_switch_walk *walk;
  double latency, gap; /* L, g */
  gb_cables cables;
  gb_dark dark;
  gb_spread_rule rule;
  double *least;      /* count + 1: seconds until so many hosts can have it with nothing in the way */
  double *time;       /* count: when a place has the message */
  uint32_t *taken;    /* node_count: its hosts that have it, the first ones */
  uint32_t *pending;  /* node_count: those of them that have not sent yet */
  uint32_t *refused;  /* node_count: the choice for which a node was no good */
  uint32_t *queue[2]; /* count each: first children, second children, in the order of time */
  uint32_t *beside;   /* of a region: the choice for which it is next to the sender */
  uint32_t choices;
  uint32_t *way; /* node_count: links that the last choice took */
  uint32_t links;
} gb_spread;

int gb_spread_new(const gb_switch_walk *walk, double latency, double gap, gb_spread *spread,
                  gbcast_error *err);
void gb_spread_free(gb_spread *spread);

/* Fills parent[walk->count] by places; learns from earlier runs until gb_spread_forget. False when the cables
 * gave out before all hosts had the message; parent is then no tree. */
bool gb_spread_run(gb_spread *spread, const gb_spread_rule *rule, uint32_t *parent);
void gb_spread_forget(gb_spread *spread);

#endif
