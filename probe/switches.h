/* Finds the switches of a site from the rates of streams that run at the same time. No MPI here: a function
 * of the caller runs the streams. Rates are in bytes a second; hosts have numbers from 0 in their site. */
#ifndef GB_PROBE_SWITCHES_H
#define GB_PROBE_SWITCHES_H

#include "platform/platform.h"

enum {
  GB_SWITCH_HOSTS_LEAST = 4,  /* two on each of two switches */
  GB_SWITCH_HOSTS_MOST = 128, /* every two of them are measured, in as many rounds as there are hosts */
  GB_SWITCHES_MOST = 64,      /* of a site of that many hosts */
  GB_SWITCHES_JOINED =
      12, /* most for which the tree is looked for, by measuring every two; more are taken for a star */
};

typedef struct gb_probe_stream {
  uint32_t from, to;
  double rate; /* while the others ran */
} gb_probe_stream;

typedef struct gb_stream_bed { /* runs streams */
  /* Runs these at the same time, and sets their rates. No two of them have the same sender or the same
   * receiver. Other than GBCAST_OK: the search ends, and returns that. */
  int (*run)(void *state, gb_probe_stream *stream, uint32_t count);
  void *state;
} gb_stream_bed;

/* Sets of[h] to the switch of host h, best[h] to the rate of its fastest stream (0: no stream was run), and
 * *count to the number of switches, which are numbered in the order of their first hosts. One switch: no
 * streams were found to share a cable. Sites with fewer than GB_SWITCH_HOSTS_LEAST hosts are not measured,
 * and best[] is not set. GBCAST_EMEMORY, or what `bed` returns. */
int gb_probe_switch_groups(uint32_t hosts, const gb_stream_bed *bed, uint32_t *of, uint32_t *count,
                           double *best, gbcast_error *err);

enum {
  GB_SWITCH_TREE_MOST = 2 * GB_SWITCHES_MOST,
  GB_SWITCH_RUNS = 3, /* the best of so many counts: what TCP loses makes some of them slow */
};

typedef struct gb_switch_tree { /* first the switches that have hosts, by number; then those without */
  uint32_t count;
  uint32_t uplink[GB_SWITCH_TREE_MOST];  /* GB_NONE: it is at the top, or joined to the site's core */
  double bandwidth[GB_SWITCH_TREE_MOST]; /* of the cable above it; 0: it is at the top */
} gb_switch_tree;

/* Finds how the switches are joined, at least two, and what their cables carry. `of`, `count` and `best` are
 * those of gb_probe_switch_groups. GBCAST_EMEMORY, or what `bed` returns. */
int gb_probe_switch_tree(uint32_t hosts, const uint32_t *of, uint32_t count, const double *best,
                         const gb_stream_bed *bed, gb_switch_tree *tree, gbcast_error *err);

#endif
