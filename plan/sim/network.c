/* Routes between the hosts of a platform. Keeps the rows of paths between clusters. */
#include "plan/sim/sim.h"
#include <stdlib.h>

int gb_network_new(gb_network *net, const gbcast_platform *p, gbcast_error *err) {
  *net = (gb_network){.p = p,
                      .row = calloc(p->cluster_count, sizeof *net->row),
                      .resource = calloc(gb_resource_count(p), sizeof *net->resource)};
  return net->row && net->resource ? GBCAST_OK : gb_no_memory(err);
}

void gb_network_release(gb_network *net) {
  for (uint32_t c = 0; net->row && c < net->p->cluster_count; c++)
    free(net->row[c]);
  free(net->row);
  free(net->resource);
  gb_route_release(&net->route);
}

int gb_network_route(gb_network *net, uint32_t from, uint32_t to, gbcast_error *err) {
  uint32_t a = net->p->host[from].cluster, b = net->p->host[to].cluster;
  if (a != b && !net->row[a] && !gb_platform_link(net->p, a, b)) {
    uint32_t *row = malloc(net->p->cluster_count * sizeof *row);
    if (!row)
      return gb_no_memory(err);
    int status = gb_route_row(net->p, a, row, NULL, err);
    if (status != GBCAST_OK) {
      free(row);
      return status;
    }
    net->row[a] = row;
  }
  return gb_route_between(net->p, from, to, net->row[a], &net->route, err);
}
