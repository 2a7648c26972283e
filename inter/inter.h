/* Trees over sites. Every algorithm is one file and one line of the table in inter/table.c. Times are in
 * seconds; UINT32_MAX stands for the root's parent. */
#ifndef GB_INTER_INTER_H
#define GB_INTER_INTER_H

#include <gbcast/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- What an algorithm is given ---- */

/* The sites of a job, in the order in which they are first mentioned, and what one message costs between any
 * two: the sender is busy for delta, and the receiver has the message weight after that. All matrices are
 * n x n, row = sender. */
typedef struct gb_site_graph {
  uint32_t n, root;
  const double *delta,
      *weight;        /* INFINITY where unreachable; routed over other sites where there is no link */
  const bool *direct; /* a direct link: the only edges that the Dijkstra trees may use */
  /* What each leader sends inside its site: local children in any order, each a send that keeps the leader
   * busy for local_delta and leaves a tail (weight + label of that child). Those of site s are local_start[s]
   * .. local_start[s + 1] - 1. NULL: none. */
  const uint32_t *local_start;
  const double *local_delta, *local_tail;
  /* Only where several trees are wanted: */
  const struct gb_site_loads *loads;
  const uint32_t *blocks; /* scatter: how many messages are for each site; NULL: all messages are for all */
  double messages;        /* that the root has */
  uint32_t simulated;     /* how many of them the simulation prices one by one */
  uint32_t
      most_weight; /* of one tree; the simulation prices rounds that have as many messages as all weights */
  /* Only where the cost in USD counts: */
  const double *price; /* n x n: USD that the whole message costs from one site to another; NULL: unknown */
  const bool *relay;   /* n: the site may pass data on, but wants none; NULL: no site is one */
  const double *hire;  /* n: USD a second for a relay's host, 0 for others; NULL: no site is a relay */
  const double *fee;   /* n: USD for a relay that is used at all; NULL: none (inter/least_cost.c) */
  double spending; /* the trees may cost up to so many times the least, 1 to INFINITY: the less, the cheaper
                      and slower they are (inter/least_cost.c) */
  double worth;    /* USD: trees that cost as much are not used; 0: the cost does not count */
  uint32_t most_trees; /* as many as the plan may have, 1 to GB_SITE_TREES_MOST */
} gb_site_graph;

/* What the sites share when several trees run at once: leaders, links, uplinks. A message from u to v keeps
 * use[start[u * n + v]] .. use[start[u * n + v + 1] - 1] busy; u = v: what every message does for the site's
 * own hosts. */
typedef struct gb_site_loads {
  uint32_t resources;
  const size_t *start; /* n * n + 1 */
  const struct gb_site_use {
    uint32_t resource;
    double busy; /* s */
  } * use;
} gb_site_loads;

/* ---- What it makes: one tree, or several ---- */

/* Fills parent[n]. Returns GBCAST_OK, GBCAST_EINPUT when a site is out of reach, or GBCAST_EMEMORY. */
typedef int gb_inter_build(const gb_site_graph *g, uint32_t *parent, gbcast_error *err);

/* Trees over the sites. Each carries weight / (sum of the weights) of the message (scatter: of each block).
 * Trees of one stage run at the same time. A tree of a later stage begins at a site when the earlier ones
 * have sent all of their shares there. */
#define GB_SITE_TREES_MOST 16u
typedef struct gb_site_trees {
  uint32_t count;
  uint32_t weight[GB_SITE_TREES_MOST];
  uint32_t stage[GB_SITE_TREES_MOST]; /* from 0, in ascending order */
  uint32_t *parent;                   /* count * n */
  uint32_t *feeder; /* count * n: who feeds the hosts of a site without a leader; NULL: its parent */
} gb_site_trees;

/* One tree alone, which stays the caller's. */
static inline gb_site_trees gb_one_site_tree(uint32_t *parent) {
  return (gb_site_trees){.count = 1, .weight = {1}, .parent = parent};
}

/* Fills out, to be given to gb_site_trees_free, for g->messages; in each stage the tree of the largest share
 * comes first. Statuses as above. */
typedef int gb_inter_pack(const gb_site_graph *g, gb_site_trees *out, gbcast_error *err);
void gb_site_trees_free(gb_site_trees *trees);

/* ---- The algorithms ---- */

typedef struct gb_inter_algorithm {
  const char *name;
  const char *summary;   /* one line, for --list */
  gb_inter_build *build; /* one tree */
  gb_inter_pack *pack;   /* or several; the other one is NULL */
  bool multipath;        /* a scatter takes the trees of plan/build/multipath_scatter.c instead */
  bool bcast_only;
  bool relays;    /* may leave out sites that are relays */
  bool automatic; /* auto considers it */
} gb_inter_algorithm;

extern const gb_inter_algorithm gb_inter_table[];
extern const size_t gb_inter_count;

/* Index in the table, or SIZE_MAX. */
size_t gb_inter_find(const char *name);

/* The part of `whole` that goes down tree t. */
double gb_site_share(const gb_site_trees *trees, uint32_t t, double whole);

/* About how long a message of g->messages pieces takes down trees over sites: the longest label of one piece,
 * and what keeps the busiest resource busy with all of them [s]. Statuses of gb_inter_makespan. */
int gb_site_trees_time(const gb_site_graph *g, const gb_site_trees *trees, double *seconds,
                       gbcast_error *err);

/* USD that trees over sites cost together: each pays its share for what it sends, and a fee is paid once. */
double gb_site_trees_price(const gb_site_graph *g, const gb_site_trees *trees);

/* Makespan of a tree over sites when every leader sends in label order, its local children sorted in beside
 * its WAN children. label (n, may be NULL) gets each site's label. GBCAST_EINPUT: parent is no tree;
 * GBCAST_EMEMORY. */
int gb_inter_makespan(const gb_site_graph *g, const uint32_t *parent, double *makespan, double *label,
                      gbcast_error *err);

#define GB_STEINER_EXACT 12u

/* The tree of least total cost from the root to every site that is no relay, over relays where that is
 * cheaper; parent[v] is UINT32_MAX for relays that it leaves out. relay NULL: there are none. Exact without
 * relays, and for up to GB_STEINER_EXACT sites that are no relays, beside the root, and not too many relays;
 * beyond, good. *bound, if not NULL: no tree costs less. cost: n x n, row = sender, INFINITY where there is
 * no edge. GBCAST_EINPUT: a site is out of reach; GBCAST_EMEMORY. */
int gb_inter_steiner(uint32_t n, uint32_t root, const bool *relay, const double *cost, uint32_t *parent,
                     double *bound, gbcast_error *err);

#endif
