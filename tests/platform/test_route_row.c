/* Least-latency rows on many random graphs. */
#include "platform/cost/cost.h"

#include <criterion/criterion.h>
#include <math.h>

/* Random sparse graphs with many equal sums, against Bellman-Ford on (latency, links). */
Test(route_row, rows_agree_with_bellman_ford) {
  enum { SITES = 12 };
  uint64_t seed = 7;
  static gb_link graph[SITES * SITES];
  static uint32_t start[SITES + 1];
  for (int round = 0; round < 3000; round++) {
    uint32_t count = 0;
    for (uint32_t a = 0; a < SITES; a++) {
      start[a] = count;
      for (uint32_t b = 0; b < SITES; b++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        if (a != b && (seed >> 60) < 4) {
          graph[count++] = (gb_link){.from = a, .to = b, .latency = (double)(seed >> 40 & 3)};
        }
      }
    }
    start[SITES] = count;
    struct gbcast_platform q = {
        .cluster_count = SITES, .link_count = count, .link = graph, .link_start = start};
    double want[SITES], distance[SITES];
    uint32_t links[SITES], prev[SITES];
    for (uint32_t c = 0; c < SITES; c++) {
      want[c] = c == 0 ? 0 : INFINITY;
      links[c] = 0;
    }
    for (int pass = 0; pass < 2 * SITES; pass++) {
      for (uint32_t l = 0; l < count; l++) {
        uint32_t a = graph[l].from, b = graph[l].to;
        double d = want[a] + graph[l].latency;
        if (d < want[b] || (d <= want[b] && isfinite(d) && links[a] + 1 < links[b])) {
          want[b] = d;
          links[b] = links[a] + 1;
        }
      }
    }
    cr_assert_eq(gb_route_row(&q, 0, prev, distance, NULL), GBCAST_OK);
    for (uint32_t c = 0; c < SITES; c++) {
      uint32_t first = GB_NONE;
      for (uint32_t l = count;
           c != 0 && l-- > 0;) { /* by from: the last one kept is the site first mentioned */
        uint32_t a = graph[l].from;
        bool leads = graph[l].to == c && isfinite(want[a]) && links[a] + 1 == links[c];
        if (leads && fabs(want[a] + graph[l].latency - want[c]) < 1e-9) {
          first = a;
        }
      }
      cr_assert(distance[c] <= want[c] && distance[c] >= want[c], "round %d site %u", round, c);
      cr_assert_eq(prev[c], first, "round %d: before %u comes %u, want %u", round, c, prev[c], first);
    }
  }
}
