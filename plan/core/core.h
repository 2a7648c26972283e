/* The plan as the engine, the printers and the tests see it. Nodes of a plan are endpoints: a host's k-th
 * rank. */
#ifndef GB_PLAN_CORE_CORE_H
#define GB_PLAN_CORE_CORE_H

#include "platform/platform.h"
#include <gbcast/plan.h>

/* The most messages in flight to one receiver. */
#define GB_WINDOW_MOST 256u

/* The engine keeps up to this many segments in flight to one receiver: on a long path smaller segments than
 * fill it would leave it idle, so auto does not cut that small. */
#define GB_SENDS_IN_FLIGHT 240

/* Each tree takes one of MPI's tags: see mpi/exec/header.h. */
#define GB_TREES_MOST 127u

/* The most segments of one message: more would take more time to simulate and to send than smaller segments
 * can save. */
#define GB_SEGMENTS_MOST ((uint64_t)1 << 22)

/* The largest message handed to MPI: its counts are ints. */
#define GB_MAX_SEGMENT ((uint64_t)1 << 30)

typedef struct gb_endpoint {
  uint32_t host; /* of the platform */
  uint32_t k;    /* from 0; ranks of a host in the order of their rank numbers */
} gb_endpoint;

enum gb_level { GB_LEVEL_NODE, GB_LEVEL_LAN, GB_LEVEL_WAN };
#define GB_LEVELS 3u
extern const char *const gb_level_name[GB_LEVELS]; /* "node", "lan", "wan", as in JSON */

/* How an edge is run, as the planner decides it; see plan/search/pacing.c. */
typedef struct gb_pacing {
  double latency; /* s, one way */
  double way;  /* s until a segment is everywhere behind the edge (scatter: at its end), once on the link */
  double rate; /* bytes/s on the narrowest link of the way */
  double port; /* s a byte on the sender's own link, which takes no more than one message at a time */
  double
      shared_rate;  /* bytes/s on the narrowest link that all edges to that site share; INFINITY in a site */
  double link_part; /* bytes/s of the link to that site that are this sender's; INFINITY where it is alone */
  uint32_t window;  /* messages under way, at most GB_WINDOW_MOST */
  bool paced;       /* messages go at these rates */
  bool streams;     /* the edge carries several messages: a broadcast's segments, a scatter's blocks */
  enum gb_level level;
} gb_pacing;

/* One tree over a run of endpoints, numbered from 0. Arrays have an entry for each endpoint but where it says
 * otherwise; those of the last four may be NULL: not wanted. */
typedef struct gb_tree {
  uint32_t weight;       /* its share of the message is weight / weight_total of the schedule */
  uint32_t stage;        /* trees of a later stage follow those of earlier ones; stages ascend */
  uint64_t segment;      /* bytes; at least 1 */
  uint32_t *parent;      /* GB_NONE at the root */
  uint32_t *child_start; /* endpoint_count + 1 */
  uint32_t *child;       /* endpoint_count - 1, in sending order */
  double *label;         /* s: from the endpoint having a segment to its whole subtree having it */
  double *start;         /* s: when the first byte of the share leaves for the endpoint */
  double *arrival;       /* s: when the endpoint has the whole share */
  gb_pacing *pacing;     /* of the edge to the endpoint; the root's is unused */
} gb_tree;

/* What is simulated, shown and run: trees over the same endpoints, of the whole plan or of one site by
 * itself. An endpoint sends one thing at a time, whatever the tree. */
typedef struct gb_schedule {
  uint32_t endpoint_count, root;
  gb_endpoint *endpoint; /* of its owner */
  uint32_t tree_count, weight_total;
  double pace; /* scatter: how much more slowly than its link allows the root sends; else 1 */
  gb_tree *tree;
} gb_schedule;

typedef struct gb_site { /* a cluster with at least one rank in the job */
  uint32_t cluster;
  uint32_t leader; /* endpoint; of several lanes see gb_plan_leader */
  uint32_t hosts;  /* that take part */
  uint32_t first_endpoint, endpoint_count;
  const char *intra, *node; /* algorithms inside it and inside its hosts */
  bool one_uplink;          /* all that goes to other sites leaves this one over one link */
  double label; /* s: from its leader having a segment to its whole subtree of sites having it, in the slowest
                   of the trees */
} gb_site;

/* Whether some host of the site has several ranks. */
static inline bool gb_site_has_nodes(const gb_site *site) {
  return site->hosts < site->endpoint_count;
}

/* What a predicted time is made of (s), see plan/search/terms.c; NAN where a formula gave the time. */
typedef struct gb_terms {
  double start_up, pipeline, delay;
} gb_terms;

typedef struct gb_candidate {
  uint32_t lanes;
  const char *inter; /* algorithm between sites */
  const char *intra; /* and inside them, or "mixed": the best for each cluster */
  uint64_t segment;
  double predicted;
  gb_terms terms;
} gb_candidate;

/* How a plan is run. The trees of a broadcast or scatter are always there, also for native plans, to be
 * looked at. */
struct gbcast_plan {
  const gbcast_platform *platform;
  enum gbcast_operation operation;
  uint64_t bytes;
  uint64_t class_bytes; /* the size that the decision was taken for; see gb_size_class */
  uint32_t endpoint_count;
  gb_endpoint *endpoint; /* grouped by site, then by host in file order, then by k */
  uint32_t *rank_host;   /* of the request, or NULL */
  uint32_t root;         /* endpoint */
  uint32_t site_count, root_site;
  gb_site *site;
  const char *inter; /* algorithm between sites */
  uint32_t lanes;    /* tree t is of lane t % lanes */
  uint32_t *leaders; /* lane * site_count + site: endpoints */
  uint32_t tree_count, weight_total;
  gb_tree *tree;
  bool rendezvous;      /* announce each message first (MPI_Issend) */
  bool native;          /* one cluster, and the MPI library's own collective is run instead */
  double pace;          /* scatter: how much more slowly than its link allows the root sends; else 1 */
  bool far_first;       /* scatter: what the root sends to its own site waits for the link to be free */
  double efficiency[2]; /* the part of a link that streams of several trees are paced at: in a site, and
                           between sites; 1 where they are not */
  double predicted, bound;
  char *file;            /* that it was read from, or NULL, */
  double predicted_then; /* and what that says of it */
  uint64_t hash_then;
  uint64_t decision; /* hash of the trees */
  uint64_t hash;     /* of the trees and the size */
  size_t candidate_count;
  gb_candidate *candidate;      /* best first */
  struct gb_alltoall *alltoall; /* in place of trees and candidates; NULL for the other operations */
};

/* The request inside the library: which ranks take part and who is the root. */
typedef struct gb_job {
  const uint32_t *ranks; /* host_count: ranks on each host that take part, 0 for none */
  uint32_t root_host, root_k;
} gb_job;

/* Sizes are decided on in classes, eight an octave, so that a program that sends many different sizes plans a
 * few dozen times: the least size >= bytes of the form (8..15) * 2^k, or bytes itself below 16. */
uint64_t gb_size_class(uint64_t bytes);

/* Shares are runs of bytes, one tree's after another's: where the share begins that has `before` of `total`
 * weights before it. The planner and the engine cut alike; a share of a short message may be empty. */
static inline uint64_t gb_share_begin(uint64_t bytes, uint32_t before, uint32_t total) {
  return bytes / total * before + bytes % total * before / total; /* without overflow */
}

/* The hash of the same decision taken to another size of its class. */
uint64_t gb_plan_hash_for(const gbcast_plan *plan, uint64_t bytes);

bool gb_plan_has_nodes(const gbcast_plan *plan); /* some site has */

/* Whether some trees follow others. */
static inline bool gb_plan_in_stages(const gbcast_plan *plan) {
  return plan->tree_count > 0 && plan->tree[plan->tree_count - 1].stage > 0;
}

/* Its trees; the arrays are the plan's. */
static inline gb_schedule gb_plan_schedule(const gbcast_plan *plan) {
  return (gb_schedule){.endpoint_count = plan->endpoint_count,
                       .root = plan->root,
                       .endpoint = plan->endpoint,
                       .tree_count = plan->tree_count,
                       .weight_total = plan->weight_total,
                       .pace = plan->pace,
                       .tree = plan->tree};
}

/* Who speaks for a site in one of the trees. */
static inline uint32_t gb_plan_leader(const gbcast_plan *plan, uint32_t site, uint32_t tree) {
  return plan->leaders[(size_t)(tree % plan->lanes) * plan->site_count + site];
}

/* How many ranks lead the first `lanes` lanes in a site. */
uint32_t gb_plan_leader_count(const gbcast_plan *plan, uint32_t site, uint32_t lanes);

/* `trees` trees of equal weight, their parents and children to be filled in. */
int gb_schedule_new(gb_endpoint *endpoint, uint32_t n, uint32_t root, uint32_t trees, gb_schedule *schedule,
                    gbcast_error *err);
void gb_schedule_free(gb_schedule *schedule); /* not the endpoints */

/* Child lists from the parents, in the order of the endpoints' numbers. */
void gb_tree_link(gb_tree *tree, uint32_t n);

/* order (endpoint_count): every endpoint after its parent, along the child lists. */
void gb_tree_order(const gb_tree *tree, uint32_t root, uint32_t *order);

enum gb_level gb_plan_level(const gbcast_plan *plan, uint32_t from, uint32_t to);

/* The parts of a plan's hash; each goes on from `hash`, but the first, which is of endpoints and trees. */
uint64_t gb_hash_trees(const gbcast_plan *plan);
uint64_t gb_hash_number(uint64_t hash, uint64_t value);
uint64_t gb_hash_text(uint64_t hash, const char *text);
uint64_t gb_hash_live(uint64_t hash, const gbcast_platform *p); /* live values that change a link */

/* gbcast_plan_check of a broadcast or a scatter. */
int gb_plan_check_trees(const gbcast_plan *plan, gbcast_error *err);

/* Fills the endpoints and sites of a plan from the job: sites in the order of the platform's clusters, hosts
 * in file order, ranks in their order. */
int gb_layout(gbcast_plan *plan, const gb_job *job, gbcast_error *err);

/* The host of each rank of a job with so many on each host, by number; to be freed. Ranks are numbered as
 * `rank_host` says, a copy of which this is, or without it as the slots of the file are, a host's ranks
 * beyond its slots after the last of those. GBCAST_EUSAGE: `ranks` and `rank_host` are of different jobs. */
int gb_numbering(const gbcast_platform *p, const uint32_t *ranks, const uint32_t *rank_host, uint32_t **host,
                 uint32_t *count, gbcast_error *err);

/* XXH64, the 64-bit checksum of Yann Collet's xxHash, with seed 0. NULL is allowed for no bytes. */
uint64_t gb_checksum(const void *bytes, size_t length);

/* fmax and fmin without calls into libm, whose rules for NaN nothing here needs. */
static inline double gb_larger(double a, double b) {
  return a > b ? a : b;
}

static inline double gb_smaller(double a, double b) {
  return a < b ? a : b;
}

#endif
