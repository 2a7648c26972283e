/* What the steps of planning share. One planner lives for one call of gb_plan_make. */
#ifndef GB_PLAN_SEARCH_PLANNER_H
#define GB_PLAN_SEARCH_PLANNER_H

#include "inter/inter.h"
#include "intra/intra.h"
#include "plan/sim/sim.h"

/* The best algorithm for each cluster. */
#define GB_INTRA_MIXED SIZE_MAX
/* A site for which auto was asked, whatever the others use. */
#define GB_INTRA_AUTO (SIZE_MAX - 1)

/* What is done inside a site. */
typedef struct gb_host_choice {
  size_t intra; /* index in gb_intra_table */
  size_t node;  /* index in gb_node_table */
} gb_host_choice;

/* What may be chosen from inside the sites. A site's best by itself need not be best for all: several trees
 * in one site are several between all sites, and its leader also sends to other sites. So less is tried, too.
 */
typedef struct gb_host_options {
  bool rank_trees; /* all of gb_node_table, not only the first */
  bool one_tree;   /* no algorithms that make several trees, where auto chooses */
} gb_host_options;
#define GB_HOST_OPTIONS 4
#define GB_LARGE 512u           /* ranks: in plans of as many less is tried, for time */
#define GB_HOST_OPTIONS_PAIR 2  /* they come in pairs: all algorithms, and those that make one tree */
#define GB_HOST_OPTIONS_ALL 0   /* the pair with all shapes */
#define GB_HOST_OPTIONS_PLAIN 2 /* the pair with the first shape everywhere */
extern const gb_host_options gb_host_options_table[GB_HOST_OPTIONS];

/* One way to do the job. */
typedef struct gb_spec {
  size_t inter;        /* the name it goes by */
  size_t tree_inter;   /* whose tree it is: `exact` returns another algorithm's when the judge prefers it */
  bool whole;          /* the tree was made for messages of the whole size, not of a segment */
  bool spares_leaders; /* several trees: made to leave leaders more room (site_loads.c) */
  bool own_tree;       /* or it is the planner's own, LAN algorithms and all */
  uint32_t site_trees; /* trees over sites */
  size_t intra;        /* or GB_INTRA_MIXED */
  size_t options;      /* index in gb_host_options_table */
  uint64_t segment;
  uint32_t lanes;
  double predicted;
  bool previewed; /* `predicted` is of a walk of its first segments, as it is far behind (preview.c) */
  double copies;  /* gb_schedule_copies of a broadcast to several sites */
  gb_terms terms;
} gb_spec;

/* The composed trees, and after the walk labels and times. */
typedef struct gb_composed {
  gb_schedule schedule;
  gb_traffic traffic;
  uint32_t site_trees; /* trees over sites in it */
  bool meet;           /* their streams meet: see gb_flow */
  uint32_t *leaders;   /* lane * sites + site */
  double makespan;
} gb_composed;

/* The trees of one algorithm inside one site. */
typedef struct gb_host_trees {
  uint32_t lanes;   /* 0: not made yet */
  bool feeds;       /* see plan/search/host_trees.h */
  uint32_t *parent; /* lane after lane, tree after tree: by host, the leader's first */
} gb_host_trees;

/* What was chosen inside the sites at one segment size, with one algorithm or GB_INTRA_MIXED. */
typedef struct gb_kept_host_choices {
  uint64_t segment;
  size_t intra;
  gb_host_choice *choice; /* mix * sites + site */
} gb_kept_host_choices;

/* A tree over sites, and what runs inside them; NULLs before there is one. */
typedef struct gb_own_tree {
  uint32_t *parent;             /* per site */
  const gb_host_choice *choice; /* per site, among those kept */
} gb_own_tree;

/* What messages of one size cost between leaders; matrices as in gb_site_graph. */
typedef struct gb_site_costs {
  uint64_t size; /* 0: not known yet */
  uint32_t lanes;
  double *delta, *weight;
} gb_site_costs;

/* Trees that were walked, and what came out. */
typedef struct gb_simulated_trees {
  uint64_t trees; /* their checksum, with the flow's */
  double predicted, copies;
  bool previewed; /* see gb_spec */
  gb_terms terms;
} gb_simulated_trees;

typedef struct gb_planner {
  gb_network net;
  gbcast_plan *plan;
  gb_route *pair; /* site_count^2 routes, leader to leader without hops, once needed; NULL: too many */
  gb_site_costs costs[2];     /* of the whole size, and of the segment that was asked for last */
  bool *direct;               /* site_count^2, with the costs */
  gb_kept_host_choices *kept; /* kept_count */
  size_t kept_count;
  gb_simulated_trees *simulated; /* walked_count, by gb_spec_simulate */
  size_t simulated_count;
  uint64_t near;             /* bits: ways to make trees over sites that were not far behind (preview.c) */
  gb_spec fastest;           /* of all that were walked, ... */
  gb_composed fastest_trees; /* ... and what was; zeros before anything is */
  gb_host_trees *host_tree;  /* site * gb_intra_count + algorithm, for the last number of lanes asked for */
  size_t *forced_intra;      /* per site: index, GB_INTRA_AUTO, or SIZE_MAX when nothing was said of it */
  uint64_t least_measured;   /* bytes: the first size of the plogp tables, or 0; no segment is smaller */
  gb_own_tree own_tree;      /* by changing the best trial */
  bool rendezvous;           /* the forced intra algorithm announces its messages */
  bool over_leaders;         /* scatter: they may be used, as theirs are the wider ways */
} gb_planner;

int gb_planner_new(gb_planner *pl, gbcast_plan *plan, gbcast_error *err);
void gb_planner_release(gb_planner *pl); /* also after gb_planner_new has failed */

/* The route between the leaders of two sites, into pl->net.route. */
int gb_planner_site_route(gb_planner *pl, uint32_t from, uint32_t to, gbcast_error *err);

#endif
