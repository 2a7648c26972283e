/* Binary trees over a switch tree whose senders share links, grown host by host in the order of time
 * (intra/greedy.c), and what their growth keeps track of. */
#ifndef GB_INTRA_GREEDY_H
#define GB_INTRA_GREEDY_H

#include "intra/intra.h"

/* ---- Residual capacity of the cables between switches ---- */

/* A directed link has two halves: a host with two children takes one half of each link on the path to either,
 * a host with one child takes both halves. */
#define GB_HALVES 2u

typedef struct gb_residual {
  const gb_switch_order *order;
  uint32_t *child, *next; /* node_count: the first node that the walk enters from a node; the one after it */
  uint32_t *halves; /* 2 x node_count: left on the link to a node from the one nearer to node 0, and back */
  uint32_t *seen, *via; /* nodes found by the last gb_residual_search; the step back from each */
  uint32_t seen_count;
} gb_residual;

int gb_residual_new(const gb_switch_order *order, gb_residual *residual, gbcast_error *err);
void gb_residual_free(gb_residual *residual);
void gb_residual_reset(gb_residual *residual);

/* The nodes that a send from `start` can get to over links with so many halves left, nearest first. */
void gb_residual_search(gb_residual *residual, uint32_t start, uint32_t halves);
/* The links between the start of the last search and a node that it found: indices into `halves`. Returns how
 * many. */
uint32_t gb_residual_path(const gb_residual *residual, uint32_t node, uint32_t *path);

/* Halves left from a node to its neighbour. */
static inline uint32_t gb_residual_left(const gb_residual *residual, uint32_t from, uint32_t to) {
  return residual->order->from[to] == from ? residual->halves[2 * (size_t)to]
                                           : residual->halves[2 * (size_t)from + 1];
}

/* The neighbours of a node, one after the other: begin with GB_NONE, ends with GB_NONE. */
static inline uint32_t gb_residual_neighbour(const gb_residual *residual, uint32_t node, uint32_t last) {
  uint32_t nearer = residual->order->from[node];
  if (last == GB_NONE && nearer != GB_NONE) {
    return nearer;
  }
  return last == GB_NONE || last == nearer ? residual->child[node] : residual->next[last];
}

/* ---- The part of the switch tree that the message has not reached yet ----
 *
 * A node is uninformed while none of its hosts has the message; a region is a largest connected set of
 * uninformed nodes. */

typedef struct gb_uninformed {
  const gb_switch_order *order;
  const gb_residual *residual;
  const double *least; /* count + 1: seconds that so many hosts need at the least once one has the message */
  double hop, extra;   /* see gb_uninformed_start */
  uint32_t *own;       /* node_count: hosts on a node */
  uint32_t *region;    /* node_count: of an uninformed node; GB_NONE for the others */
  double *lead;    /* node_count: seconds by which its region is to be entered sooner; set by the caller, 0 at
                       first */
  double *entered; /* node_count, with hosts: what its region needs from when the message is there */
  double *need;    /* of a region: the least `entered`; -1 without hosts */
  uint32_t regions;
  uint32_t *list, *above, *below, *switches, *stamp; /* node_count each, for one region */
  uint32_t now;
  double *task;
} gb_uninformed;

/* `residual` and `least` must outlive it. */
int gb_uninformed_new(const gb_residual *residual, const double *least, gb_uninformed *uninformed,
                      gbcast_error *err);
void gb_uninformed_free(gb_uninformed *uninformed);

/* Every node but node 0 is uninformed. `hop`: seconds from one host to the next; `extra`: the time that a
 * region is assumed to need beyond `least` for each doubling of the number of its switches. */
void gb_uninformed_start(gb_uninformed *uninformed, double hop, double extra);

/* A host of the node has the message: its region falls into pieces. */
void gb_uninformed_inform(gb_uninformed *uninformed, uint32_t node);

/* Whether each region with hosts can still be entered once the node is informed over the path of the last
 * search and the links of that path have been taken. */
bool gb_uninformed_safe(gb_uninformed *uninformed, uint32_t node);

/* ---- Growing a tree ---- */

typedef struct gb_greedy_rule {
  double target; /* seconds: when the last host should have the first segment */
  double extra;  /* seconds: see gb_uninformed_start */
  double margin; /* hops by which a region is entered before it must be */
} gb_greedy_rule;

typedef struct gb_greedy {
  const gb_switch_order *order;
  double latency, gap; /* L, g */
  gb_residual residual;
  gb_uninformed uninformed;
  gb_greedy_rule rule;
  double *least;      /* count + 1: seconds until so many hosts can have it if no two sends met on a link */
  double *time;       /* count: when the host at a position has the message */
  uint32_t *taken;    /* node_count: its hosts that have it, the first ones */
  uint32_t *pending;  /* node_count: those of them that have not sent yet */
  uint32_t *refused;  /* node_count: the choice that refused the node */
  uint32_t *queue[2]; /* count each: first children, second children, in the order of time */
  uint32_t *adjacent; /* of a region: the choice for which it is next to the sender */
  uint32_t choices;
  uint32_t *path; /* node_count: links that the last choice took */
  uint32_t links;
} gb_greedy;

int gb_greedy_new(const gb_switch_order *order, double latency, double gap, gb_greedy *greedy,
                  gbcast_error *err);
void gb_greedy_free(gb_greedy *greedy);

/* Fills parent[order->count] by positions; learns from earlier runs until gb_greedy_forget. False when no
 * cable was left before all hosts had the message; parent is then no tree. */
bool gb_greedy_run(gb_greedy *greedy, const gb_greedy_rule *rule, uint32_t *parent);
void gb_greedy_forget(gb_greedy *greedy);

#endif
