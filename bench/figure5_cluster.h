/* Random clusters as in the paper's Figure 5: links between random pairs of switches, those that would close
 * a cycle left out, until all are joined; then each machine on a random switch. */
#ifndef GB_BENCH_FIGURE5_CLUSTER_H
#define GB_BENCH_FIGURE5_CLUSTER_H

#include "platform/platform.h"
#include <stdlib.h>

typedef struct figure5_cluster {
  struct gbcast_platform platform;
  gb_cluster cluster;
  gb_host *host;
  gb_switch *sw;
  uint32_t *order; /* hosts 0, 1, ... */
} figure5_cluster;

/* splitmix64 */
static inline uint32_t figure5_draw(uint64_t *state, uint32_t bound) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (uint32_t)((z ^ (z >> 31)) % bound);
}

/* uplink[] from the links: switch 0 is the top. */
static inline void figure5_hang(figure5_cluster *c, const uint32_t (*link)[2], uint32_t switches) {
  for (uint32_t s = 0; s < switches; s++)
    c->sw[s].depth = s == 0 ? 0 : GB_NONE;
  for (uint32_t left = switches - 1; left > 0;)
    for (uint32_t i = 0; i + 1 < switches; i++)
      for (int end = 0; end < 2; end++) {
        gb_switch *low = &c->sw[link[i][end]], *high = &c->sw[link[i][1 - end]];
        if (low->depth == GB_NONE && high->depth != GB_NONE) {
          low->uplink = link[i][1 - end];
          low->depth = high->depth + 1;
          left--;
        }
      }
}

static inline bool figure5_cluster_new(figure5_cluster *c, uint64_t *state, uint32_t switches,
                                       uint32_t hosts) {
  *c = (figure5_cluster){.host = calloc(hosts, sizeof *c->host),
                         .sw = calloc(switches, sizeof *c->sw),
                         .order = malloc(hosts * sizeof *c->order)};
  uint32_t *group = malloc(switches * sizeof *group), (*link)[2] = malloc(switches * sizeof *link);
  if (!c->host || !c->sw || !c->order || !group || !link)
    return false;
  for (uint32_t s = 0; s < switches; s++)
    group[s] = s;
  for (uint32_t links = 0; links + 1 < switches;) {
    uint32_t a = figure5_draw(state, switches), b = figure5_draw(state, switches), old = group[b];
    if (group[a] == group[b])
      continue;
    link[links][0] = a;
    link[links++][1] = b;
    for (uint32_t s = 0; s < switches; s++)
      group[s] = group[s] == old ? group[a] : group[s];
  }
  c->sw[0].uplink = GB_NONE;
  figure5_hang(c, (const uint32_t(*)[2])link, switches);
  for (uint32_t h = 0; h < hosts; h++) {
    c->host[h].sw = figure5_draw(state, switches);
    c->order[h] = h;
  }
  c->cluster = (gb_cluster){.latency = 50e-6, .bandwidth = 125e6, .overhead = 2e-6, .switch_count = switches};
  c->platform = (struct gbcast_platform){.host_count = hosts,
                                         .switch_count = switches,
                                         .cluster_count = 1,
                                         .host = c->host,
                                         .sw = c->sw,
                                         .cluster = &c->cluster};
  free(group);
  free(link);
  return true;
}

static inline void figure5_cluster_free(figure5_cluster *c) {
  free(c->host);
  free(c->sw);
  free(c->order);
}

#endif
