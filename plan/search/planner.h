/* What the steps of the search share. A planner lives for one call of gb_search_plan. */
#ifndef GB_PLAN_SEARCH_PLANNER_H
#define GB_PLAN_SEARCH_PLANNER_H

#include "inter/inter.h"
#include "intra/intra.h"
#include "plan/sim/sim.h"

/* In place of an algorithm: the best one for each cluster. */
#define GB_INTRA_MIXED SIZE_MAX
/* In gb_planner.forced_intra: the request says `auto` for this site, whatever the others use. */
#define GB_INTRA_AUTO (SIZE_MAX - 1)

/* The algorithms inside a site. */
typedef struct gb_host_choice {
  size_t intra; /* index in gb_intra_table */
  size_t node;  /* index in gb_node_table */
} gb_host_choice;

/* What may be chosen inside sites. The best choice for a site by itself need not be the best for all sites:
 * several trees in one site mean several trees between all sites, and its leader also sends to other sites.
 * So restricted choices are tried, too. */
typedef struct gb_host_options {
  bool rank_trees; /* rank algorithms: all of gb_node_table, not only the first */
  bool one_tree;   /* where `auto` chooses, no algorithms that make several trees */
} gb_host_options;
#define GB_HOST_OPTIONS 4
#define GB_LARGE 512u           /* ranks: larger plans try less, to save time */
#define GB_HOST_OPTIONS_PAIR 2  /* options come in pairs: all algorithms, and those that make one tree */
#define GB_HOST_OPTIONS_ALL 0   /* the pair with all rank algorithms */
#define GB_HOST_OPTIONS_PLAIN 2 /* the pair with the first rank algorithm only */
extern const gb_host_options gb_host_options_table[GB_HOST_OPTIONS];

/* A candidate: how to make the trees of a plan, and at what price. */
typedef struct gb_spec {
  size_t inter;        /* index of the algorithm that it is listed under */
  size_t tree_inter;   /* index of the algorithm that made the tree: `exact` takes another one's tree if
                          that is faster */
  bool whole;          /* the tree is made for messages of the whole size, not of a segment */
  bool spares_leaders; /* several trees, made to leave leaders spare capacity (site_loads.c) */
  bool own_tree;       /* the trees and LAN algorithms are gb_planner.own_tree */
  uint32_t site_trees; /* how many trees over sites */
  size_t intra;        /* index in gb_intra_table, or GB_INTRA_MIXED */
  size_t options;      /* index in gb_host_options_table */
  uint64_t segment;    /* bytes */
  uint32_t lanes;
  double predicted; /* s */
  bool previewed;   /* `predicted` comes from its first segments only (preview.c) */
  double copies;    /* gb_schedule_copies of a broadcast to several sites; otherwise 0 */
  gb_terms terms;
} gb_spec;

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
  bool feeds;       /* as in gb_host_tree */
  uint32_t *parent; /* lane after lane, tree after tree; by host of the site, the leader's first */
} gb_host_trees;

/* What was chosen inside the sites at one segment size, with one algorithm or GB_INTRA_MIXED. */
typedef struct gb_kept_host_choices {
  uint64_t segment;
  size_t intra;
  gb_host_choice *choice; /* GB_HOST_OPTIONS * site_count; index options * site_count + site */
} gb_kept_host_choices;

/* A tree over sites, and the algorithms inside them; NULLs before there is one. */
typedef struct gb_own_tree {
  uint32_t *parent;             /* by site */
  const gb_host_choice *choice; /* by site; points into one of the kept choices */
} gb_own_tree;

/* What messages of one size cost between leaders. Matrices as in gb_site_graph. */
typedef struct gb_site_costs {
  uint64_t size; /* bytes; 0: not known yet */
  uint32_t lanes;
  double *delta, *weight;
} gb_site_costs;

/* Trees that were simulated, and the results. */
typedef struct gb_simulated_trees {
  uint64_t trees; /* the checksum of the trees and of the flow */
  double predicted, copies;
  bool previewed; /* as in gb_spec */
  gb_terms terms;
} gb_simulated_trees;

typedef struct gb_planner {
  gb_network net;
  gbcast_plan *plan;
  gb_route *pair; /* site_count^2 routes from leader to leader, without hops; filled when needed; NULL: not
                     needed yet, or too many */
  gb_site_costs costs[2];     /* [0] of the whole size, [1] of the last segment size */
  bool *direct;               /* site_count^2: two sites have a direct link */
  gb_kept_host_choices *kept; /* kept_count */
  size_t kept_count;
  gb_simulated_trees *simulated; /* simulated_count, by gb_spec_simulate */
  size_t simulated_count;
  uint64_t near;   /* bit set of the variants of trees over sites that were not far behind (preview.c) */
  gb_spec fastest; /* the fastest of all that were simulated ... */
  gb_composed fastest_trees; /* ... and its trees; zeros if there is none */
  gb_host_trees *host_tree;  /* site_count * gb_intra_count, for the last number of lanes; index site *
                                gb_intra_count + algorithm */
  size_t *forced_intra;    /* by site: index in gb_intra_table, GB_INTRA_AUTO, or SIZE_MAX if the request does
                              not name the site */
  uint64_t least_measured; /* bytes: the largest of the first sizes of the plogp tables, or 0; no segment is
                              smaller */
  gb_own_tree own_tree;    /* the best spec's, changed by the local search */
  bool rendezvous;         /* the forced intra algorithm announces its messages */
  bool over_leaders;       /* scatter: leaders may be used, because paths over them are wider */
} gb_planner;

/* The plan's endpoints and sites must be set. GBCAST_EMEMORY. */
int gb_planner_new(gb_planner *pl, gbcast_plan *plan, gbcast_error *err);
void gb_planner_release(gb_planner *pl); /* also after gb_planner_new has failed */

/* Finds the route between the leaders of two sites, into pl->net.route. Statuses of gb_network_route. */
int gb_planner_site_route(gb_planner *pl, uint32_t from, uint32_t to, gbcast_error *err);

#endif
