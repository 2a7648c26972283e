/* A plan that was printed as JSON, read back: what its file says, by name, without a platform. It can be
 * bound to one (plan/api/api.h), to be run or priced there, or be compared with another plan. */
#ifndef GB_PLAN_SHOW_SAVED_H
#define GB_PLAN_SHOW_SAVED_H

#include "plan/core/core.h"
#include "plan/show/json_read.h"

typedef struct gb_saved_end { /* "host" or "host#k" */
  const char *host;
  uint64_t k;
} gb_saved_end;

typedef struct gb_saved_edge {
  gb_saved_end from, to;
  enum gb_level level;
  uint64_t order; /* among its sender's children, from 1 */
  double start, arrival;
  double latency, bandwidth; /* of the route to another site (s, bytes/s); NAN: the file does not say it */
  gb_json_spot where;
} gb_saved_edge;

typedef struct gb_saved_tree {
  double share;
  uint64_t weight, stage, segment;
  uint32_t edge_count;
  gb_saved_edge *edge;
  gb_json_spot where;
} gb_saved_tree;

typedef struct gb_saved_cluster {
  const char *name, *algorithm, *node; /* node: NULL where no host has several ranks */
  uint64_t hosts;
  double label, latency, bandwidth;
  uint32_t leader_count, lane_count;
  gb_saved_end *leader, *lane; /* leader: each host once; lane: of each lane, or none */
  gb_json_spot where;
} gb_saved_cluster;

typedef struct gb_saved_link { /* from one site to another, as the plan was made with */
  const char *from, *to;
  double latency, bandwidth, stream, window; /* the last two: INFINITY where there is no such limit */
} gb_saved_link;

typedef struct gb_saved_candidate {
  const char *inter, *intra;
  uint64_t lanes, segment;
  double predicted;
  gb_terms terms;
  gb_cost_usd cost;
} gb_saved_candidate;

typedef struct gb_saved {
  gb_json_document document; /* has all text, but no values any more */
  enum gbcast_operation operation;
  uint64_t bytes, hash; /* hash: 0 where the file has none */
  double predicted, bound;
  gb_saved_end root;
  gb_json_spot root_where;
  const char *inter;
  uint64_t lanes; /* 0 where the file does not say it */
  bool native, rendezvous;
  double pace;
  uint32_t cluster_count, tree_count, link_count, candidate_count;
  gb_saved_cluster *cluster;
  gb_saved_tree *tree;
  gb_saved_link *link;
  gb_saved_candidate *candidate;
  const char
      *missing; /* the first key that is needed to run the plan and that the file does not have, or NULL */
  const char *algorithm, *sync; /* of an all-to-all, which has no trees */
  uint32_t phases;
} gb_saved;

/* Reads JSON of the schema gbcast-plan/1; keys that are not known are passed over. `file` is what messages
 * call it: those of GBCAST_EINPUT begin FILE:LINE:COLUMN. GBCAST_EMEMORY. */
int gb_saved_parse(const char *text, size_t length, const char *file, gb_saved *out, gbcast_error *err);
int gb_saved_read(const char *path, gb_saved *out, gbcast_error *err);

void gb_saved_release(gb_saved *saved);

#endif
