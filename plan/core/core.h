/* What a plan is: its trees, and how each edge is run. A plan has three levels:
 *
 *   WAN    sites, by their leaders          algorithms of inter/
 *   LAN    the hosts of a site              algorithms of intra/
 *   node   the ranks of a host              rank algorithms (gb_node_table)
 *
 * The search makes plans, the simulation prices their trees, the printers show them, and mpi/ runs them. The
 * nodes of a plan are endpoints: an endpoint is the k-th rank of a host.
 *
 * Functions that can fail return GBCAST_OK or an error status, and then fill *err. */
#ifndef GB_PLAN_CORE_CORE_H
#define GB_PLAN_CORE_CORE_H

#include "plan/core/operations.h"
#include "platform/platform.h"
#include <gbcast/plan.h>

/* The most messages in flight to one receiver. */
#define GB_WINDOW_MOST 256u

/* Segments in flight that the choice of a segment size counts on, fewer than a window may have with its spare
 * ones. `auto` chooses no segments so small that more would be needed to fill a long path, because the path
 * would idle. */
#define GB_SENDS_IN_FLIGHT 240

/* The most trees of a plan: each uses a tag of its own (mpi/exec/header.h). */
#define GB_TREES_MOST 127u

/* The most segments of one message. More would take longer to simulate and to send than smaller segments can
 * save. */
#define GB_SEGMENT_COUNT_MOST ((uint64_t)1 << 22)

/* Bytes: the largest message handed to MPI, whose counts are ints. */
#define GB_SEGMENT_BYTES_MOST ((uint64_t)1 << 30)

typedef struct gb_endpoint {
  uint32_t host; /* index in the platform's host[] */
  uint32_t k;    /* from 0: which of the host's ranks, in the order of rank numbers */
} gb_endpoint;

enum gb_level { GB_LEVEL_NODE, GB_LEVEL_LAN, GB_LEVEL_WAN };
#define GB_LEVELS 3u
extern const char *const gb_level_name[GB_LEVELS]; /* "node", "lan", "wan", as in JSON */

/* How the executor runs one edge, as the planner decides it (plan/build/pacing.c). */
typedef struct gb_pacing {
  double latency;     /* s, one way */
  double delivery;    /* s from a segment being on the link until it is everywhere below the edge (scatter: at
                    the    receiver) */
  double rate;        /* bytes/s on the narrowest link of the path */
  double port;        /* s per byte on the sender's own link, which carries one message at a time */
  double shared_rate; /* bytes/s on the narrowest link that all edges to the receiver's site share; INFINITY
                         inside a site */
  double link_part;   /* bytes/s of the link to that site that this sender may use; INFINITY if it is the only
                         sender */
  uint32_t window;    /* messages in flight, 1 .. GB_WINDOW_MOST */
  bool paced;         /* the sender keeps to these rates */
  bool streams;       /* the edge carries several messages: segments (broadcast) or blocks (scatter) */
  enum gb_level level;
} gb_pacing;

/* Where data go both ways: how the sites get each other's. */
enum gb_exchange_kind {
  GB_UP_AND_DOWN,      /* up the trees, and down again */
  GB_EXCHANGE_LEADERS, /* one tree: each leader sends what its site has to all other leaders */
  GB_EXCHANGE_RINGS    /* allgather, reduce-scatter; one tree: each rank sends its block to one rank of each
                          other site, and blocks go round a ring of the ranks of a site (gb_rings_order) */
};

/* What stands for the algorithm between sites where leaders or ranks exchange; NULL for GB_UP_AND_DOWN. */
const char *gb_exchange_name(enum gb_exchange_kind kind);

/* The kind of that name; GB_UP_AND_DOWN: none. NULL is allowed. */
enum gb_exchange_kind gb_exchange_find(const char *name);

/* One tree over endpoints 0 .. endpoint_count - 1. Arrays have endpoint_count elements unless noted. label,
 * start, arrival and pacing are NULL where they are not wanted. */
typedef struct gb_tree {
  uint32_t weight;       /* the tree carries weight / weight_total of the message (scatter: of each block) */
  uint32_t stage;        /* from 0, in ascending order; a tree is sent after all trees of earlier stages */
  uint64_t segment;      /* bytes; at least 1 */
  uint32_t *parent;      /* GB_NONE at the root, and at relays that the tree leaves out */
  uint32_t *child_start; /* endpoint_count + 1; the children of v are child[child_start[v]] ..
                            child[child_start[v + 1] - 1] */
  uint32_t *child;       /* as many as have a parent, in sending order */
  double *label;         /* s from the endpoint having a segment until its whole subtree has it */
  double *start; /* s from the start of the call until the first byte of the share leaves for the endpoint */
  double *arrival;   /* s from the start of the call until the endpoint has the whole share */
  gb_pacing *pacing; /* of the edge that leads to the endpoint; unused at the root */
} gb_tree;

/* What is simulated, shown and run: trees over the same endpoints, either of the whole plan or of one site.
 * An endpoint sends one message at a time, whatever the tree. */
typedef struct gb_schedule {
  uint32_t endpoint_count, root;
  gb_endpoint *endpoint; /* endpoint_count; owned by whoever made the schedule */
  uint32_t tree_count, weight_total;
  gb_tree *tree;  /* tree_count */
  double pace;    /* scatter: the root sends this many times slower than its link allows; otherwise 1 */
  bool far_first; /* scatter: the root serves other sites first: what it sends inside its site waits until its
                     link is free */
  enum gb_exchange_kind exchange;
  double efficiency[2]; /* share of a link at which streams of several trees are paced: [0] inside a site, [1]
                           between sites; 1 for a single tree */
} gb_schedule;

typedef struct gb_site { /* a cluster with at least one rank of the job */
  uint32_t cluster;
  uint32_t leader; /* endpoint; with several lanes see gb_plan_leader */
  uint32_t hosts;  /* with ranks of the job */
  uint32_t first_endpoint, endpoint_count;
  bool relay;               /* its one rank passes data on, and wants none */
  const char *intra, *node; /* names of the algorithms inside the site and inside its hosts */
  bool one_uplink;          /* the site has one link to all other sites (`wan-bandwidth`) */
  double label; /* s from the leader having a segment until all below it have it, in the slowest tree */
} gb_site;

static inline bool gb_site_has_nodes(const gb_site *site) {
  return site->hosts < site->endpoint_count;
}

/* The parts of a predicted time, in s; they sum to it (plan/build/terms.c). NAN where a formula gave the
 * time. */
typedef struct gb_terms {
  double start_up, pipeline, delay;
} gb_terms;

/* What a plan costs in USD: what providers charge for data that leave a site, and for hosts while it runs.
 * NAN where the hosts file has no prices. */
typedef struct gb_cost_usd {
  double egress, hire;
} gb_cost_usd;

/* What is kept of a candidate to be printed. */
typedef struct gb_candidate {
  uint32_t lanes;
  const char *inter; /* algorithm between sites */
  const char *intra; /* inside sites, or "mixed": the best for each cluster */
  uint64_t segment;
  double predicted;
  gb_terms terms;
  gb_cost_usd cost;
} gb_candidate;

/* A plan. A broadcast or a scatter always has trees, so that they can be shown even if the MPI library's own
 * collective runs. */
struct gbcast_plan {
  const gbcast_platform *given;    /* what it was made for */
  const gbcast_platform *platform; /* the same as its trees see it: data that go up see all links turned */
  gbcast_platform *turned;         /* the same if it is the plan's own, or NULL */
  enum gbcast_operation operation;
  uint64_t bytes;
  uint64_t class_bytes; /* the size for which the plan was chosen (gb_size_class) */
  gb_schedule schedule; /* its endpoints by site, then by host in file order, then by k */
  uint32_t *rank_host;  /* by rank: its host; a copy of the request's, or NULL */
  uint32_t site_count, root_site;
  gb_site *site;           /* site_count; in the order of the platform's clusters */
  const char *inter;       /* algorithm between sites */
  uint32_t lanes;          /* tree t belongs to lane t % lanes */
  uint32_t *leaders;       /* lanes * site_count endpoints; index lane * site_count + site */
  bool rendezvous;         /* each message is announced before it is sent (MPI_Issend) */
  bool native;             /* there is one cluster, and the MPI library's own collective runs */
  double predicted, bound; /* s: the predicted time, and a lower bound for any plan */
  gb_cost_usd cost;        /* at that time */
  double cost_bound;       /* USD: no plan costs less; NAN: not known, as for the objective time */
  char *file;              /* the file that the plan was read from, or NULL ... */
  double predicted_then;   /* ... and the predicted time and hash in it */
  uint64_t hash_then;
  uint64_t decision; /* hash of the trees */
  uint64_t hash;     /* of the trees and the size */
  size_t candidate_count;
  gb_candidate *candidate;      /* candidate_count, best first; [0] is the plan itself */
  struct gb_alltoall *alltoall; /* all-to-all: in place of trees and candidates; otherwise NULL */
};

/* The ranks that take part, and the root. */
typedef struct gb_job {
  const uint32_t *ranks;      /* host_count of the platform: ranks on each host; 0 if it takes no part */
  bool relays;                /* the leader of each relay cluster without ranks may pass data on */
  uint32_t root_host, root_k; /* root_host: GB_NONE: any, where data go both ways */
} gb_job;

/* The size for which a message of `bytes` is planned: the least number that is at least `bytes` and of the
 * form (8..15) * 2^k, or `bytes` itself below 16. Eight sizes an octave let a program that sends many
 * different sizes plan a few dozen times only. */
uint64_t gb_size_class(uint64_t bytes);

/* Where a tree's share of the message begins, if the trees before it have `before` of `total` weights. Shares
 * lie one after the other. The planner and the executor both call this, so that they cut alike; a share of a
 * short message may be empty. */
static inline uint64_t gb_share_begin(uint64_t bytes, uint32_t before, uint32_t total) {
  return bytes / total * before + bytes % total * before / total; /* without overflow */
}

/* The hash of the plan's trees at another size of the same class. */
uint64_t gb_plan_hash_for(const gbcast_plan *plan, uint64_t bytes);

/* Sets *price to a matrix, row = sender, to be given to free(): USD for a byte from one of the plan's sites
 * to another; NULL where the hosts file has no prices. Statuses of gb_route_between; GBCAST_EMEMORY. */
int gb_plan_prices(const gbcast_plan *plan, double **price, gbcast_error *err);

/* What a schedule of the plan costs at these prices with a message, or blocks, of so many bytes if it takes
 * so many seconds (cost.c); NAN: without prices. GBCAST_EMEMORY. */
int gb_plan_cost(const gbcast_plan *plan, const double *price, const gb_schedule *schedule, uint64_t bytes,
                 double seconds, gb_cost_usd *cost, gbcast_error *err);

/* Sets plan->cost. Statuses of both. */
int gb_plan_set_cost(gbcast_plan *plan, gbcast_error *err);

static inline double gb_cost_total(gb_cost_usd cost) {
  return cost.egress + cost.hire;
}

/* The site of each endpoint. */
void gb_sites_of(const gbcast_plan *plan, uint32_t *site_of);

/* Sets plan->platform to `p` as the plan's operation sees it. GBCAST_EMEMORY. */
int gb_plan_set_platform(gbcast_plan *plan, const gbcast_platform *p, gbcast_error *err);

/* Whether what is shown goes up to the root: all that there is, or the way on which edges carry all blocks.
 */
static inline bool gb_plan_goes_up(const gbcast_plan *plan) {
  return gb_way_of(plan->operation) == GB_WAY_UP || gb_scatters_result(plan->operation);
}

bool gb_plan_has_nodes(const gbcast_plan *plan); /* some host has several ranks of the job */

/* Whether some trees follow others (gb_tree.stage). */
static inline bool gb_plan_in_stages(const gbcast_plan *plan) {
  return plan->schedule.tree_count > 0 && plan->schedule.tree[plan->schedule.tree_count - 1].stage > 0;
}

/* The leader of a site in one of the trees: an endpoint. */
static inline uint32_t gb_plan_leader(const gbcast_plan *plan, uint32_t site, uint32_t tree) {
  return plan->leaders[(size_t)(tree % plan->lanes) * plan->site_count + site];
}

/* How many different ranks of a site lead the first `lanes` lanes. */
uint32_t gb_plan_leader_count(const gbcast_plan *plan, uint32_t site, uint32_t lanes);

/* Makes `trees` trees of weight 1 over n endpoints, with parent, child_start and child allocated but not
 * filled, and without the other arrays. `endpoint` (n) stays the caller's. GBCAST_EMEMORY. */
int gb_schedule_new(gb_endpoint *endpoint, uint32_t n, uint32_t root, uint32_t trees, gb_schedule *schedule,
                    gbcast_error *err);
void gb_schedule_free(gb_schedule *schedule); /* all but the endpoints */

/* Fills child_start and child of n endpoints from the parents; children are in the order of their numbers. */
void gb_tree_link(gb_tree *tree, uint32_t n);

/* Fills size (n) with how many endpoints are in the subtree of each, itself among them. order: memory, n. */
void gb_tree_sizes(const gb_tree *tree, uint32_t root, uint32_t n, uint32_t *order, uint32_t *size);

/* Fills order (endpoint_count) with every endpoint of the tree after its parent, level by level, along the
 * child lists. Returns how many there are. */
uint32_t gb_tree_order(const gb_tree *tree, uint32_t root, uint32_t *order);

/* The same, but a child's whole subtree comes before the next child, the last child first: neighbours in this
 * order are near each other in the tree. */
void gb_tree_preorder(const gb_tree *tree, uint32_t root, uint32_t *order);

/* The rings of GB_EXCHANGE_RINGS: site after site, the site's endpoints in the order of the tree. order:
 * 2 * endpoint_count, of which the second half is only used meanwhile. */
void gb_rings_order(const gb_schedule *schedule, const gb_site *site, uint32_t sites, uint32_t *order);

/* The place in another site's ring at which blocks from that place of a site come in (allgather) or leave
 * (reduce-scatter): spread evenly. */
uint32_t gb_rings_entry(const gb_site *from, uint32_t place, const gb_site *to);

/* Whether two endpoints share a host, a cluster, or neither. */
enum gb_level gb_plan_level(const gbcast_plan *plan, uint32_t from, uint32_t to);

/* The parts of a plan's hash. gb_hash_trees starts it, from the endpoints and trees; the others continue from
 * `hash`. */
uint64_t gb_hash_trees(const gbcast_plan *plan);
uint64_t gb_hash_number(uint64_t hash, uint64_t value);
uint64_t gb_hash_text(uint64_t hash, const char *text);
uint64_t gb_hash_live(uint64_t hash, const gbcast_platform *p); /* of live values, those that change a link */

/* The checks of gbcast_plan_check for a broadcast or a scatter. GBCAST_EINPUT: the trees are no valid plan;
 * GBCAST_EMEMORY. */
int gb_plan_check_trees(const gbcast_plan *plan, gbcast_error *err);

/* Takes relays out of the plan that none of its trees has. Its trees have no pacing yet. */
void gb_plan_drop_unused(gbcast_plan *plan);

/* How many sites are no relays; they come first. */
uint32_t gb_plan_members(const gbcast_plan *plan);

/* Whether some tree has the endpoint. */
bool gb_schedule_has(const gb_schedule *schedule, uint32_t v);

/* Fills plan->schedule.endpoint and plan->site, with their counts and the root, from the job: sites in the
 * order of the platform's clusters and behind them relays, hosts in file order, ranks in their order.
 * GBCAST_EINPUT: no ranks, too many, or the root is none of them; GBCAST_EMEMORY. */
int gb_layout(gbcast_plan *plan, const gb_job *job, gbcast_error *err);

/* Sets *host to an array of *count elements, to be given to free(): the host of each rank. ranks
 * (host_count): how many ranks each host has. rank_host: the host of each rank, which is checked and copied;
 * or NULL, then ranks are numbered in the order of the file's slots, and ranks of a host beyond its slots
 * follow its last slot. GBCAST_EUSAGE: `ranks` and `rank_host` are of different jobs; GBCAST_EINPUT: too many
 * ranks; GBCAST_EMEMORY. */
int gb_numbering(const gbcast_platform *p, const uint32_t *ranks, const uint32_t *rank_host, uint32_t **host,
                 uint32_t *count, gbcast_error *err);

/* XXH64 of `length` bytes, the 64-bit checksum of Yann Collet's xxHash, with seed 0. `bytes` may be NULL if
 * `length` is 0. */
uint64_t gb_checksum(const void *bytes, size_t length);

#endif
