/* The machines of a cluster and the directed links between them. */
#include "intra/alltoall.h"

#include <stdlib.h>

int gb_machines_new(const gbcast_platform *p, const uint32_t *host, uint32_t count, gb_machines *m,
                    gbcast_error *err) {
  *m = (gb_machines){.p = p, .host = host, .count = count};
  int status = gb_switch_walk_new(p, host, count, &m->walk, err);
  if (status != GBCAST_OK) {
    return status;
  }
  m->node = calloc(count, sizeof *m->node);
  if (m->node == NULL) {
    gb_machines_free(m);
    return gb_no_memory(err);
  }
  for (uint32_t place = 0; place < count; place++) {
    m->node[m->walk.host[place]] = m->walk.node[place];
  }
  return GBCAST_OK;
}

void gb_machines_free(gb_machines *m) {
  gb_switch_walk_free(&m->walk);
  free(m->node);
  *m = (gb_machines){0};
}

uint32_t gb_machines_links(const gb_machines *m) {
  return 2 * (m->count + m->walk.node_count);
}

double gb_machines_bandwidth(const gb_machines *m, uint32_t link) {
  if (link < 2 * m->count) {
    return m->p->cluster[m->p->host[m->host[0]].cluster].bandwidth;
  }
  uint32_t node = link / 2 - m->count, sw = m->walk.sw[node], nearer = m->walk.sw[m->walk.from[node]];
  /* The cable belongs to the lower of the two, wherever the walk came from. */
  return m->p->sw[sw != GB_NONE && m->p->sw[sw].uplink == nearer ? sw : nearer].bandwidth;
}

uint32_t gb_machines_path(const gb_machines *m, uint32_t from, uint32_t to, uint32_t *link) {
  uint32_t a = m->node[from], b = m->node[to], count = 0;
  link[count++] = 2 * from;
  while (a != b) { /* the larger number is not on the way to the other */
    if (a > b) {
      link[count++] = 2 * (m->count + a);
      a = m->walk.from[a];
    } else {
      link[count++] = 2 * (m->count + b) + 1;
      b = m->walk.from[b];
    }
  }
  link[count++] = 2 * to + 1;
  return count;
}
