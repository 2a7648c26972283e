/* Trees for a scatter over several paths to each site: from the root directly, or over one other site whose
 * leader passes blocks on.
 *
 *          100 Mbit/s
 *   root ==============> s          shares of 1 : 2, if the latencies are equal
 *      ||                ^
 *      ``==> leader x ===`` 200 Mbit/s
 *
 * A list schedule. Each site's blocks are cut into parts. The next part is one of the site that has the
 * most left to do,
 *
 *   L of the direct path + bytes left / (sum of the rates of all paths to the site) [s]
 *
 * and it takes the path on which it arrives first. Each link serves parts one after the other, m / B each;
 * links behind the last one between sites do so after L has passed. Overhead is not counted, because the
 * simulation prices the result:
 *
 *   arrival = (over the root's path: max over its links of free + m / B) + L, over a leader the same again
 *
 * Part i of all sites, each site's in the order of its paths, makes a tree; neighbours with the same paths
 * become one tree with a larger share. There are 32 parts, or half as many where they would make too many
 * trees. */
#include "plan/build/multipath_scatter.h"
#include "plan/core/core.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 2 * GB_SITE_TREES_MOST };
#define WORTH_IT 0.999 /* a path over another site must arrive in this part of the direct path's time */

typedef struct gb_leg { /* the path from one leader to another */
  double latency, rate;
  size_t hop;
  uint32_t hops, near; /* near: hops up to the last link between sites */
} gb_leg;

typedef struct gb_multipath {
  gb_planner *pl;
  uint32_t n, root, parts;
  gb_leg *leg; /* n * n; index from * n + to */
  gb_hop *hop;
  size_t hops, capacity;
  uint64_t first_link; /* resources from this number on are links between sites */
  double *free;        /* s, by resource: when it has served the parts that it was given */
  uint32_t *via;       /* index site * parts + part: the root, or the site that passes it on */
  uint32_t *given;     /* by site: parts that have a path */
  double *bytes;       /* by site: bytes of one part */
  double *rate;        /* by site: bytes/s of all paths together */
} gb_multipath;

static int keep_hops(gb_multipath *m, const gb_route *route, gbcast_error *err) {
  if (m->hops + route->hop_count > m->capacity) {
    size_t capacity = 2 * (m->capacity + route->hop_count);
    gb_hop *grown = realloc(m->hop, capacity * sizeof *grown);
    if (!grown)
      return gb_no_memory(err);
    m->hop = grown;
    m->capacity = capacity;
  }
  memcpy(m->hop + m->hops, route->hop, route->hop_count * sizeof *m->hop);
  m->hops += route->hop_count;
  return GBCAST_OK;
}

static int find_legs(gb_multipath *m, gbcast_error *err) {
  int status = GBCAST_OK;
  for (uint32_t a = 0; a < m->n; a++)
    for (uint32_t b = 0; status == GBCAST_OK && b < m->n; b++) {
      if (a == b)
        continue;
      status = gb_planner_site_route(m->pl, a, b, err);
      const gb_route *route = &m->pl->net.route;
      if (status == GBCAST_OK) {
        uint32_t near = route->hop_count;
        while (near > 0 && route->hop[near - 1].resource < m->first_link)
          near--;
        m->leg[a * m->n + b] = (gb_leg){route->latency, route->narrowest, m->hops, route->hop_count, near};
        status = keep_hops(m, route, err);
      }
    }
  return status;
}

/* When a part that is sent at `time` has crossed the first `hops` links of a leg (s). take: keeps the links
 * busy for that time. */
static double over(const gb_multipath *m, const gb_leg *leg, uint32_t hops, double time, double bytes,
                   bool take) {
  double end = time, *busy = m->free;
  for (uint32_t i = 0; i < hops; i++) {
    const gb_hop *hop = &m->hop[leg->hop + i];
    double later = i < leg->near ? 0 : leg->latency;
    double through = gb_larger(busy[hop->resource], time + later) + bytes / hop->bandwidth;
    end = gb_larger(end, through - later);
    busy[hop->resource] = take ? through : busy[hop->resource];
  }
  return end + leg->latency;
}

/* When a part arrives at any host of the site; the leader's own link does not count. */
static double arrival(const gb_multipath *m, uint32_t s, uint32_t via, bool take) {
  const gb_leg *last = &m->leg[via * m->n + s], *first = &m->leg[m->root * m->n + via];
  double time = via == m->root ? 0 : over(m, first, first->hops, 0, m->bytes[s], take);
  return over(m, last, last->hops - 1, time, m->bytes[s], take);
}

/* Whether the path over `via` is one to try. Only direct links count, as other paths lead through a site
 * anyway. */
static bool may_pass(const gb_multipath *m, uint32_t s, uint32_t via) {
  const gbcast_plan *plan = m->pl->plan;
  const uint32_t from = plan->site[m->root].cluster, over_site = plan->site[via].cluster;
  return via != s &&
         (via == m->root || (gb_platform_link(m->pl->net.p, from, over_site) != NULL &&
                             gb_platform_link(m->pl->net.p, over_site, plan->site[s].cluster) != NULL));
}

/* Of no part anything is known yet. */
static void begin(gb_multipath *m, const gb_flow *flow) {
  const gbcast_plan *plan = m->pl->plan;
  memset(m->free, 0, gb_resource_count(m->pl->net.p) * sizeof *m->free);
  for (uint32_t s = 0; s < m->n; s++) {
    m->given[s] = 0;
    m->rate[s] = 0;
    m->bytes[s] = (double)flow->bytes * plan->site[s].endpoint_count / m->parts;
    for (uint32_t via = 0; s != m->root && via < m->n; via++) {
      if (!may_pass(m, s, via))
        continue;
      double rate = m->leg[via * m->n + s].rate, before = m->leg[m->root * m->n + via].rate;
      m->rate[s] += via != m->root && before < rate ? before : rate;
    }
  }
}

/* The site with the most left to do; the root's site if all parts have their paths. */
static uint32_t most_left(const gb_multipath *m) {
  uint32_t most = m->root;
  double longest = 0;
  for (uint32_t s = 0; s < m->n; s++) {
    double left = (m->parts - m->given[s]) * m->bytes[s] / m->rate[s] + m->leg[m->root * m->n + s].latency;
    if (s == m->root || m->given[s] == m->parts || (most != m->root && left <= longest))
      continue;
    most = s;
    longest = left;
  }
  return most;
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void schedule(gb_multipath *m, const gb_flow *flow, uint32_t parts) {
  m->parts = parts;
  begin(m, flow);
  for (uint32_t s; (s = most_left(m)) != m->root;) {
    uint32_t best = m->root;
    double first = arrival(m, s, m->root, false) * WORTH_IT;
    for (uint32_t via = 0; via < m->n; via++) {
      double time = via != m->root && may_pass(m, s, via) ? arrival(m, s, via, false) : first;
      if (time < first) {
        first = time;
        best = via;
      }
    }
    (void)arrival(m, s, best, true);
    m->via[s * m->parts + m->given[s]++] = best;
  }
  for (uint32_t s = 0; s < m->n; s++)
    if (s != m->root)
      qsort(m->via + (size_t)s * m->parts, m->parts, sizeof *m->via, by_number);
}

/* Whether parts a and b of all sites take the same paths. */
static bool alike(const gb_multipath *m, uint32_t a, uint32_t b) {
  for (uint32_t s = 0; s < m->n; s++)
    if (s != m->root && m->via[s * m->parts + a] != m->via[s * m->parts + b])
      return false;
  return true;
}

/* Fills one tree. A leader that passes blocks on gets these, and its own, directly from the root. */
static void write_tree(const gb_multipath *m, uint32_t part, uint32_t *parent, uint32_t *feeder) {
  for (uint32_t s = 0; s < m->n; s++)
    parent[s] = feeder[s] = s == m->root ? GB_NONE : m->via[s * m->parts + part];
  for (uint32_t s = 0; s < m->n; s++)
    if (s != m->root && feeder[s] != m->root)
      parent[feeder[s]] = m->root;
}

static uint32_t count_trees(const gb_multipath *m) {
  uint32_t count = 1;
  for (uint32_t part = 1; part < m->parts; part++)
    count += !alike(m, part - 1, part);
  return count;
}

static int write_trees(const gb_multipath *m, gb_site_trees *out, gbcast_error *err) {
  size_t all = (size_t)GB_SITE_TREES_MOST * m->n + 1;
  *out = (gb_site_trees){.parent = malloc(all * sizeof *out->parent),
                         .feeder = malloc(all * sizeof *out->feeder)};
  if (!out->parent || !out->feeder) {
    gb_site_trees_free(out);
    return gb_no_memory(err);
  }
  for (uint32_t part = 0; part < m->parts; part++) {
    if (part == 0 || !alike(m, part - 1, part)) {
      size_t at = (size_t)out->count++ * m->n;
      write_tree(m, part, out->parent + at, out->feeder + at);
    }
    out->weight[out->count - 1]++;
  }
  return GBCAST_OK;
}

static void swap(uint32_t *a, uint32_t *b) {
  const uint32_t c = *a;
  *a = *b;
  *b = c;
}

/* The largest share comes first, because the printers show the first tree. */
static void put_largest_first(gb_site_trees *trees, uint32_t n) {
  uint32_t largest = 0;
  for (uint32_t t = 1; t < trees->count; t++)
    if (trees->weight[t] > trees->weight[largest])
      largest = t;
  swap(&trees->weight[0], &trees->weight[largest]);
  for (uint32_t s = 0; s < n; s++) {
    swap(&trees->parent[s], &trees->parent[(size_t)largest * n + s]);
    swap(&trees->feeder[s], &trees->feeder[(size_t)largest * n + s]);
  }
}

int gb_multipath_trees(gb_planner *pl, const gb_flow *flow, gb_site_trees *out, gbcast_error *err) {
  const uint32_t n = pl->plan->site_count;
  const gbcast_platform *p = pl->net.p;
  const uint64_t links = p->assumed_mesh ? (uint64_t)p->cluster_count * p->cluster_count : p->link_count;
  gb_multipath m = {.pl = pl, .n = n, .root = pl->plan->root_site};
  m.first_link = gb_resource_count(p) - links;
  m.capacity = 8 * ((size_t)n * n + 1);
  m.leg = calloc((size_t)n * n + 1, sizeof *m.leg);
  m.hop = calloc(m.capacity, sizeof *m.hop);
  m.free = calloc(gb_resource_count(pl->net.p), sizeof *m.free);
  m.via = calloc((size_t)n * MOST_PARTS + 1, sizeof *m.via);
  m.given = calloc((size_t)n + 1, sizeof *m.given);
  m.bytes = calloc(2 * (size_t)n + 1, sizeof *m.bytes);
  m.rate = m.bytes ? m.bytes + n : NULL;
  int status =
      m.leg && m.hop && m.free && m.via && m.given && m.bytes ? find_legs(&m, err) : gb_no_memory(err);
  if (status == GBCAST_OK) {
    schedule(&m, flow, MOST_PARTS);
    if (count_trees(&m) > GB_SITE_TREES_MOST)
      schedule(&m, flow, GB_SITE_TREES_MOST);
    status = write_trees(&m, out, err);
  }
  if (status == GBCAST_OK)
    put_largest_first(out, n);
  free(m.leg);
  free(m.hop);
  free(m.free);
  free(m.via);
  free(m.given);
  free(m.bytes);
  return status;
}
