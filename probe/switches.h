/* The switches of a site, found from what streams carry that run at the same time. Without MPI: who runs them
 * is told by a function. Bytes a second; hosts are numbered from 0 inside their site. */
#ifndef GB_PROBE_SWITCHES_H
#define GB_PROBE_SWITCHES_H

#include "platform/platform.h"

enum {
  GB_SWITCH_HOSTS_LEAST = 4,  /* two on each of two switches */
  GB_SWITCH_HOSTS_MOST = 128, /* every two of them are measured, in as many rounds as there are hosts */
  GB_SWITCHES_MOST = 64,      /* of such a site */
  GB_SWITCHES_JOINED =
      12, /* whose tree is looked for, for which every two are measured; more are taken for a star */
};

typedef struct gb_probe_stream {
  uint32_t from, to;
  double rate; /* what it carried while the others ran */
} gb_probe_stream;

typedef struct gb_stream_bed {
  /* Runs the streams at the same time, of which no two have one sender or one receiver, and sets their rates.
   * Not GBCAST_OK: the search ends with that status. */
  int (*run)(void *state, gb_probe_stream *stream, uint32_t count);
  void *state;
} gb_stream_bed;

/* Sets of[h] to the switch of host h, numbered by their first hosts, and best[h] to the fastest stream it had
 * (0: none was run). One switch: none was found that shares a cable. Of fewer than GB_SWITCH_HOSTS_LEAST
 * hosts nothing is measured. A status of `bed`, or GBCAST_EMEMORY. */
int gb_probe_switch_groups(uint32_t hosts, const gb_stream_bed *bed, uint32_t *of, uint32_t *count,
                           double *best, gbcast_error *err);

enum { GB_SWITCH_TREE_MOST = 2 * GB_SWITCHES_MOST };

typedef struct gb_switch_tree { /* the first switches are those of the groups; more have no hosts */
  uint32_t count;
  uint32_t uplink[GB_SWITCH_TREE_MOST];  /* GB_NONE: joined to the site's core, or at the top */
  double bandwidth[GB_SWITCH_TREE_MOST]; /* of the cable to it; 0: at the top */
} gb_switch_tree;

/* How the switches of some hosts, at least two, are joined, and what their cables carry. A status of `bed`.
 */
int gb_probe_switch_tree(uint32_t hosts, const uint32_t *of, uint32_t count, const double *best,
                         const gb_stream_bed *bed, gb_switch_tree *tree, gbcast_error *err);

#endif
