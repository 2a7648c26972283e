/* A plan read back, by its sites: who feeds them, and when they are done. */
#include "plan/show/diff.h"

#include <stdlib.h>
#include <string.h>

static uint32_t number_of(gb_diff_side *side, const char *host) {
  bool is_new;
  return gb_names_add(&side->hosts, &side->arena, host, strlen(host), &is_new);
}

/* All hosts of the plan. */
static int number_hosts(gb_diff_side *side, gbcast_error *err) {
  const gb_saved *s = side->saved;
  bool ok = number_of(side, s->root.host) != GB_NONE;
  for (uint32_t c = 0; c < s->cluster_count; c++)
    for (uint32_t i = 0; i < s->cluster[c].leader_count; i++)
      ok = ok && number_of(side, s->cluster[c].leader[i].host) != GB_NONE;
  for (uint32_t t = 0; t < s->tree_count; t++)
    for (uint32_t i = 0; i < s->tree[t].edge_count; i++)
      ok = ok && number_of(side, s->tree[t].edge[i].from.host) != GB_NONE &&
           number_of(side, s->tree[t].edge[i].to.host) != GB_NONE;
  return ok ? GBCAST_OK : gb_no_memory(err);
}

static uint32_t *cluster_at(const gb_diff_side *side, const char *host) {
  return &side->cluster[gb_names_find(&side->hosts, host, strlen(host))];
}

/* Both ends of an edge that is not of the WAN are in one cluster. */
static bool spread(const gb_diff_side *side) {
  bool more = false;
  for (uint32_t t = 0; t < side->saved->tree_count; t++)
    for (uint32_t i = 0; i < side->saved->tree[t].edge_count; i++) {
      const gb_saved_edge *e = &side->saved->tree[t].edge[i];
      uint32_t *from = cluster_at(side, e->from.host), *to = cluster_at(side, e->to.host);
      if (e->level == GB_LEVEL_WAN || (*from == GB_NONE) == (*to == GB_NONE))
        continue;
      *(*from == GB_NONE ? from : to) = *from == GB_NONE ? *to : *from;
      more = true;
    }
  return more;
}

/* The file names the clusters of leaders; edges give those of others, and the hosts file the rest. */
static void find_clusters(gb_diff_side *side, const gbcast_platform *p) {
  const gb_saved *s = side->saved;
  for (uint32_t h = 0; h < side->hosts.count; h++)
    side->cluster[h] = GB_NONE;
  for (uint32_t c = 0; c < s->cluster_count; c++)
    for (uint32_t i = 0; i < s->cluster[c].leader_count; i++)
      *cluster_at(side, s->cluster[c].leader[i].host) = c;
  while (spread(side))
    ;
  for (uint32_t h = 0; h < side->hosts.count; h++) {
    const uint32_t host =
        side->cluster[h] == GB_NONE ? gb_platform_find_host(p, side->hosts.key[h].text) : GB_NONE;
    if (host != GB_NONE)
      side->cluster[h] = gb_diff_find(side, p->cluster[p->host[host].cluster].name);
  }
}

static uint64_t hash_of(uint64_t h, const gb_saved_end *end) {
  for (const char *c = end->host; *c != '\0'; c++)
    h = (h ^ (unsigned char)*c) * 1099511628211u;
  return (h ^ (end->k + 256)) * 1099511628211u;
}

static void look_at_edges(gb_diff_side *side, uint32_t t) {
  const gb_saved *s = side->saved;
  for (uint32_t i = 0; i < s->tree[t].edge_count; i++) {
    const gb_saved_edge *e = &s->tree[t].edge[i];
    const uint32_t from = *cluster_at(side, e->from.host), to = *cluster_at(side, e->to.host);
    if (from == GB_NONE || to == GB_NONE)
      continue;
    gb_diff_site *site = &side->site[to];
    if (e->arrival > site->done)
      site->done = e->arrival;
    if (from == to)
      site->inside += hash_of(hash_of(t, &e->from), &e->to);
    else
      side->feeds[(size_t)from * s->cluster_count + to] = true;
    if (from != to && site->order == 0)
      site->order = e->order;
  }
}

int gb_diff_side_make(const gb_saved *saved, const gbcast_platform *p, gb_diff_side *out, gbcast_error *err) {
  const size_t n = saved->cluster_count;
  *out =
      (gb_diff_side){.saved = saved, .site = calloc(n + 1, sizeof *out->site), .feeds = calloc(n * n + 1, 1)};
  int status = out->site != NULL && out->feeds != NULL ? number_hosts(out, err) : gb_no_memory(err);
  if (status == GBCAST_OK)
    out->cluster = malloc(((size_t)out->hosts.count + 1) * sizeof *out->cluster);
  if (status == GBCAST_OK && out->cluster == NULL)
    status = gb_no_memory(err);
  if (status != GBCAST_OK) {
    gb_diff_side_free(out);
    return status;
  }
  find_clusters(out, p);
  out->root_site = *cluster_at(out, saved->root.host);
  for (uint32_t t = 0; t < saved->tree_count; t++)
    look_at_edges(out, t);
  return GBCAST_OK;
}

void gb_diff_side_free(gb_diff_side *side) {
  gb_names_release(&side->hosts);
  gb_arena_release(&side->arena);
  free(side->cluster);
  free(side->site);
  free(side->feeds);
  *side = (gb_diff_side){0};
}

uint32_t gb_diff_cluster_of(const gb_diff_side *side, const char *host) {
  return *cluster_at(side, host);
}

uint32_t gb_diff_find(const gb_diff_side *side, const char *cluster) {
  for (uint32_t c = 0; c < side->saved->cluster_count; c++)
    if (strcmp(side->saved->cluster[c].name, cluster) == 0)
      return c;
  return GB_NONE;
}
