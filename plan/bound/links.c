/* How soon a message can have come into a site over its links.
 *
 * The largest flow into a site adds up all links, but their bytes do not begin to come at the same time. Over
 * the link from a none comes before distance(a) + L(a), so by T, with B in bytes/s,
 *
 *     sum over links a of B(a) * max(0, T - distance(a) - L(a))  >=  the bytes for the site
 *
 *     link a    |.......=====================|        both for less than T: 50 ms and 52 ms away
 *     link b    |.............===============|
 *               0                            T
 *
 * And where a link has an `initial-window` of W bytes, a stream sends W, waits for the answer, and sends at
 * most twice as many after each: no more than (2^k - 1) W come before k round trips have passed since the
 * first did. Each rank at one end has a stream with each at the other. What comes after that is as much as
 * the link carries: by t after the first byte no more than
 *
 *     (2^k - 1) W + B (t - k round trips)      for each k with k round trips <= t
 *
 * and (2^(k + 1) - 1) W for the greatest of them. (W = 231 kB, 12.5 MB/s, 80 ms: 8 MiB take 110 ms longer.)
 *
 * All this is counted only where every site has a link to this one: then no other site's streams pass it. */
#include "plan/bound/links.h"
#include "plan/bound/limits.h"
#include "platform/cost/cost.h"
#include <math.h>
#include <stdlib.h>

enum { HALVINGS = 60 };

typedef struct gb_inlet {
  double first;              /* s: no byte comes sooner */
  double rate;               /* bytes/s */
  double window, round_trip; /* bytes of all streams, INFINITY: any number; s */
} gb_inlet;

/* What can come in a time after the first byte. */
static double let_through(const gb_inlet *in, double time, double enough) {
  double most = in->rate * time, sum = 0, window = in->window;
  for (; time >= 0 && sum < enough; time -= in->round_trip) {
    most = gb_smaller(most, sum + in->rate * time);
    sum += window;
    window *= 2;
  }
  return gb_smaller(most, sum);
}

static bool are_there(const gb_inlet *in, size_t count, double bytes, double time) {
  double sum = 0;
  for (size_t i = 0; i < count && sum < bytes; i++)
    if (time > in[i].first)
      sum += let_through(&in[i], time - in[i].first, bytes);
  return sum >= bytes;
}

/* The last time that is known to be too soon, not below `from`. */
static double too_soon(const gb_inlet *in, size_t count, double bytes, double from) {
  double end = from;
  if (count == 0 || are_there(in, count, bytes, from))
    return from;
  for (double step = 1e-6; !are_there(in, count, bytes, end); step *= 2)
    end += step;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = from + (end - from) / 2;
    if (are_there(in, count, bytes, middle))
      end = middle;
    else
      from = middle;
  }
  return from;
}

/* pairs: of ranks that may have a stream over it; INFINITY: not known. */
static gb_inlet inlet_of(const gbcast_platform *p, const gb_link *link, double first, double pairs) {
  const gb_link *back = gb_platform_link(p, link->to, link->from);
  const bool measured = link->plogp.count > 0;
  const double gaps = measured ? gb_plogp_bandwidth(&link->plogp) : 0;
  return (gb_inlet){.first = first + gb_bound_link_latency(link),
                    .rate = link->bandwidth > gaps ? link->bandwidth : gaps,
                    .window = measured || !back ? INFINITY : link->initial_window * pairs,
                    .round_trip = gb_bound_link_latency(link) + (back ? gb_bound_link_latency(back) : 0)};
}

/* Links by the cluster that they lead to: those into c are into[start[c]] .. into[start[c + 1] - 1]. */
static void sort_links(const gbcast_platform *p, uint32_t *start, uint32_t *into) {
  for (uint32_t i = 0; i < p->link_count; i++)
    start[p->link[i].to]++;
  for (uint32_t c = 1; c <= p->cluster_count; c++)
    start[c] += start[c - 1];
  for (uint32_t i = p->link_count; i-- > 0;)
    into[--start[p->link[i].to]] = i;
}

/* What leads into a site. ranks: per cluster; 0 where none takes part. */
static size_t find_inlets(const gbcast_platform *p, uint32_t cluster, const uint32_t *start,
                          const uint32_t *into, const double *distance, const double *ranks, gb_inlet *in) {
  const bool all = start[cluster + 1] - start[cluster] == p->cluster_count - 1;
  size_t count = 0;
  for (uint32_t i = start[cluster]; i < start[cluster + 1]; i++) {
    const gb_link *link = &p->link[into[i]];
    const double pairs = ranks[link->from] * ranks[cluster];
    if (distance[link->from] < INFINITY)
      in[count++] = inlet_of(p, link, distance[link->from], all && pairs > 0 ? pairs : INFINITY);
  }
  return count;
}

int gb_bound_links(const gbcast_plan *plan, const double *distance, double bytes, bool blocks, double *bound,
                   gbcast_error *err) {
  const gbcast_platform *p = plan->platform;
  uint32_t *start = calloc((size_t)p->cluster_count + 1, sizeof *start);
  uint32_t *into = malloc(((size_t)p->link_count + 1) * sizeof *into);
  double *ranks = calloc(p->cluster_count, sizeof *ranks);
  gb_inlet *in = malloc(((size_t)p->link_count + 1) * sizeof *in);
  const int status = start && into && ranks && in ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t s = 0; status == GBCAST_OK && s < plan->site_count; s++)
    ranks[plan->site[s].cluster] = plan->site[s].endpoint_count;
  if (status == GBCAST_OK)
    sort_links(p, start, into);
  for (uint32_t s = 0; status == GBCAST_OK && s < plan->site_count; s++) {
    const uint32_t cluster = plan->site[s].cluster;
    if (s == plan->root_site)
      continue;
    const size_t count = find_inlets(p, cluster, start, into, distance, ranks, in);
    *bound = too_soon(in, count, blocks ? bytes * ranks[cluster] : bytes, *bound);
  }
  free(start);
  free(into);
  free(ranks);
  free(in);
  return status;
}
