/* The switches as a tree that hangs from the switch of host[0]. Its way to the core is turned round, all
 * other cables point to the core as in the file. A node comes after all beyond it: leaves are taken off the
 * tree until nothing is left. O(hosts + switches) */
#include "intra/two_tree.h"

#include <stdlib.h>

/* A stretch of the file, *low up to but not including *high, with all switches of the cluster. Its lines are
 * mostly neighbours, so it grows from one that is known. */
static void find_stretch(const gbcast_platform *p, uint32_t known, uint32_t *low, uint32_t *high) {
  uint32_t cluster = p->sw[known].cluster, missing = p->cluster[cluster].switch_count - 1;
  *low = known;
  *high = known + 1;
  while (missing > 0 && (*high < p->switch_count || *low > 0)) {
    if (*high < p->switch_count && p->sw[(*high)++].cluster == cluster) {
      missing--;
    }
    if (*low > 0 && p->sw[--*low].cluster == cluster) {
      missing--;
    }
  }
}

/* Cables as seen from host[0]; what is of other clusters keeps `toward` GB_NONE and waits for ever. */
static void point_cables(const gbcast_platform *p, gb_two_tree_nodes *nodes, uint32_t low, uint32_t cluster,
                         uint32_t start, uint32_t *waits) {
  uint32_t core = nodes->count - 1;
  for (uint32_t v = 0; v < nodes->count; v++) {
    nodes->toward[v] = nodes->first[v] = nodes->beyond[v] = nodes->aside[v] = GB_NONE;
  }
  for (uint32_t v = 0; v < core; v++) {
    const gb_switch *sw = &p->sw[low + v];
    if (sw->cluster == cluster) {
      nodes->toward[v] = sw->uplink == GB_NONE ? core : sw->uplink - low;
    }
  }
  uint32_t came_from = GB_NONE;
  for (uint32_t v = start; v != GB_NONE;) {
    uint32_t up = nodes->toward[v];
    nodes->toward[v] = came_from;
    came_from = v;
    v = up;
  }
  for (uint32_t v = 0; v < nodes->count; v++) {
    if (nodes->toward[v] != GB_NONE) {
      waits[nodes->toward[v]]++;
    }
  }
}

static void put_in_order(gb_two_tree_nodes *nodes, uint32_t start, uint32_t *waits) {
  nodes->visited = 0;
  for (uint32_t v = 0; v < nodes->count; v++) {
    if (waits[v] == 0 && (nodes->toward[v] != GB_NONE || v == start)) {
      nodes->order[nodes->visited++] = v;
    }
  }
  for (uint32_t i = 0; i < nodes->visited; i++) {
    uint32_t next = nodes->toward[nodes->order[i]];
    if (next != GB_NONE && --waits[next] == 0) {
      nodes->order[nodes->visited++] = next;
    }
  }
}

int gb_two_tree_find_nodes(const gbcast_platform *p, const uint32_t *host, uint32_t count,
                           gb_two_tree_nodes *nodes, gbcast_error *err) {
  uint32_t known = GB_NONE, low = 0, high = 0; /* a switch with a host on it */
  for (uint32_t i = 0; i < count && known == GB_NONE; i++) {
    known = p->host[host[i]].sw;
  }
  if (known != GB_NONE) {
    find_stretch(p, known, &low, &high);
  }
  *nodes = (gb_two_tree_nodes){.count = high - low + 1};
  size_t each = nodes->count;
  uint32_t *words = calloc(6 * each + count, sizeof *words);
  if (words == NULL) {
    return gb_fail(err, GBCAST_EMEMORY, "out of memory for the switches of cluster '%s'",
                   p->cluster[p->host[host[0]].cluster].name);
  }
  nodes->toward = words;
  nodes->order = words + each;
  nodes->first = words + 2 * each;
  nodes->beyond = words + 3 * each;
  nodes->aside = words + 4 * each;
  uint32_t *waits = words + 5 * each;
  nodes->next = words + 6 * each;
  uint32_t core = nodes->count - 1, sw = p->host[host[0]].sw, start = sw == GB_NONE ? core : sw - low;
  point_cables(p, nodes, low, p->host[host[0]].cluster, start, waits);
  put_in_order(nodes, start, waits);
  for (uint32_t i = count; i-- > 1;) {
    sw = p->host[host[i]].sw;
    uint32_t v = sw == GB_NONE ? core : sw - low;
    nodes->next[i] = nodes->first[v];
    nodes->first[v] = i;
  }
  return GBCAST_OK;
}

void gb_two_tree_free_nodes(gb_two_tree_nodes *nodes) {
  free(nodes->toward);
  *nodes = (gb_two_tree_nodes){0};
}
