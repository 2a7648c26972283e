/* Makes sites of zones. A zone with hosts is one site if the paths between its hosts are alike; otherwise
 * each of its hosts is a site. */
#include "tools/import/simgrid.h"
#include <math.h>
#include <stdlib.h>

/* Latencies or bandwidths inside a site may differ by this factor. If they differ more, plans for the site
 * would be different from plans for the hosts. */
#define ALIKE 2.0

typedef struct gb_simgrid_sites {
  gb_simgrid *x;
  gb_simgrid_routes routes;
  uint32_t *host, *start; /* hosts in the order of their zones; where those of each node begin */
  uint32_t base;          /* the first site of this file */
  uint32_t *first;        /* for each site from there on: its first host, whose paths stand for the site's */
} gb_simgrid_sites;

typedef struct gb_simgrid_range { /* of the paths between hosts of a zone */
  gb_simgrid_path most, least;    /* latency and bandwidth, each by itself */
  bool any;                       /* there is a path */
} gb_simgrid_range;

static int no_time(const gb_simgrid_sites *s, uint32_t zone) {
  return gb_fail_at(s->x->source.err, &s->x->node[zone].where,
                    "found more routes than gbcast-import can follow, expected a smaller platform");
}

static int add_site(gb_simgrid_sites *s, uint32_t named, uint32_t first, uint32_t *site) {
  gb_simgrid *x = s->x;
  const gb_simgrid_node *n = &x->node[named];
  const uint32_t before = x->m->site_count - s->base;
  const int status = gb_import_add_site(x->m, n->name, strlen(n->name), &n->where, site, x->source.err);
  if (status != GBCAST_OK)
    return status;
  uint32_t *list = realloc(s->first, sizeof *list * ((size_t)before + 1));
  if (list == NULL)
    return gb_source_no_memory(&x->source);
  s->first = list;
  list[before] = first;
  return GBCAST_OK;
}

static int add_host(const gb_simgrid_sites *s, uint32_t host, uint32_t site, uint32_t sw) {
  const gb_simgrid_node *n = &s->x->node[host];
  return gb_import_add_host(s->x->m, n->name, strlen(n->name), site, sw, n->slots, &n->where,
                            s->x->source.err);
}

/* Adds the switches of a fat tree, except its top, level by level downwards. *leaves: the first switch of the
 * last level, which has the hosts; GB_NONE: the hosts are on the top. */
static int add_switches(const gb_simgrid_sites *s, uint32_t zone, uint32_t site, uint32_t hosts,
                        double latency, double bandwidth, uint32_t *leaves) {
  const gb_simgrid_node *z = &s->x->node[zone];
  uint32_t above = GB_NONE, count = 1;
  int status = GBCAST_OK;
  for (uint32_t level = z->tree.levels - 1; level > 0 && status == GBCAST_OK; level--) {
    const uint32_t begin = s->x->m->switch_count, each = z->tree.below[level];
    count *= each;
    for (uint32_t i = 0; i < count && count <= hosts && status == GBCAST_OK; i++) {
      char name[2 * GB_MAX_NAME];
      uint32_t sw;
      const int length = snprintf(name, sizeof name, "%.100s-s%u-%u", s->x->m->site[site].name,
                                  (unsigned)level, (unsigned)i);
      status = gb_import_add_switch(s->x->m, name, (size_t)length, site, &z->where, &sw, s->x->source.err);
      if (status != GBCAST_OK)
        break;
      s->x->m->sw[sw].uplink = above == GB_NONE ? GB_NONE : above + i / each;
      s->x->m->sw[sw].latency = latency;
      s->x->m->sw[sw].bandwidth = fmin(bandwidth * z->tree.cables[level], GB_MOST_RATE);
    }
    above = begin;
  }
  *leaves = above;
  return status;
}

static bool is_alike(const gb_simgrid_path *a, const gb_simgrid_path *b) {
  return a->latency == b->latency && a->bandwidth == b->bandwidth;
}

/* Adds the site of a zone whose hosts have up and down links. All get the latency and bandwidth of the
 * slowest. */
static int add_star(gb_simgrid_sites *s, uint32_t zone, const uint32_t *host, uint32_t count) {
  const gb_simgrid_node *node = s->x->node, *z = &node[zone];
  double up = 0, down = 0, bandwidth = INFINITY;
  bool differ = false;
  uint32_t site, leaves = GB_NONE;
  int status = add_site(s, zone, host[0], &site);
  for (uint32_t i = 0; i < count; i++) {
    up = fmax(up, node[host[i]].up.latency);
    down = fmax(down, node[host[i]].down.latency);
    bandwidth = fmin(bandwidth, fmin(node[host[i]].up.bandwidth, node[host[i]].down.bandwidth));
    differ |= !is_alike(&node[host[i]].up, &node[host[0]].up) ||
              !is_alike(&node[host[i]].down, &node[host[0]].down);
  }
  if (status != GBCAST_OK)
    return status;
  if (differ)
    gb_import_remark(s->x->m, &z->where,
                     "hosts of '%.64s' differ: all get the latency and bandwidth of the slowest", z->name);
  gb_import_site *out = &s->x->m->site[site];
  out->latency = z->by_distance ? -1 : up + down + z->backbone.latency;
  out->bandwidth = isfinite(bandwidth) ? bandwidth : -1;
  if (isfinite(z->backbone.bandwidth)) {
    out->wan_bandwidth = z->backbone.bandwidth;
    gb_import_remark(
        s->x->m, &z->where,
        "the backbone of '%.64s' becomes wan-bandwidth=, which limits only traffic with other sites",
        z->name);
  }
  if (z->tree.levels > 0) {
    const double cable = up / z->tree.levels;
    out->latency = 2 * cable;
    status = add_switches(s, zone, site, count, cable, bandwidth, &leaves);
  }
  for (uint32_t i = 0; i < count && status == GBCAST_OK; i++)
    status = add_host(s, host[i], site, leaves == GB_NONE ? GB_NONE : leaves + i / z->tree.below[0]);
  return status;
}

/* Finds the range of the paths between every two of the hosts. */
static gb_simgrid_range measure(gb_simgrid_sites *s, const uint32_t *host, uint32_t count) {
  gb_simgrid_range r = {.most = {.latency = 0, .bandwidth = 0},
                        .least = {.latency = INFINITY, .bandwidth = INFINITY}};
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count && !gb_simgrid_routes_exhausted(&s->routes); k++) {
      gb_simgrid_path p;
      s->routes.steps++;
      if (i == k || !gb_simgrid_find_path(&s->routes, host[i], host[k], &p))
        continue;
      r.any = true;
      r.most.latency = fmax(r.most.latency, p.latency);
      r.most.bandwidth = fmax(r.most.bandwidth, p.bandwidth);
      r.least.latency = fmin(r.least.latency, p.latency);
      r.least.bandwidth = fmin(r.least.bandwidth, p.bandwidth);
    }
  return r;
}

/* Adds the site or sites of a zone whose hosts are joined by routes. */
static int add_zone(gb_simgrid_sites *s, uint32_t zone, const uint32_t *host, uint32_t count) {
  const gb_simgrid_node *z = &s->x->node[zone];
  const gb_simgrid_range r = measure(s, host, count);
  const bool alike =
      !r.any || (r.most.latency <= ALIKE * r.least.latency && r.most.bandwidth <= ALIKE * r.least.bandwidth);
  uint32_t site = 0;
  int status = gb_simgrid_routes_exhausted(&s->routes) ? no_time(s, zone)
               : alike                                 ? add_site(s, zone, host[0], &site)
                                                       : GBCAST_OK;
  if (status == GBCAST_OK && !alike)
    gb_import_remark(s->x->m, &z->where,
                     "routes between the hosts of '%.64s' differ too much: each host becomes a site",
                     z->name);
  for (uint32_t i = 0; i < count && status == GBCAST_OK; i++) {
    if (!alike)
      status = add_site(s, host[i], host[i], &site);
    if (status == GBCAST_OK)
      status = add_host(s, host[i], site, GB_NONE);
  }
  if (status == GBCAST_OK && alike && r.any) {
    s->x->m->site[site].latency = r.most.latency;
    s->x->m->site[site].bandwidth = r.least.bandwidth;
  }
  return status;
}

/* Adds a link between every two sites: the path between their first hosts. */
static int add_links(gb_simgrid_sites *s) {
  gb_import *m = s->x->m;
  int status = GBCAST_OK;
  for (uint32_t a = s->base; a < m->site_count && status == GBCAST_OK; a++)
    for (uint32_t b = a + 1; b < m->site_count && status == GBCAST_OK; b++) {
      const uint32_t from = s->first[a - s->base], to = s->first[b - s->base];
      gb_simgrid_path there, back;
      const bool forth = gb_simgrid_find_path(&s->routes, from, to, &there),
                 returns = gb_simgrid_find_path(&s->routes, to, from, &back);
      const bool both = forth && returns && fabs(there.latency - back.latency) <= 1e-9 * there.latency &&
                        there.bandwidth == back.bandwidth;
      gb_import_link link = {a, b, both, there.latency, there.bandwidth, s->x->node[from].where};
      if (forth)
        status = gb_import_add_link(m, &link, s->x->source.err);
      link = (gb_import_link){b, a, false, back.latency, back.bandwidth, s->x->node[to].where};
      if (returns && !both && status == GBCAST_OK)
        status = gb_import_add_link(m, &link, s->x->source.err);
      if (status == GBCAST_OK && gb_simgrid_routes_exhausted(&s->routes))
        status = no_time(s, from);
    }
  return status;
}

/* Sets the bandwidth of sites for whose hosts the platform has no links: that of the fastest path to another
 * site. */
static int add_bandwidths(const gb_simgrid_sites *s, uint32_t first_link) {
  gb_import *m = s->x->m;
  double *fastest = calloc((size_t)m->site_count + 1, sizeof *fastest);
  if (fastest == NULL)
    return gb_source_no_memory(&s->x->source);
  for (uint32_t i = first_link; i < m->link_count; i++) {
    const gb_import_link *l = &m->link[i];
    fastest[l->from] = fmax(fastest[l->from], l->bandwidth);
    fastest[l->to] = fmax(fastest[l->to], l->bandwidth);
  }
  for (uint32_t i = s->base; i < m->site_count; i++)
    if (m->site[i].bandwidth < 0 && fastest[i] > 0)
      m->site[i].bandwidth = fastest[i];
  free(fastest);
  return GBCAST_OK;
}

/* Sorts the hosts by zone: sets s->host and s->start. */
static void sort_hosts(gb_simgrid_sites *s) {
  const gb_simgrid *x = s->x;
  for (uint32_t n = 0; n < x->node_count; n++)
    if (x->node[n].kind == GB_SIMGRID_HOST)
      s->start[x->node[n].parent + 2]++;
  for (uint32_t n = 0; n < x->node_count; n++)
    s->start[n + 1] += s->start[n];
  for (uint32_t n = 0; n < x->node_count; n++)
    if (x->node[n].kind == GB_SIMGRID_HOST)
      s->host[s->start[x->node[n].parent + 1]++] = n;
}

static int make_sites(gb_simgrid_sites *s) {
  gb_simgrid *x = s->x;
  const uint32_t first_link = x->m->link_count;
  int status = GBCAST_OK;
  for (uint32_t z = 0; z < x->node_count && status == GBCAST_OK; z++) {
    const uint32_t *host = s->host + s->start[z], count = s->start[z + 1] - s->start[z];
    if (count > 0)
      status =
          x->node[z].routing == GB_SIMGRID_STAR ? add_star(s, z, host, count) : add_zone(s, z, host, count);
  }
  if (status == GBCAST_OK)
    status = add_links(s);
  return status == GBCAST_OK ? add_bandwidths(s, first_link) : status;
}

int gb_simgrid_make_sites(gb_simgrid *x) {
  uint32_t *room = calloc(2 * (size_t)x->node_count + 2, sizeof *room);
  if (room == NULL)
    return gb_source_no_memory(&x->source);
  gb_simgrid_sites s = {.x = x, .base = x->m->site_count, .host = room, .start = room + x->node_count};
  int status = gb_simgrid_routes_begin(&s.routes, x);
  if (status == GBCAST_OK) {
    sort_hosts(&s);
    status = make_sites(&s);
  }
  free(s.first);
  free(room);
  gb_simgrid_routes_end(&s.routes);
  return status;
}
