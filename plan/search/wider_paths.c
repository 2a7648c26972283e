/* A stream from site to site takes the way of least latency, however narrow. The widest way to each site,
 * over leaders that pass on what they get, by Dijkstra's algorithm with the narrowest link in place of the
 * sum:
 *
 *   width(s) = max over sites v of min(width(v), narrowest link of the way from v to s)    [bytes/s] */
#include "plan/search/wider_paths.h"
#include "plan/search/steps.h"
#include <math.h>
#include <stdlib.h>

#define MUCH_WIDER 1.5 /* times as wide: what a leader passes on shares its link with what its site needs */

static uint32_t widest_left(const double *width, const bool *done, uint32_t n) {
  uint32_t widest = GB_NONE;
  for (uint32_t s = 0; s < n; s++)
    if (!done[s] && (widest == GB_NONE || width[s] > width[widest]))
      widest = s;
  return widest;
}

static int find(gb_planner *pl, double *straight, double *width, bool *done, bool *wider, gbcast_error *err) {
  const uint32_t n = pl->plan->site_count, root = pl->plan->root_site;
  width[root] = INFINITY;
  for (uint32_t v; (v = widest_left(width, done, n)) != GB_NONE;) {
    done[v] = true;
    for (uint32_t s = 0; s < n; s++) {
      if (done[s])
        continue;
      const int status = gb_planner_site_route(pl, v, s, err);
      if (status != GBCAST_OK)
        return status;
      double way = pl->net.route.narrowest;
      if (v == root)
        straight[s] = way;
      if (way > width[v])
        way = width[v];
      if (way > width[s])
        width[s] = way;
    }
  }
  for (uint32_t s = 0; s < n; s++)
    *wider = *wider || (s != root && width[s] > MUCH_WIDER * straight[s]);
  return GBCAST_OK;
}

int gb_find_wider_paths(gb_planner *pl, bool *wider, gbcast_error *err) {
  const uint32_t n = pl->plan->site_count;
  *wider = false;
  if (n < 3 || n > GB_PACKED_SITES)
    return GBCAST_OK;
  double *width = calloc(2 * (size_t)n, sizeof *width);
  bool *done = calloc(n, sizeof *done);
  const int status = width && done ? find(pl, width + n, width, done, wider, err) : gb_no_memory(err);
  free(width);
  free(done);
  return status;
}
