/* gbcast/plan.h: what will happen, and why, before the job runs. A plan is plain data made from a platform
 * and a request; the same input gives the same bytes on every machine. */
#ifndef GBCAST_PLAN_H
#define GBCAST_PLAN_H

#include <gbcast/platform.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gbcast_plan gbcast_plan;

enum gbcast_operation { GBCAST_BCAST = 0, GBCAST_SCATTER = 1, GBCAST_ALLTOALL = 2 };

#define GBCAST_LANES_MOST 64u

/* What to plan. Zero or NULL in a field lets the planner choose. */
typedef struct gbcast_request {
  enum gbcast_operation operation;
  uint64_t bytes;    /* message (bcast) or block of each rank (scatter), or for each (alltoall) */
  const char *root;  /* a host's name, HOST#K for its rank number K from 0, or the number of a rank; NULL: the
                        first host with a rank */
  const char *inter; /* name of a WAN algorithm; NULL or "auto" */
  const char *intra; /* LAN algorithm for all clusters, or "NAME,CLUSTER;NAME,CLUSTER"; NULL or "auto" */
  uint64_t segment;  /* bytes */
  uint32_t lanes;    /* leaders of each site that share a broadcast between sites */
  const char *sync;  /* how the phases of an all-to-all are kept apart: NAME, NAME:BLOCK, NULL or "auto" */
  const uint32_t *ranks; /* on each host of the platform, 0 on those that take no part; NULL: on every slot */
  bool chosen_only; /* lists no candidate but the chosen one: for those who do not print them, in less time */
  const uint32_t *rank_host; /* the host of each of those ranks, by their numbers; NULL: they are numbered as
                                the slots of the file are, and a host's further ranks behind its last slot */
} gbcast_request;

/* Plans for the ranks of the request. An all-to-all takes no root and nothing that is about trees, and at
 * most 4096 hosts, 1024 in a cluster. GBCAST_EUSAGE: an unknown algorithm; GBCAST_EINPUT: an unknown root, a
 * site out of reach. The platform must outlive the plan. */
GBCAST_API int gbcast_plan_make(const gbcast_platform *platform, const gbcast_request *request,
                                gbcast_plan **out, gbcast_error *err);
GBCAST_API void gbcast_plan_free(gbcast_plan *plan); /* NULL is allowed */

/* Whether the plan delivers every byte to every rank exactly once: each tree spans, has no cycle and no
 * repeated child, and the shares sum to one. Of an all-to-all: whether every host sends to every other once,
 * no directed link is used twice in a phase, and there are no more phases than the busiest link needs. */
GBCAST_API int gbcast_plan_check(const gbcast_plan *plan, gbcast_error *err);

GBCAST_API double gbcast_plan_predicted(const gbcast_plan *plan);   /* s */
GBCAST_API double gbcast_plan_lower_bound(const gbcast_plan *plan); /* s; no schedule can be faster */
GBCAST_API uint64_t gbcast_plan_hash(const gbcast_plan *plan);

enum gbcast_format {
  GBCAST_TEXT,
  GBCAST_JSON,
  GBCAST_COMPARE,
  GBCAST_C,
  GBCAST_DOT,
  GBCAST_SVG,
  GBCAST_TRACE
};
/* Prints the plan; GBCAST_COMPARE is the table of candidates, of an all-to-all that of its synchronisations.
 * GBCAST_C is a C file with a routine that follows this plan and needs only MPI: gbcast_generated_bcast or
 * gbcast_generated_alltoall, called as MPI_Bcast or MPI_Alltoall. GBCAST_DOT is a graph for Graphviz,
 * GBCAST_SVG an image, GBCAST_TRACE Chrome trace events. GBCAST_EINPUT when writing fails;
 * GBCAST_EUSAGE: C of a scatter. */
GBCAST_API int gbcast_plan_print(const gbcast_plan *plan, enum gbcast_format format, FILE *out);

/* Lists the names of --inter, --intra and --sync, a line each. */
GBCAST_API void gbcast_list_algorithms(FILE *out);

/* Lists the settings of gbcast.h, a line each below a heading, in four columns: name, value, default or -,
 * all without blanks, and what it means. */
GBCAST_API void gbcast_list_settings(FILE *out);

#ifdef __cplusplus
}
#endif

#endif
