/* Shares of a scatter for several ways to a site: straight from the root, or over one other site whose leader
 * passes them on.
 *
 *          100 Mbit/s
 *   root ==============> s          shares of 1 : 2, if the latencies are alike
 *      ||                ^
 *      ``==> leader x ===`` 200 Mbit/s
 *
 * It is a list schedule. Each site's blocks are cut into 32 parts; the next part is one of the site that has
 * most left to do,
 *
 *   L of the straight way + bytes left / (sum of the rates of all ways to the site) [s]
 *
 * and it takes the way on which it is there first. Each link serves parts one after the other, m / B each,
 * those behind the last link between sites once L has passed; overhead is not counted, as the walk prices the
 * result:
 *
 *   arrival = (over the root's way: max over its links of free + m / B) + L, over a leader the same again
 *
 * The parts of all sites side by side, each site's in the order of its ways, are the trees: those numbered
 * alike make one, and neighbours that go the same ways are one with a larger share. */
#include "plan/search/multipath_scatter.h"
#include "plan/core/core.h"
#include <stdlib.h>
#include <string.h>

enum { PARTS = 32 };
#define WORTH_IT 0.999 /* a way over another site has to be there so much sooner than the straight one */

typedef struct gb_leg { /* the way from one leader to another */
  double latency, rate;
  size_t hop;
  uint32_t hops, near; /* near: of the hops, as far as the last link between sites */
} gb_leg;

typedef struct gb_multipath {
  gb_planner *pl;
  uint32_t n, root;
  gb_leg *leg; /* n * n */
  gb_hop *hop;
  size_t hops, capacity;
  uint64_t first_link; /* resources from here on are links between sites */
  double *free;        /* by resource: when it has served what it was given (s) */
  uint32_t *via;       /* site * PARTS + part: the root, or who passes it on */
  uint32_t *given;     /* parts of each site that have a way */
  double *bytes;       /* of one part, by site */
  double *rate;        /* of all ways to a site */
} gb_multipath;

static int keep_hops(gb_multipath *q, const gb_route *route, gbcast_error *err) {
  if (q->hops + route->hop_count > q->capacity) {
    size_t capacity = 2 * (q->capacity + route->hop_count);
    gb_hop *grown = realloc(q->hop, capacity * sizeof *grown);
    if (!grown)
      return gb_no_memory(err);
    q->hop = grown;
    q->capacity = capacity;
  }
  memcpy(q->hop + q->hops, route->hop, route->hop_count * sizeof *q->hop);
  q->hops += route->hop_count;
  return GBCAST_OK;
}

static int find_legs(gb_multipath *q, gbcast_error *err) {
  int status = GBCAST_OK;
  for (uint32_t a = 0; a < q->n; a++)
    for (uint32_t b = 0; status == GBCAST_OK && b < q->n; b++) {
      if (a == b)
        continue;
      status = gb_planner_site_route(q->pl, a, b, err);
      const gb_route *route = &q->pl->net.route;
      if (status == GBCAST_OK) {
        uint32_t near = route->hop_count;
        while (near > 0 && route->hop[near - 1].resource < q->first_link)
          near--;
        q->leg[a * q->n + b] = (gb_leg){route->latency, route->narrowest, q->hops, route->hop_count, near};
        status = keep_hops(q, route, err);
      }
    }
  return status;
}

/* When a part that is sent at `time` has come over the first `hops` links of a leg. take: they are its own
 * for that time. */
static double over(const gb_multipath *q, const gb_leg *leg, uint32_t hops, double time, double bytes,
                   bool take) {
  double end = time, *busy = q->free;
  for (uint32_t i = 0; i < hops; i++) {
    const gb_hop *hop = &q->hop[leg->hop + i];
    double later = i < leg->near ? 0 : leg->latency;
    double through = gb_larger(busy[hop->resource], time + later) + bytes / hop->bandwidth;
    end = gb_larger(end, through - later);
    busy[hop->resource] = take ? through : busy[hop->resource];
  }
  return end + leg->latency;
}

/* At any host of the site: the leader's own link does not count. */
static double arrival(const gb_multipath *q, uint32_t s, uint32_t via, bool take) {
  const gb_leg *last = &q->leg[via * q->n + s], *first = &q->leg[q->root * q->n + via];
  double time = via == q->root ? 0 : over(q, first, first->hops, 0, q->bytes[s], take);
  return over(q, last, last->hops - 1, time, q->bytes[s], take);
}

/* Over direct links only: other ways go through some site anyway. */
static bool may_pass(const gb_multipath *q, uint32_t s, uint32_t via) {
  const gbcast_plan *plan = q->pl->plan;
  const uint32_t from = plan->site[q->root].cluster, over_site = plan->site[via].cluster;
  return via != s &&
         (via == q->root || (gb_platform_link(q->pl->net.p, from, over_site) != NULL &&
                             gb_platform_link(q->pl->net.p, over_site, plan->site[s].cluster) != NULL));
}

static void measure(gb_multipath *q, const gb_flow *flow) {
  const gbcast_plan *plan = q->pl->plan;
  for (uint32_t s = 0; s < q->n; s++) {
    q->bytes[s] = (double)flow->bytes * plan->site[s].endpoint_count / PARTS;
    for (uint32_t via = 0; s != q->root && via < q->n; via++) {
      if (!may_pass(q, s, via))
        continue;
      double rate = q->leg[via * q->n + s].rate, before = q->leg[q->root * q->n + via].rate;
      q->rate[s] += via != q->root && before < rate ? before : rate;
    }
  }
}

/* The site that has most left to do; the root's when all parts have their ways. */
static uint32_t most_left(const gb_multipath *q) {
  uint32_t most = q->root;
  double longest = 0;
  for (uint32_t s = 0; s < q->n; s++) {
    double left = (PARTS - q->given[s]) * q->bytes[s] / q->rate[s] + q->leg[q->root * q->n + s].latency;
    if (s == q->root || q->given[s] == PARTS || (most != q->root && left <= longest))
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

static void schedule(gb_multipath *q) {
  for (uint32_t s; (s = most_left(q)) != q->root;) {
    uint32_t best = q->root;
    double first = arrival(q, s, q->root, false) * WORTH_IT;
    for (uint32_t via = 0; via < q->n; via++) {
      double time = via != q->root && may_pass(q, s, via) ? arrival(q, s, via, false) : first;
      if (time < first) {
        first = time;
        best = via;
      }
    }
    (void)arrival(q, s, best, true);
    q->via[s * PARTS + q->given[s]++] = best;
  }
  for (uint32_t s = 0; s < q->n; s++)
    if (s != q->root)
      qsort(q->via + (size_t)s * PARTS, PARTS, sizeof *q->via, by_number);
}

/* Whether parts number a and b of all sites go alike. */
static bool alike(const gb_multipath *q, uint32_t a, uint32_t b) {
  for (uint32_t s = 0; s < q->n; s++)
    if (s != q->root && q->via[s * PARTS + a] != q->via[s * PARTS + b])
      return false;
  return true;
}

/* One tree. A leader that passes blocks on gets them, and its own, straight from the root. */
static void write_tree(const gb_multipath *q, uint32_t part, uint32_t *parent, uint32_t *feeder) {
  for (uint32_t s = 0; s < q->n; s++)
    parent[s] = feeder[s] = s == q->root ? GB_NONE : q->via[s * PARTS + part];
  for (uint32_t s = 0; s < q->n; s++)
    if (s != q->root && feeder[s] != q->root)
      parent[feeder[s]] = q->root;
}

/* The parts to trees, while there is room: further parts go with the last tree. */
static int write_trees(const gb_multipath *q, gb_site_trees *out, gbcast_error *err) {
  size_t all = (size_t)GB_SITE_TREES_MOST * q->n + 1;
  *out = (gb_site_trees){.parent = malloc(all * sizeof *out->parent),
                         .feeder = malloc(all * sizeof *out->feeder)};
  if (!out->parent || !out->feeder) {
    gb_site_trees_free(out);
    return gb_no_memory(err);
  }
  for (uint32_t part = 0; part < PARTS; part++) {
    bool again = part > 0 && (alike(q, part - 1, part) || out->count == GB_SITE_TREES_MOST);
    if (!again) {
      size_t at = (size_t)out->count++ * q->n;
      write_tree(q, part, out->parent + at, out->feeder + at);
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

/* What is shown of several trees is the first. */
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
  gb_multipath q = {.pl = pl, .n = n, .root = pl->plan->root_site};
  q.first_link = gb_resource_count(p) - links;
  q.capacity = 8 * ((size_t)n * n + 1);
  q.leg = calloc((size_t)n * n + 1, sizeof *q.leg);
  q.hop = calloc(q.capacity, sizeof *q.hop);
  q.free = calloc(gb_resource_count(pl->net.p), sizeof *q.free);
  q.via = calloc((size_t)n * PARTS + 1, sizeof *q.via);
  q.given = calloc((size_t)n + 1, sizeof *q.given);
  q.bytes = calloc(2 * (size_t)n + 1, sizeof *q.bytes);
  q.rate = q.bytes ? q.bytes + n : NULL;
  int status =
      q.leg && q.hop && q.free && q.via && q.given && q.bytes ? find_legs(&q, err) : gb_no_memory(err);
  if (status == GBCAST_OK) {
    measure(&q, flow);
    schedule(&q);
    status = write_trees(&q, out, err);
  }
  if (status == GBCAST_OK)
    put_largest_first(out, n);
  free(q.leg);
  free(q.hop);
  free(q.free);
  free(q.via);
  free(q.given);
  free(q.bytes);
  return status;
}
