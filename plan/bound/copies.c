/* How often a message must leave the root's site, and so how soon it can be everywhere.
 *
 * At most r bytes/s leave that site (its wan-bandwidth, or all its links together). What is there at T has
 * left it by T - l, where l is the least latency to another site. For any time t before T, no more bytes than
 *
 *     r (T - t)
 *
 * can have left once by T - t. Each of the others leaves later, and then it cannot come in time over another
 * site to any site s whose fastest such path, over any other site x,
 *
 *     b(s) = least of distance(x) + L(x, s),
 *
 * takes longer than t. Each of these sites, of which there are c, needs a copy of its own, so that
 *
 *     c (bytes - r (T - t))  <=  r (t - l),      T  >=  bytes / r + t - (t - l) / c       [s]
 *
 * unless T < t, and all bytes leave c times: T >= l + c bytes / r. At least two copies leave where t is less
 * than what it takes over the best single site to reach all.
 *
 *     bytes leave    |once  once  once|twice  twice|
 *                    0              T - t        T - l      T
 *
 * For t stand the b(s), and what the best single site takes. inter/in_turn.c comes near this bound on a star.
 *
 * Sites that the root's has to cross to get to others do not matter: their hosts get nothing that is not for
 * them. Latencies inside sites are left out. */
#include "plan/bound/copies.h"
#include "plan/bound/limits.h"
#include <math.h>
#include <stdlib.h>

typedef struct gb_copies {
  uint32_t n;                  /* sites but the root's */
  uint32_t *cluster;           /* by site */
  double *distance, *indirect; /* by site (s) */
  double *row;                 /* by cluster: latencies from one (s) */
  double radius;               /* s from the root's site to all others over the best single one */
} gb_copies;

/* The latency over each site to each other. */
static int find_indirect(const gbcast_platform *p, gb_copies *c, gbcast_error *err) {
  int status = GBCAST_OK;
  c->radius = INFINITY;
  for (uint32_t s = 0; s < c->n; s++)
    c->indirect[s] = INFINITY;
  for (uint32_t x = 0; status == GBCAST_OK && x < c->n; x++) {
    double farthest = c->distance[x];
    status = gb_bound_latencies(p, c->cluster[x], c->row, err);
    for (uint32_t s = 0; status == GBCAST_OK && s < c->n; s++) {
      const double over = c->distance[x] + c->row[c->cluster[s]];
      if (s == x)
        continue;
      farthest = gb_larger(farthest, over);
      c->indirect[s] = gb_smaller(c->indirect[s], over);
    }
    c->radius = gb_smaller(c->radius, farthest);
  }
  return status;
}

/* T where what leaves within the last t (s) leaves `copies` times; bytes: / r (s). */
static double end_for(double t, double copies, double first, double bytes) {
  const double all = first + copies * bytes;
  return t < all ? bytes + t - (t - first) / copies : all;
}

static void raise(const gb_copies *c, double bytes, double *bound) {
  double first = INFINITY;
  for (uint32_t s = 0; s < c->n; s++)
    first = gb_smaller(first, c->distance[s]);
  *bound = gb_larger(*bound, end_for(c->radius, 2, first, bytes));
  for (uint32_t s = 0; s < c->n; s++) {
    uint32_t copies = 0;
    for (uint32_t v = 0; v < c->n; v++)
      copies += c->indirect[v] >= c->indirect[s];
    *bound = gb_larger(*bound, end_for(c->indirect[s], copies, first, bytes));
  }
}

int gb_bound_copies(const gbcast_plan *plan, const double *distance, double bytes, double *bound,
                    gbcast_error *err) {
  const gbcast_platform *p = plan->platform;
  const uint32_t n = plan->site_count;
  const double rate = gb_bound_out_capacity(p, plan->site[plan->root_site].cluster);
  if (n < 3 || n > GB_BOUND_COPIES_SITES || rate <= 0)
    return GBCAST_OK;
  gb_copies c = {.cluster = malloc(n * sizeof *c.cluster),
                 .distance = malloc(2 * (size_t)n * sizeof *c.distance),
                 .row = malloc(p->cluster_count * sizeof *c.row)};
  int status = c.cluster && c.distance && c.row ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    c.indirect = c.distance + n;
    for (uint32_t s = 0; s < n; s++)
      if (s != plan->root_site) {
        c.cluster[c.n] = plan->site[s].cluster;
        c.distance[c.n++] = distance[plan->site[s].cluster];
      }
    status = find_indirect(p, &c, err);
  }
  if (status == GBCAST_OK)
    raise(&c, bytes / rate, bound);
  free(c.cluster);
  free(c.distance);
  free(c.row);
  return status;
}
