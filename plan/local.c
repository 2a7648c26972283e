/* Inside the sites: the LAN tree over hosts, and below it a tree over each host's ranks. */
#include "plan/local.h"
#include "plan/node.h"
#include <stdlib.h>

/* Positions of a host's ranks with the one first that the message reaches first. */
static uint32_t rotate(uint32_t position, uint32_t primary) {
  return position == 0 ? primary : position <= primary ? position - 1 : position;
}

/* The site's hosts, leader's first, and for each the run of its ranks. */
typedef struct gb_hosts {
  uint32_t count, primary; /* primary: position of the leader on its host */
  uint32_t *host, *first, *ranks;
  bool *sends; /* over the LAN, in the tree at hand */
} gb_hosts;

static int list_hosts(const gbcast_plan *plan, const gb_site *site, gb_hosts *hosts, gbcast_error *err) {
  size_t bytes = ((size_t)site->hosts + 1) * sizeof(uint32_t);
  *hosts = (gb_hosts){.count = site->hosts,
                      .primary = plan->endpoint[site->leader].k,
                      .host = malloc(bytes),
                      .first = calloc(1, bytes),
                      .ranks = calloc(1, bytes),
                      .sends = malloc(site->hosts * sizeof *hosts->sends)};
  if (!hosts->host || !hosts->first || !hosts->ranks || !hosts->sends)
    return gb_no_memory(err);
  uint32_t leader_host = plan->endpoint[site->leader].host, next = 1, at = 0;
  for (uint32_t i = 0; i < site->endpoint_count; i++) {
    gb_endpoint e = plan->endpoint[site->first_endpoint + i];
    if (e.k == 0) {
      at = e.host == leader_host ? 0 : next++;
      hosts->host[at] = e.host;
      hosts->first[at] = i;
    }
    hosts->ranks[at]++;
  }
  return GBCAST_OK;
}

static void free_hosts(gb_hosts *hosts) {
  free(hosts->host);
  free(hosts->first);
  free(hosts->ranks);
  free(hosts->sends);
}

/* Position in the site of a host's rank, counted from the one that the message reaches first: the leader on
 * its host, elsewhere rank 0. */
static uint32_t place(const gb_hosts *hosts, uint32_t h, uint32_t rank) {
  return hosts->first[h] + rotate(rank, h == 0 ? hosts->primary : 0);
}

/* over: parents of the hosts in one LAN tree; parent: those of all ranks. */
static void hang_ranks(const gb_hosts *hosts, const uint32_t *over, size_t node, uint32_t *parent) {
  for (uint32_t h = 0; h < hosts->count; h++)
    hosts->sends[h] = false;
  for (uint32_t h = 0; h < hosts->count; h++)
    if (over[h] != GB_NONE)
      hosts->sends[over[h]] = true;
  for (uint32_t h = 0; h < hosts->count; h++) {
    uint32_t up = over[h];
    parent[place(hosts, h, 0)] =
        up == GB_NONE ? GB_NONE : place(hosts, up, gb_node_sender(node, hosts->ranks[up]));
    for (uint32_t i = 1; i < hosts->ranks[h]; i++)
      parent[place(hosts, h, i)] = place(hosts, h, gb_node_parent(node, hosts->sends[h], i));
  }
}

/* All LAN trees of an algorithm, one after the other; kept. */
static int lan_trees(gb_planner *pl, uint32_t site, size_t intra, const gb_hosts *hosts,
                     const uint32_t **over, gbcast_error *err) {
  uint32_t **slot = &pl->lan_tree[(size_t)site * gb_intra_count + intra];
  if (!*slot) {
    uint32_t *made = malloc((size_t)gb_intra_trees(intra) * hosts->count * sizeof *made);
    gb_intra_job job = {
        .p = pl->p, .host = hosts->host, .count = hosts->count, .bytes = pl->plan->class_bytes};
    int status = made ? gb_intra_table[intra].build(&job, made, err) : gb_no_memory(err);
    if (status != GBCAST_OK) {
      free(made);
      return status;
    }
    *slot = made;
  }
  *over = *slot;
  return GBCAST_OK;
}

int gb_local_tree(gb_planner *pl, uint32_t site, gb_local local, uint32_t tree, uint32_t *parent,
                  gbcast_error *err) {
  gb_hosts hosts;
  const uint32_t *over = NULL;
  int status = list_hosts(pl->plan, &pl->plan->site[site], &hosts, err);
  if (status == GBCAST_OK)
    status = lan_trees(pl, site, local.intra, &hosts, &over, err);
  if (status == GBCAST_OK)
    hang_ranks(&hosts, over + (size_t)(tree % gb_intra_trees(local.intra)) * hosts.count, local.node, parent);
  free_hosts(&hosts);
  return status;
}

int gb_local_join(gb_planner *pl, const gb_local *local, uint32_t tree, uint32_t *parent, gbcast_error *err) {
  for (uint32_t s = 0; s < pl->plan->site_count; s++) {
    const gb_site *site = &pl->plan->site[s];
    uint32_t *inside = parent + site->first_endpoint;
    int status = gb_local_tree(pl, s, local[s], tree, inside, err);
    if (status != GBCAST_OK)
      return status;
    for (uint32_t i = 0; i < site->endpoint_count; i++)
      inside[i] = inside[i] == GB_NONE ? GB_NONE : site->first_endpoint + inside[i];
  }
  return GBCAST_OK;
}

uint32_t gb_local_most_trees(const gbcast_plan *plan, const gb_local *local) {
  uint32_t most = 1;
  for (uint32_t s = 0; s < plan->site_count; s++)
    most = gb_intra_trees(local[s].intra) > most ? gb_intra_trees(local[s].intra) : most;
  return most;
}
