/* Binary trees over a switch tree whose senders share links, host by host in the order of time. */
#ifndef GB_INTRA_SPREAD_H
#define GB_INTRA_SPREAD_H

#include "intra/dark.h"

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
