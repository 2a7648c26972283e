/* gbcast/plan.h: plans, before the job runs and without MPI. A plan says what a broadcast, scatter,
 * gather, allgather, reduction, allreduce or all-to-all does, and why. It is plain data made from a platform
 * and a request; the same input gives the same bytes on every machine. */
#ifndef GBCAST_PLAN_H
#define GBCAST_PLAN_H

#include <gbcast/platform.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gbcast_plan gbcast_plan;

enum gbcast_operation {
  GBCAST_BCAST = 0,
  GBCAST_SCATTER = 1,
  GBCAST_ALLTOALL = 2,
  GBCAST_REDUCE = 3,
  GBCAST_ALLREDUCE = 4,
  GBCAST_GATHER = 5,
  GBCAST_ALLGATHER = 6,
  GBCAST_BARRIER = 7,
  GBCAST_REDUCE_SCATTER = 8
};

#define GBCAST_LANES_MOST 64u

/* What to plan. A field that is 0 or NULL lets the planner choose, or has the default given here. */
typedef struct gbcast_request {
  enum gbcast_operation operation;
  uint64_t bytes;   /* message (bcast), operand of each rank (reduce, allreduce), block of each rank (scatter,
                       gather), block for each rank (alltoall), or blocks of all ranks together (allgather,
                       reduce-scatter); a barrier has none */
  const char *root; /* a host's name, HOST#K for its rank number K from 0, or the number of a rank; NULL: the
                       first host with a rank. Of an allgather, allreduce, reduce-scatter or barrier: by way
                       of which all data go; NULL: any */
  const char *inter; /* name of a WAN algorithm; NULL or "auto" */
  const char *intra; /* LAN algorithm for all clusters, or "NAME,CLUSTER;NAME,CLUSTER"; NULL or "auto" */
  uint64_t segment;  /* bytes */
  uint32_t lanes;    /* leaders of each site that share a broadcast between sites */
  const char *sync;  /* how the phases of an all-to-all are kept apart: NAME, NAME:BLOCK, NULL or "auto" */
  const uint32_t *ranks; /* on each host of the platform, 0 on those that take no part; NULL: on every slot */
  bool chosen_only; /* lists only the chosen candidate, which takes less time: for callers that do not print
                       them */
  const uint32_t *rank_host; /* the host of each of those ranks, by their numbers; NULL: they are numbered as
                                the slots of the file are, and a host's further ranks behind its last slot */
  double within; /* s: the least cost of what takes no longer, or else the fastest plan found; INFINITY: the
                    least cost; 0: the least time. The hosts file has to have prices */
  bool relays;   /* where the cost counts, broadcasts may go by way of clusters with the word relay and
                    without ranks: not in an MPI job */
} gbcast_request;

/* Makes a plan for the ranks of the request, to be given to gbcast_plan_free. The request of an all-to-all
 * has no root and no field that is about trees, and at most 4096 hosts, 1024 in a cluster. The platform must
 * outlive the plan. GBCAST_EUSAGE: an unknown algorithm, or fields that contradict each other; GBCAST_EINPUT:
 * an unknown root, a site out of reach; GBCAST_EMEMORY. */
GBCAST_API int gbcast_plan_make(const gbcast_platform *platform, const gbcast_request *request,
                                gbcast_plan **out, gbcast_error *err);
GBCAST_API void gbcast_plan_free(gbcast_plan *plan); /* NULL is allowed */

/* Checks that the plan delivers every byte to every rank exactly once: each tree spans all ranks without a
 * cycle or a repeated child, and the shares sum to one. For an all-to-all: every host sends to every other
 * host once, no directed link is used twice in a phase, and there are no more phases than the busiest link
 * needs. GBCAST_EINPUT: the plan fails the check; GBCAST_EMEMORY. */
GBCAST_API int gbcast_plan_check(const gbcast_plan *plan, gbcast_error *err);

/* Seconds until the last rank has all of its data. */
GBCAST_API double gbcast_plan_predicted(const gbcast_plan *plan);

/* Seconds that any schedule takes on this platform. */
GBCAST_API double gbcast_plan_lower_bound(const gbcast_plan *plan);

/* USD for data that leave sites, and for hosts as long as the plan takes; NAN where the hosts file has no
 * prices. */
GBCAST_API double gbcast_plan_cost(const gbcast_plan *plan);

/* Equal for equal plans, on every machine. */
GBCAST_API uint64_t gbcast_plan_hash(const gbcast_plan *plan);

enum gbcast_format {
  GBCAST_TEXT,
  GBCAST_JSON,
  GBCAST_COMPARE,
  GBCAST_C,
  GBCAST_DOT,
  GBCAST_SVG,
  GBCAST_TRACE,
  GBCAST_HTML
};
/* Prints the plan in one of these formats:
 *
 *   GBCAST_TEXT     tables to read
 *   GBCAST_JSON     schema gbcast-plan/1
 *   GBCAST_COMPARE  the table of candidates; of an all-to-all, that of its synchronisations
 *   GBCAST_C        a C file that needs only MPI, with a routine that follows this plan, called like the MPI
 *                   function: gbcast_generated_bcast or gbcast_generated_alltoall
 *   GBCAST_DOT      a graph for Graphviz
 *   GBCAST_SVG      an image
 *   GBCAST_TRACE    Chrome trace events
 *   GBCAST_HTML     a page with the image, every send in a table, and a search for a host
 *
 * GBCAST_EINPUT: writing fails; GBCAST_EUSAGE: GBCAST_C of a scatter or reduction, or with relays;
 * GBCAST_EMEMORY. */
GBCAST_API int gbcast_plan_print(const gbcast_plan *plan, enum gbcast_format format, FILE *out);

/* Lists the names of --inter, --intra and --sync, one on a line. */
GBCAST_API void gbcast_list_algorithms(FILE *out);

/* Lists the settings of gbcast.h, one on a line below a heading, in four columns: name, value, default or -,
 * all without blanks, and meaning. */
GBCAST_API void gbcast_list_settings(FILE *out);

#ifdef __cplusplus
}
#endif

#endif
