/* From a candidate to trees, and from these to a predicted time. A planner keeps what several candidates
 * need; it lives for one call of gb_search_plan.
 *
 * Functions return GBCAST_OK or an error status, and then fill *err. */
#ifndef GB_PLAN_BUILD_BUILD_H
#define GB_PLAN_BUILD_BUILD_H

#include "inter/inter.h"
#include "intra/intra.h"
#include "plan/sim/sim.h"

/* The algorithms inside a site. */
typedef struct gb_host_choice {
  size_t intra; /* index in gb_intra_table */
  size_t node;  /* index in gb_node_table */
} gb_host_choice;

/* The trees of a candidate, what they put on the network, and after the simulation labels and times. */
typedef struct gb_composed {
  gb_schedule schedule;
  gb_traffic traffic;
  uint32_t site_trees; /* how many trees over sites */
  bool meet;           /* their streams meet between sites (gb_flow.meet) */
  uint32_t *leaders;   /* lanes * site_count endpoints; index lane * site_count + site */
  double makespan;     /* s */
} gb_composed;

/* The trees of one algorithm inside one site. */
typedef struct gb_host_trees {
  uint32_t lanes;   /* 0: not made yet */
  uint32_t *parent; /* lane after lane, tree after tree; by host of the site, the leader's first */
} gb_host_trees;

/* What messages of one size cost between leaders. Matrices as in gb_site_graph. */
typedef struct gb_site_costs {
  uint64_t size; /* bytes; 0: not known yet */
  uint32_t lanes;
  double *delta, *weight;
} gb_site_costs;

/* A candidate. The same spec on the same platform always leads to the same trees. */
typedef struct gb_spec {
  size_t inter;        /* index in gb_inter_table */
  uint64_t tree_bytes; /* the trees over sites are made for messages of so many bytes: a segment, or all */
  size_t intra;        /* index in gb_intra_table, for all sites that the request leaves free */
  size_t node;         /* index in gb_node_table */
  uint32_t lanes;
  uint64_t segment;               /* bytes */
  enum gb_exchange_kind exchange; /* as in gb_schedule; `inter` is flat then */
  double spending;                /* of least-cost (gb_site_graph); INFINITY: the others */
} gb_spec;

/* Trees over sites that were made. */
typedef struct gb_kept_site_trees {
  gb_spec *spec; /* what they were made for */
  gb_site_trees trees;
} gb_kept_site_trees;

/* What the simulation says about a spec. */
typedef struct gb_score {
  double predicted; /* s; INFINITY: the trees cannot be made */
  double usd;       /* where the cost counts */
  double copies;    /* gb_schedule_copies of a broadcast to several sites; of a scatter the bytes that others
                       than the root send; 0 with one site */
  uint32_t trees;
  uint64_t checksum; /* of the trees, and of what was simulated */
} gb_score;

typedef struct gb_planner {
  gb_network net;
  gbcast_plan *plan;
  gb_route *pair; /* site_count^2 routes from leader to leader, without hops; filled when needed; NULL: not
                     needed yet, or too many */
  gb_site_costs costs[2]; /* [0] of the whole size, [1] of the last segment size */
  gb_site_loads loads;    /* of one segment size ... */
  uint64_t loads_key;     /* ... and what else they depend on, as a checksum */
  bool *direct;           /* site_count^2: two sites have a direct link */
  double *price;          /* of gb_plan_prices; NULL: not known, or not asked for */
  double *edge_price;     /* site_count^2: USD that the whole message costs on an edge of a tree; NULL: the
                             cost does not count */
  bool *relay;            /* by site; NULL: none is one */
  double *hire;           /* by site: USD a second of a relay, 0 for others; NULL as relay */
  size_t host_tree_count;
  gb_host_trees *host_tree; /* site_count * gb_intra_count, for the last number of lanes; index site *
                               gb_intra_count + algorithm */
  gb_kept_site_trees *kept; /* kept_count */
  size_t kept_count;
  gb_score *score; /* score_count: of all that was simulated */
  size_t score_count;
  uint64_t work;           /* simulated sends so far, and what making trees has cost, in sends */
  gb_host_choice *choice;  /* by site: of the spec that was built last */
  size_t *forced_intra;    /* by site: index in gb_intra_table, or SIZE_MAX: any */
  uint64_t least_measured; /* bytes: the largest of the first sizes of the plogp tables, or 0; no segment is
                              smaller */
  uint32_t most_trees;     /* in larger plans fewer than GB_TREES_MOST, to save time */
  bool rendezvous;         /* the forced intra algorithm announces its messages */
} gb_planner;

/* The plan's endpoints and sites must be set. GBCAST_EMEMORY. */
int gb_planner_new(gb_planner *pl, gbcast_plan *plan, gbcast_error *err);
void gb_planner_release(gb_planner *pl); /* also after gb_planner_new has failed */

/* From now on the cost counts: fills price, edge_price, relay and hire. The file must have prices. Statuses
 * of gb_plan_prices. */
int gb_planner_count_costs(gb_planner *pl, gbcast_error *err);

/* Finds the route between the leaders of two sites, into pl->net.route. Statuses of gb_network_route. */
int gb_planner_site_route(gb_planner *pl, uint32_t from, uint32_t to, gbcast_error *err);

/* ---- Specs ---- */

/* The most segments that gb_spec_score simulates one by one. If senders share links, the simulation needs
 * many segments to see the pace at which they share them; in larger plans fewer, to save time. */
uint32_t gb_spec_effort_most(const gb_planner *pl, uint32_t lanes);

/* Fills pl->choice with the algorithms inside the sites. */
void gb_spec_choose_inside(gb_planner *pl, const gb_spec *spec);

/* Sets *score to about how long a broadcast or a scatter between sites takes, from its trees over sites
 * alone; 0 with one site. Where the cost counts, score->usd is their egress. INFINITY: the trees cannot be
 * made, and *err says why. GBCAST_EMEMORY. */
int gb_spec_estimate(gb_planner *pl, const gb_spec *spec, gb_score *score, gbcast_error *err);

/* Builds the trees of a spec and simulates up to `effort` segments of a message (scatter: of blocks) of
 * `bytes`. *out is to be given to gb_composed_free. GBCAST_EINPUT: a site is out of reach; GBCAST_EUSAGE: too
 * many trees or segments; GBCAST_EMEMORY. */
int gb_spec_build(gb_planner *pl, const gb_spec *spec, uint64_t bytes, uint32_t effort, gb_composed *out,
                  gbcast_error *err);

/* The same at the plan's size class, for its score alone; adds to pl->work. Specs whose trees cannot be made
 * get the score INFINITY, and *err says why. GBCAST_EMEMORY. */
int gb_spec_score(gb_planner *pl, const gb_spec *spec, uint32_t effort, gb_score *score, gbcast_error *err);

/* ---- Trees that are composed ---- */

/* Finds what the flow puts on the network in these trees; the second also simulates it and sets
 * composed->makespan. The flow may be of another size of the same class. Statuses of gb_traffic_find. */
int gb_composed_load(gb_planner *pl, const gb_flow *flow, gb_composed *composed, gbcast_error *err);
int gb_composed_simulate(gb_planner *pl, const gb_flow *flow, gb_composed *composed, gbcast_error *err);

/* The predicted time of one way (s), from the root to the leaves. The simulation may end before the lower
 * bound, and then the bound counts: with several trees, or blocks that some sites pass on and others get
 * directly, because it takes links from the start of a send on, though bytes from near and from far reach
 * them at different times; and with slow start, which it prices with even shares of the links. */
static inline double gb_composed_time(const gbcast_plan *plan, const gb_composed *c) {
  const bool may_end_early =
      (c->traffic.slow_start || c->site_trees > 1 || gb_carries_blocks(plan->operation)) &&
      gb_way_of(plan->operation) != GB_WAY_BOTH;
  return may_end_early && c->makespan < plan->bound ? plan->bound : c->makespan;
}
void gb_composed_free(gb_composed *c);

/* The predicted time of the plan's operation with messages of `bytes`, of which gb_composed_time() is one way
 * (both_ways.c). Statuses of gb_network_route. */
int gb_composed_predict(gb_network *net, const gbcast_plan *plan, const gb_composed *composed, uint64_t bytes,
                        double *seconds, gbcast_error *err);

/* Splits the composed trees' predicted time into terms that sum to it; none is negative. Statuses of
 * gb_network_route; GBCAST_EMEMORY. */
int gb_terms_of(gb_planner *pl, const gb_composed *composed, gb_terms *terms, gbcast_error *err);

/* ---- Plans ---- */

/* Seconds that an allreduce, an allgather or a reduce-scatter takes in which the leaders exchange what their
 * sites have (exchange.c). Statuses of gb_network_route. */
int gb_leaders_time(gb_network *net, const gbcast_plan *plan, const gb_composed *composed, uint64_t bytes,
                    double *seconds, gbcast_error *err);

/* The same where blocks go round rings (rings.c). */
int gb_rings_time(gb_network *net, const gbcast_plan *plan, const gb_schedule *schedule, uint64_t bytes,
                  double *seconds, gbcast_error *err);

/* Seconds that a host takes to combine so many bytes with its own. */
double gb_combining_time(const gb_network *net, uint32_t host, double bytes);

/* Makes the times of the tree those after an exchange: all leaders have all at the same time; with rings, all
 * ranks. Sets the labels of the sites. plan->predicted is there. */
void gb_exchange_times(gbcast_plan *plan);

/* Seconds that one segment alone takes: from the root to the last endpoint or, where leaders exchange, from a
 * leader to the last one of its site. GBCAST_EMEMORY. */
int gb_time_down(const gb_composed *composed, double *seconds, gbcast_error *err);

/* Makes the times of the trees, simulated from the root to the leaves in `one_way` seconds, those of the
 * plan's operation: of what goes up to the root, in reverse, an edge being the one that leads from its
 * endpoint; of what goes both ways those of the way down. plan->predicted is there. */
void gb_plan_turn_times(gbcast_plan *plan, double one_way);

/* Decides how each edge of a plan's trees is run: sets the pacing of every tree (gb_pacing),
 * plan->schedule.far_first, and one_uplink of the sites. All else in the plan must be set, labels and
 * efficiency included. GBCAST_EMEMORY; statuses of gb_network_route. */
int gb_plan_set_pacing(gb_network *net, gbcast_plan *plan, gbcast_error *err);

/* Whether streams of a plan's several trees meet between sites: streams of several leaders do, and streams
 * that reach a site from different ones. They do not if all that goes over each link is in flight before its
 * first byte is acknowledged, because no queue grows in that time (evidence: docs/planning.md, "Where the
 * numbers come from"). */
bool gb_plan_streams_meet(const gbcast_plan *plan);

/* Sets plan->schedule.efficiency from the plan's trees. */
void gb_plan_set_efficiency(gbcast_plan *plan);

#endif
