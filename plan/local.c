/* Inside the sites: the LAN tree over hosts with a binomial tree over each host's ranks below it, and the
 * choice of an algorithm for each site by walking the site alone, fed at the pace at which segments can reach
 * it. */
#include "plan/local.h"
#include "plan/edges.h"
#include "plan/forest.h"
#include "plan/queues.h"
#include "plan/walk.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Binomial over ranks 0..n-1 of one host: each round doubles those who have the message. */
static uint32_t binomial_parent(uint32_t i) {
  uint32_t bit = 1;
  while (bit <= i / 2)
    bit *= 2;
  return i - bit;
}

/* Positions of a host's ranks with the one first that the message reaches first. */
static uint32_t rotate(uint32_t position, uint32_t primary) {
  return position == 0 ? primary : position <= primary ? position - 1 : position;
}

/* The site's hosts, leader's first, and for each the run of its ranks. */
typedef struct gb_hosts {
  uint32_t count;
  uint32_t *host, *first, *ranks;
} gb_hosts;

static int list_hosts(const gbcast_plan *plan, const gb_site *site, gb_hosts *hosts, gbcast_error *err) {
  size_t bytes = ((size_t)site->hosts + 1) * sizeof(uint32_t);
  *hosts =
      (gb_hosts){.count = site->hosts, .host = malloc(bytes), .first = malloc(bytes), .ranks = malloc(bytes)};
  if (!hosts->host || !hosts->first || !hosts->ranks)
    return gb_no_memory(err);
  uint32_t leader_host = plan->endpoint[site->leader].host, next = 1, at = 0;
  for (uint32_t i = 0; i < site->endpoint_count; i++) {
    gb_endpoint e = plan->endpoint[site->first_endpoint + i];
    if (e.k == 0) {
      at = e.host == leader_host ? 0 : next++;
      hosts->host[at] = e.host;
      hosts->first[at] = i;
      hosts->ranks[at] = 0;
    }
    hosts->ranks[at]++;
  }
  return GBCAST_OK;
}

static void free_hosts(gb_hosts *hosts) {
  free(hosts->host);
  free(hosts->first);
  free(hosts->ranks);
}

/* Hangs the ranks of each host below the one that the message reaches first. */
static void hang_ranks(const gb_site *site, const gb_hosts *hosts, const uint32_t *over, uint32_t *parent) {
  for (uint32_t h = 0; h < hosts->count; h++) {
    /* on the leader's host the leader comes first, elsewhere rank 0 */
    uint32_t primary = h == 0 ? site->leader - site->first_endpoint - hosts->first[0] : 0;
    for (uint32_t i = 1; i < hosts->ranks[h]; i++)
      parent[hosts->first[h] + rotate(i, primary)] = hosts->first[h] + rotate(binomial_parent(i), primary);
    uint32_t up = over[h];
    parent[hosts->first[h] + primary] =
        up == GB_NONE
            ? GB_NONE
            : hosts->first[up] + (up == 0 ? site->leader - site->first_endpoint - hosts->first[0] : 0);
  }
}

/* All trees of the algorithm, one after the other. */
static int build(gb_planner *pl, uint32_t s, size_t intra, uint32_t *parent, gbcast_error *err) {
  const gb_site *site = &pl->plan->site[s];
  gb_hosts hosts;
  int status = list_hosts(pl->plan, site, &hosts, err);
  uint32_t trees = gb_intra_trees(intra);
  uint32_t *over = malloc(((size_t)site->hosts * trees + 1) * sizeof *over);
  if (status == GBCAST_OK)
    status =
        over ? gb_intra_table[intra].build(pl->p, hosts.host, hosts.count, over, err) : gb_no_memory(err);
  for (uint32_t t = 0; status == GBCAST_OK && t < trees; t++)
    hang_ranks(site, &hosts, over + (size_t)t * hosts.count, parent + (size_t)t * site->endpoint_count);
  free(over);
  free_hosts(&hosts);
  return status;
}

int gb_local_tree(gb_planner *pl, uint32_t site, size_t intra, uint32_t tree, const uint32_t **parent,
                  gbcast_error *err) {
  uint32_t **slot = &pl->local_tree[(size_t)site * gb_intra_count + intra];
  uint32_t trees = gb_intra_trees(intra), n = pl->plan->site[site].endpoint_count;
  if (!*slot) {
    uint32_t *made = calloc((size_t)trees * n, sizeof *made);
    if (!made)
      return gb_no_memory(err);
    int status = build(pl, site, intra, made, err);
    if (status != GBCAST_OK) {
      free(made);
      return status;
    }
    *slot = made;
  }
  *parent = *slot + (size_t)(tree % trees) * n;
  return GBCAST_OK;
}

/* When the root has the last segment of all trees. */
static double fed_by(const gb_forest *forest, const gb_flow *flow) {
  double last = 0;
  for (uint32_t t = 0; t < forest->count; t++) {
    gb_flow share = gb_forest_flow(forest, flow, t);
    double fed = share.bytes == 0 ? 0 : gb_forest_fed(forest, flow, t, (share.bytes - 1) / flow->segment);
    last = fed > last ? fed : last;
  }
  return last;
}

/* Seconds from the leader having the last segment to the whole site having it. */
static int time_alone(gb_planner *pl, const gb_flow *flow, uint32_t s, size_t intra, double *time,
                      gbcast_error *err) {
  const gb_site *site = &pl->plan->site[s];
  gb_forest forest;
  int status = gb_forest_new(pl->plan->endpoint + site->first_endpoint, site->endpoint_count,
                             site->leader - site->first_endpoint, gb_intra_trees(intra), &forest, err);
  if (status != GBCAST_OK)
    return status;
  for (uint32_t t = 0; status == GBCAST_OK && t < forest.count; t++) {
    const uint32_t *parent;
    status = gb_local_tree(pl, s, intra, t, &parent, err);
    if (status == GBCAST_OK)
      memcpy(forest.part[t].shape.parent, parent, forest.n * sizeof *parent);
  }
  double end = 0;
  if (status == GBCAST_OK)
    status = gb_forest_order(pl, &forest, flow, err);
  if (status == GBCAST_OK)
    status = gb_queues_find(pl, &forest, flow, err);
  if (status == GBCAST_OK)
    status = gb_walk(&forest, flow, &end, err);
  *time = end - fed_by(&forest, flow);
  gb_forest_free(&forest);
  return status;
}

bool gb_local_fits(const gb_flow *flow, bool cut, const gb_intra_algorithm *algorithm) {
  if (!algorithm->automatic || algorithm->native || !(algorithm->operations >> flow->operation & 1))
    return false;
  return flow->operation == GBCAST_SCATTER || algorithm->segmented == cut;
}

/* Seconds between the segments that reach a site from the root: what the way lets through, alone. */
static int pace_of(gb_planner *pl, const gb_flow *flow, uint32_t s, double *pace, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  *pace = 0;
  if (s == plan->root_site || flow->segment >= flow->bytes || flow->operation == GBCAST_SCATTER)
    return GBCAST_OK;
  gb_cost cost = {0};
  int status = gb_edge_cost(pl, plan->endpoint[plan->root], plan->endpoint[plan->site[s].leader],
                            flow->segment, &cost, err);
  *pace = cost.gap;
  return status;
}

/* Sites that look alike to every algorithm need to be walked only once. */
static bool alike(const gbcast_plan *plan, uint32_t a, uint32_t b) {
  const gb_site *x = &plan->site[a], *y = &plan->site[b];
  const gb_cluster *c = &plan->platform->cluster[x->cluster], *d = &plan->platform->cluster[y->cluster];
  return a != plan->root_site && b != plan->root_site && x->hosts == y->hosts &&
         x->endpoint_count == y->endpoint_count && x->hosts == x->endpoint_count && c->switch_count <= 1 &&
         d->switch_count <= 1 && !c->has_loose_hosts == !d->has_loose_hosts && c->plogp.count == 0 &&
         d->plogp.count == 0 && c->latency == d->latency && c->bandwidth == d->bandwidth &&
         c->overhead == d->overhead && (c->switch_count == 0 || !c->has_loose_hosts);
}

/* The best algorithm for a site, and the best of those that make one tree. */
static int choose_one(gb_planner *pl, const gb_flow *flow, uint32_t s, gb_locals *locals, gbcast_error *err) {
  double best = INFINITY, best_one = INFINITY;
  locals->intra[s] = locals->one_tree[s] = SIZE_MAX;
  for (size_t a = 0; a < gb_intra_count; a++) {
    if (!gb_local_fits(flow, flow->segment < flow->bytes, &gb_intra_table[a]))
      continue;
    double time = 0;
    if (pl->plan->site[s].hosts > 1) {
      int status = time_alone(pl, flow, s, a, &time, err);
      if (status != GBCAST_OK)
        return status;
    }
    if (time < best) {
      best = time;
      locals->intra[s] = a;
    }
    if (time < best_one && gb_intra_trees(a) == 1) {
      best_one = time;
      locals->one_tree[s] = a;
    }
  }
  return locals->one_tree[s] == SIZE_MAX ? gb_fail(err, GBCAST_EUSAGE, "no algorithm for this operation")
                                         : GBCAST_OK;
}

int gb_locals_new(uint32_t sites, gb_locals *locals, gbcast_error *err) {
  *locals = (gb_locals){.intra = malloc(sites * sizeof(size_t)), .one_tree = malloc(sites * sizeof(size_t))};
  if (locals->intra && locals->one_tree)
    return GBCAST_OK;
  gb_locals_free(locals);
  return gb_no_memory(err);
}

void gb_locals_free(gb_locals *locals) {
  free(locals->intra);
  free(locals->one_tree);
  *locals = (gb_locals){0};
}

int gb_local_choose(gb_planner *pl, const gb_flow *flow, size_t uniform, gb_locals *locals,
                    gbcast_error *err) {
  double *pace = calloc(pl->plan->site_count, sizeof *pace);
  int status = pace ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t s = 0; status == GBCAST_OK && s < pl->plan->site_count; s++) {
    size_t forced = pl->forced_intra[s] == SIZE_MAX ? uniform : pl->forced_intra[s];
    if (forced != GB_INTRA_MIXED && forced != GB_INTRA_AUTO) {
      locals->intra[s] = locals->one_tree[s] = forced;
      continue;
    }
    status = pace_of(pl, flow, s, &pace[s], err);
    uint32_t twin = 0;
    while (twin < s && !(pl->forced_intra[twin] == pl->forced_intra[s] && pace[twin] == pace[s] &&
                         alike(pl->plan, twin, s)))
      twin++;
    gb_flow alone = *flow;
    alone.pace = pace[s];
    if (status == GBCAST_OK && twin < s) {
      locals->intra[s] = locals->intra[twin];
      locals->one_tree[s] = locals->one_tree[twin];
    } else if (status == GBCAST_OK)
      status = choose_one(pl, &alone, s, locals, err);
  }
  free(pace);
  return status;
}
