/* Inside one cluster: cost models and trees. Every algorithm is one line of the table in intra/table.c. */
#ifndef GB_INTRA_INTRA_H
#define GB_INTRA_INTRA_H

#include "platform/cost/cost.h"

/* A homogeneous cluster as pLogP sees it. */
typedef struct gb_lan {
  const gb_plogp *plogp; /* measured, or NULL: then from the three below */
  double latency, bandwidth, overhead;
} gb_lan;

gb_lan gb_lan_of(const gbcast_platform *p, uint32_t cluster);
double gb_lan_gap(const gb_lan *lan, uint64_t bytes);     /* g(m); o + m / bandwidth without plogp */
double gb_lan_latency(const gb_lan *lan, uint64_t bytes); /* L(m), the receiver's o included without plogp */
/* s for a short message from host to host */
static inline double gb_lan_word(const gb_lan *lan) {
  return gb_lan_gap(lan, 1) + gb_lan_latency(lan, 1);
}

/* Whether the MPI library is taken to broadcast that in a binomial tree (intra/native.c). */
bool gb_intra_native_is_tree(uint32_t hosts, uint64_t bytes);

/* The size that stands for `bytes`: nothing is known below the first that was measured (contract). */
uint64_t gb_lan_known_size(const gb_lan *lan, uint64_t bytes);

enum { GB_BCAST = 0, GB_SCATTER = 1 };

/* Closed formula: seconds for `hosts` processes, `bytes` (message, or block of a scatter), `segment` (ignored
 * by models that do not cut). */
typedef double gb_intra_model(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment);

/* What a tree is for: hosts of one cluster, the root first, and the message that all of them are to get. */
typedef struct gb_intra_job {
  const gbcast_platform *p;
  const uint32_t *host; /* count */
  uint32_t count;
  uint64_t bytes;
} gb_intra_job;

/* Fills parent[count]: indices into `host` (GB_NONE for host[0], the root of the tree). Algorithms that make
 * several trees fill so many times `count`, tree after tree. */
typedef int gb_intra_build(const gb_intra_job *job, uint32_t *parent, gbcast_error *err);

typedef struct gb_intra_algorithm {
  const char *name;
  const char *summary; /* one line, for --list */
  unsigned operations; /* 1 << GB_BCAST | 1 << GB_SCATTER */
  bool segmented;      /* cuts the message; without it the segment is the whole message */
  bool rendezvous;     /* each hop is announced first: adds 2 g(1) + 2 L a hop to the first segment */
  bool native;     /* the MPI library's own collective runs inside the cluster; build gives a stand-in tree */
  bool automatic;  /* auto considers it */
  bool few_copies; /* whatever the size of the cluster, its leader sends at most two messages' worth */
  bool one_switch; /* auto considers it only where all hosts are on one switch */
  bool leaderless; /* the hosts below the leader hang below whoever feeds the site instead */
  uint32_t trees;  /* that it makes, each for an equal share of the message; 0 means one */
  gb_intra_build *build;
  gb_intra_model *bcast_model;   /* Table 1, or NULL */
  gb_intra_model *scatter_model; /* Table 2, or NULL */
} gb_intra_algorithm;

extern const gb_intra_algorithm gb_intra_table[];
extern const size_t gb_intra_count;

static inline uint32_t gb_intra_trees(size_t intra) {
  return gb_intra_table[intra].trees > 1 ? gb_intra_table[intra].trees : 1;
}

size_t gb_intra_find(const char *name, int operation); /* index, or SIZE_MAX */

/* The segment (bytes, at least `least`, at most `bytes`) that minimises a segmented model; never more than 1
 * % from the best power of two. */
uint64_t gb_intra_best_segment(gb_intra_model *model, const gb_lan *lan, uint32_t hosts, uint64_t bytes,
                               uint64_t least);

#endif
