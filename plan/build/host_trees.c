/* The trees inside the sites: a LAN tree over hosts, and below it a tree over each host's ranks.
 *
 * With several lanes the message is cut into equal shares, and each lane has a leader of its own in every
 * site. The leaders are as far apart as the site's hosts allow (but see leader_of), and each lane's tree
 * takes the hosts in order, starting with its leader:
 *
 *   hosts   0 1 2 3 4 5      lane 0   0 -> 1 -> 2 -> 3 -> 4 -> 5
 *   leaders 0     3          lane 1   3 -> 4 -> 5 -> 0 -> 1 -> 2
 *
 * So a host that is an inner node in one tree is a leaf in another, and each sends about one message's worth.
 * The root leads no lane: it sends each lane's leader its share once, and is left out of the trees.
 *
 *   root r          r -> 0 -> 1 ...      lane 0, with what goes to the other sites
 *   leaders 0 3     r -> 3 -> 4 ...      lane 1 */
#include "plan/build/host_trees.h"
#include "intra/intra.h"
#include <stdlib.h>

/* Over several switches an algorithm takes about as long for a host as so many simulated sends. */
#define WORK_A_HOST 8u

/* The position of a rank on its host, with the rank that the message reaches first, `primary`, moved to the
 * front. */
static uint32_t rotate(uint32_t position, uint32_t primary) {
  return position == 0 ? primary : position <= primary ? position - 1 : position;
}

/* The site's hosts, the leader's first, and the range of each host's ranks. */
typedef struct gb_hosts {
  uint32_t count, primary; /* primary: position of the leader on its host */
  uint32_t *host, *first, *ranks;
  bool *sends; /* whether the host sends over the LAN in the present tree */
} gb_hosts;

static int list_hosts(const gbcast_plan *plan, const gb_site *site, gb_hosts *hosts, gbcast_error *err) {
  size_t bytes = ((size_t)site->hosts + 1) * sizeof(uint32_t);
  *hosts = (gb_hosts){.count = site->hosts,
                      .primary = plan->schedule.endpoint[site->leader].k,
                      .host = calloc(1, bytes),
                      .first = calloc(1, bytes),
                      .ranks = calloc(1, bytes),
                      .sends = malloc(site->hosts * sizeof *hosts->sends)};
  if (!hosts->host || !hosts->first || !hosts->ranks || !hosts->sends)
    return gb_no_memory(err);
  uint32_t leader_host = plan->schedule.endpoint[site->leader].host, next = 1, at = 0;
  for (uint32_t i = 0; i < site->endpoint_count; i++) {
    gb_endpoint e = plan->schedule.endpoint[site->first_endpoint + i];
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

/* The position in the site of a host's rank, counted from the rank that the message reaches first: the leader
 * on its host, rank 0 elsewhere. */
static uint32_t position(const gb_hosts *hosts, uint32_t h, uint32_t rank) {
  return hosts->first[h] + rotate(rank, h == 0 ? hosts->primary : 0);
}

/* Fills parent (ranks of the site) from over, the parents of the hosts in one LAN tree. */
static void hang_ranks(const gb_hosts *hosts, const uint32_t *over, size_t node, uint32_t *parent) {
  for (uint32_t h = 0; h < hosts->count; h++)
    hosts->sends[h] = false;
  for (uint32_t h = 0; h < hosts->count; h++)
    if (over[h] != GB_NONE)
      hosts->sends[over[h]] = true;
  for (uint32_t h = 0; h < hosts->count; h++) {
    uint32_t up = over[h];
    parent[position(hosts, h, 0)] =
        up == GB_NONE ? GB_NONE : position(hosts, up, gb_node_sender(node, hosts->ranks[up]));
    for (uint32_t i = 1; i < hosts->ranks[h]; i++)
      parent[position(hosts, h, i)] = position(hosts, h, gb_node_parent(node, hosts->sends[h], i));
  }
}

/* The hosts of one lane of a site, as positions in gb_hosts. */
typedef struct gb_lane {
  uint32_t first, count; /* the hosts of its trees: `count` positions from `first` on */
  uint32_t lanes, number;
  uint32_t number_in_others; /* the number of the site among those other than the root's */
  bool at_root;
} gb_lane;

uint32_t gb_lane_hosts(const gbcast_plan *plan, uint32_t site, uint32_t lanes) {
  const uint32_t hosts = plan->site[site].hosts;
  return lanes > 1 && site == plan->root_site && hosts > 1 ? hosts - 1 : hosts;
}

static gb_lane lane_of(const gbcast_plan *plan, uint32_t site, uint32_t number, uint32_t lanes) {
  const uint32_t count = gb_lane_hosts(plan, site, lanes);
  return (gb_lane){.first = plan->site[site].hosts - count,
                   .count = count,
                   .lanes = lanes,
                   .number = number,
                   .number_in_others = site < plan->root_site || site == 0 ? site : site - 1,
                   .at_root = site == plan->root_site};
}

/* The position of the leader of a lane. If hosts lead several lanes each, every site numbers them
 * differently, so that few lanes have the same leaders in both of two sites; each such pair has one stream.
 *
 *   root's site   0 0 0 1 1 1 2 2 2
 *   others        0 1 2 3 0 1 2 3 0      0 1 2 3 1 2 3 0 2    0 1 2 3 2 3 0 1 0 */
static uint32_t leader_of(const gb_lane *lane, uint32_t number) {
  if (lane->at_root || lane->lanes <= lane->count)
    return lane->first + (uint32_t)((uint64_t)number * lane->count / lane->lanes);
  return (number + lane->number_in_others * (number / lane->count)) % lane->count;
}

/* Makes all trees of an algorithm for one lane, one after the other, into parent (by position). It takes the
 * hosts in order, cyclically, the leader first. */
static int build_lane(gb_planner *pl, size_t intra, const gb_hosts *hosts, const gb_lane *lane,
                      uint32_t *parent, gbcast_error *err) {
  const uint32_t trees = gb_intra_trees(intra), head = leader_of(lane, lane->number) - lane->first;
  uint32_t *list = calloc(lane->count, sizeof *list), *host = malloc(lane->count * sizeof *host);
  uint32_t *made = malloc((size_t)trees * lane->count * sizeof *made);
  int status = list && host && made ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t i = 0; status == GBCAST_OK && i < lane->count; i++) {
    list[i] = lane->first + (head + i) % lane->count;
    host[i] = hosts->host[list[i]];
  }
  gb_intra_job job = {.p = pl->net.p, .host = host, .count = lane->count, .bytes = pl->plan->class_bytes};
  if (status == GBCAST_OK)
    status = gb_intra_table[intra].build(&job, made, err);
  for (uint32_t t = 0; status == GBCAST_OK && t < trees; t++, parent += hosts->count) {
    const uint32_t *its = made + (size_t)t * lane->count;
    parent[0] = GB_NONE;
    for (uint32_t i = 0; i < lane->count; i++) /* the root leads no lane, but sends each leader its share */
      parent[list[i]] = its[i] != GB_NONE ? list[its[i]] : lane->first > 0 ? 0 : GB_NONE;
  }
  free(list);
  free(host);
  free(made);
  return status;
}

/* Sets *over to all LAN trees of an algorithm, lane after lane, tree after tree, and keeps them. */
static int lan_trees(gb_planner *pl, uint32_t site, size_t intra, const gb_hosts *hosts, uint32_t lanes,
                     const uint32_t **over, gbcast_error *err) {
  gb_host_trees *kept = &pl->host_tree[(size_t)site * gb_intra_count + intra];
  *over = kept->parent;
  if (kept->lanes == lanes)
    return GBCAST_OK;
  const size_t each = (size_t)gb_intra_trees(intra) * hosts->count;
  free(kept->parent);
  *kept = (gb_host_trees){.parent = malloc(lanes * each * sizeof *kept->parent)};
  int status = kept->parent ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t k = 0; status == GBCAST_OK && k < lanes; k++) {
    const gb_lane lane = lane_of(pl->plan, site, k, lanes);
    status = build_lane(pl, intra, hosts, &lane, kept->parent + k * each, err);
  }
  if (pl->net.p->cluster[pl->plan->site[site].cluster].switch_count > 1)
    pl->work += (uint64_t)WORK_A_HOST * lanes * each;
  if (status == GBCAST_OK)
    kept->lanes = lanes;
  *over = kept->parent;
  return status;
}

int gb_host_tree(gb_planner *pl, uint32_t site, gb_host_choice choice, uint32_t tree, uint32_t lanes,
                 uint32_t *parent, uint32_t *leader, gbcast_error *err) {
  gb_hosts hosts;
  const uint32_t trees = gb_intra_trees(choice.intra), lane = tree % lanes;
  const uint32_t *over = NULL;
  int status = list_hosts(pl->plan, &pl->plan->site[site], &hosts, err);
  if (status == GBCAST_OK)
    status = lan_trees(pl, site, choice.intra, &hosts, lanes, &over, err);
  if (status == GBCAST_OK) {
    over += ((size_t)lane * trees + tree / lanes % trees) * hosts.count;
    hang_ranks(&hosts, over, choice.node, parent);
    const gb_lane its = lane_of(pl->plan, site, lane, lanes);
    *leader = position(&hosts, leader_of(&its, lane), 0);
  }
  free_hosts(&hosts);
  return status;
}

int gb_host_trees_join(gb_planner *pl, const gb_host_choice *choice, uint32_t tree, uint32_t lanes,
                       uint32_t *parent, uint32_t *leader, gbcast_error *err) {
  for (uint32_t s = 0; s < pl->plan->site_count; s++) {
    const gb_site *site = &pl->plan->site[s];
    uint32_t *inside = parent + site->first_endpoint;
    int status = gb_host_tree(pl, s, choice[s], tree, lanes, inside, &leader[s], err);
    if (status != GBCAST_OK)
      return status;
    leader[s] += site->first_endpoint;
    for (uint32_t i = 0; i < site->endpoint_count; i++)
      inside[i] = inside[i] == GB_NONE ? GB_NONE : site->first_endpoint + inside[i];
  }
  return GBCAST_OK;
}

uint32_t gb_host_trees_most(const gbcast_plan *plan, const gb_host_choice *choice) {
  uint32_t most = 1;
  for (uint32_t s = 0; s < plan->site_count; s++)
    most = gb_intra_trees(choice[s].intra) > most ? gb_intra_trees(choice[s].intra) : most;
  return most;
}
