/* Least-latency paths from one site to all over the direct links: Dijkstra's algorithm with a binary heap
 * that knows where each site is, O(E log V). Ties: fewer links, then the site before it that the file
 * mentions first. */
#include "platform/cost/cost.h"

#include <math.h>
#include <stdlib.h>

/* The key is (latency, links, site). All the sites that could come before a site with its least key leave the
 * heap before it does, since the number of links grows along a path; so one pass settles the ties too. */
typedef struct site_heap {
  double *distance;
  uint32_t *links, *site, *place; /* place[c]: 0 until c is first met, else 1 + its index in `site` */
  uint32_t count;
} site_heap;

static bool nearer(const site_heap *h, uint32_t a, uint32_t b) {
  if (h->distance[a] < h->distance[b] || h->distance[b] < h->distance[a]) {
    return h->distance[a] < h->distance[b];
  }
  return h->links[a] != h->links[b] ? h->links[a] < h->links[b] : a < b;
}

static void put(site_heap *h, uint32_t at, uint32_t site) {
  h->site[at] = site;
  h->place[site] = at + 1;
}

static void raise_site(site_heap *h, uint32_t site) {
  uint32_t at = h->place[site] != 0 ? h->place[site] - 1 : h->count++;
  for (; at > 0 && nearer(h, site, h->site[(at - 1) / 2]); at = (at - 1) / 2) {
    put(h, at, h->site[(at - 1) / 2]);
  }
  put(h, at, site);
}

static uint32_t take_nearest(site_heap *h) {
  uint32_t nearest = h->site[0], last = h->site[--h->count], at = 0;
  for (uint32_t child = 1; child < h->count; child = 2 * at + 1) {
    child += child + 1 < h->count && nearer(h, h->site[child + 1], h->site[child]);
    if (!nearer(h, h->site[child], last)) {
      break;
    }
    put(h, at, h->site[child]);
    at = child;
  }
  put(h, at, last);
  return nearest;
}

static void relax(site_heap *h, const gb_link *link, uint32_t *prev) {
  uint32_t from = link->from, to = link->to, links = h->links[from] + 1;
  double distance = h->distance[from] + link->latency;
  bool longer = distance > h->distance[to], shorter = distance < h->distance[to];
  if (shorter || (!longer && links < h->links[to])) {
    h->distance[to] = distance;
    h->links[to] = links;
    prev[to] = from;
    raise_site(h, to);
  } else if (!longer && links == h->links[to] && from < prev[to]) {
    prev[to] = from;
  }
}

static void assumed_row(const gbcast_platform *p, uint32_t site, uint32_t *prev, double *distance) {
  for (uint32_t c = 0; c < p->cluster_count; c++) {
    prev[c] = c == site ? GB_NONE : site;
    if (distance != NULL) {
      distance[c] = c == site ? 0 : p->assumed.latency;
    }
  }
}

int gb_route_row(const gbcast_platform *p, uint32_t site, uint32_t *prev, double *distance,
                 gbcast_error *err) {
  if (p->assumed_mesh) {
    assumed_row(p, site, prev, distance);
    return GBCAST_OK;
  }
  size_t n = p->cluster_count;
  double *own_distance = distance == NULL ? malloc(n * sizeof *own_distance) : NULL;
  uint32_t *words = calloc(3 * n, sizeof *words);
  if (words == NULL || (distance == NULL && own_distance == NULL)) {
    free(words);
    free(own_distance);
    return gb_fail(err, GBCAST_EMEMORY, "out of memory for paths between %zu sites", n);
  }
  site_heap h = {.distance = distance != NULL ? distance : own_distance,
                 .links = words,
                 .site = words + n,
                 .place = words + 2 * n};
  for (size_t c = 0; c < n; c++) {
    prev[c] = GB_NONE;
    h.distance[c] = INFINITY;
  }
  h.distance[site] = 0;
  raise_site(&h, site);
  while (h.count > 0) {
    uint32_t from = take_nearest(&h);
    for (uint32_t i = p->link_start[from]; i < p->link_start[from + 1]; i++) {
      relax(&h, &p->link[i], prev);
    }
  }
  free(words);
  free(own_distance);
  return GBCAST_OK;
}
