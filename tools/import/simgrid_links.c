/* The links of a platform, and the routes over them. */
#include "tools/import/simgrid.h"
#include <math.h>
#include <strings.h>

void gb_simgrid_link(gb_simgrid *x, const char **attributes) {
  const char *name = gb_simgrid_attribute(x, attributes, "id", NULL);
  const gb_simgrid_path path = gb_simgrid_read_link(x, attributes, "bandwidth", "latency");
  bool is_new = false;
  if (x->status != GBCAST_OK)
    return;
  if (*gb_simgrid_attribute(x, attributes, "bandwidth_file", "") != '\0' ||
      *gb_simgrid_attribute(x, attributes, "latency_file", "") != '\0') {
    const gb_place where = gb_simgrid_place(x);
    gb_import_remark(x->m, &where, "changes of link '%.64s' with time are left out", name);
  }
  gb_simgrid_path *list = gb_grow(x->link, x->link_count, &x->link_capacity, sizeof *list);
  if (list != NULL)
    x->link = list;
  if (list == NULL || gb_names_add(&x->links, &x->m->arena, name, strlen(name), &is_new) == GB_NONE)
    gb_simgrid_fail(x, gb_source_no_memory(&x->source));
  else if (!is_new)
    gb_simgrid_wrong(x, name, "each link declared once");
  else
    list[x->link_count++] = path;
}

/* Finds a link by its name. A link with separate directions is also called NAME_UP and NAME_DOWN. */
static const gb_simgrid_path *find_link(gb_simgrid *x, const char *name) {
  static const char *const ends[] = {"", "_UP", "_DOWN"};
  const size_t length = strlen(name);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    const size_t end = strlen(ends[i]);
    const uint32_t number = length >= end && strcmp(name + length - end, ends[i]) == 0
                                ? gb_names_find(&x->links, name, length - end)
                                : GB_NONE;
    if (number != GB_NONE)
      return &x->link[number];
  }
  gb_simgrid_wrong(x, name, "a link that is declared above");
  return NULL;
}

static uint32_t find_node(gb_simgrid *x, const char *name) {
  const uint32_t number = x->status == GBCAST_OK ? gb_names_find(&x->nodes, name, strlen(name)) : GB_NONE;
  if (number == GB_NONE)
    gb_simgrid_wrong(x, name, "a host, router, cluster or zone that is declared above");
  return number;
}

void gb_simgrid_host_link(gb_simgrid *x, const char **attributes) {
  const uint32_t host = find_node(x, gb_simgrid_attribute(x, attributes, "id", NULL));
  const gb_simgrid_path *up = find_link(x, gb_simgrid_attribute(x, attributes, "up", NULL)),
                        *down = find_link(x, gb_simgrid_attribute(x, attributes, "down", NULL));
  if (host == GB_NONE || up == NULL || down == NULL)
    return;
  x->node[host].up = *up;
  x->node[host].down = *down;
}

void gb_simgrid_backbone(gb_simgrid *x, const char **attributes) {
  const gb_simgrid_path path = gb_simgrid_read_link(x, attributes, "bandwidth", "latency");
  if (x->zone == GB_NONE || x->node[x->zone].routing != GB_SIMGRID_STAR)
    gb_simgrid_wrong(x, "a backbone", "backbones only in a zone with routing=\"Cluster\"");
  else
    x->node[x->zone].backbone = path;
}

/* Finds one end of a route, which must be a member of the open zone. *gateway: if the end is a zone, a host
 * or router in it; otherwise the end itself. GB_NONE: it fails. */
static uint32_t find_end(gb_simgrid *x, const char **attributes, const char *key, const char *gateway_key,
                         uint32_t *gateway) {
  const uint32_t end = find_node(x, gb_simgrid_attribute(x, attributes, key, NULL));
  *gateway = end;
  if (end == GB_NONE)
    return GB_NONE;
  if (x->node[end].parent != x->zone) {
    gb_simgrid_wrong(x, x->node[end].name, "a member of the zone of the route, for %s=", key);
    return GB_NONE;
  }
  if (x->node[end].kind != GB_SIMGRID_ZONE)
    return end;
  *gateway = find_node(x, gb_simgrid_attribute(x, attributes, gateway_key, NULL));
  uint32_t above = *gateway;
  while (above != GB_NONE && above != end)
    above = x->node[above].parent;
  if (*gateway == GB_NONE || (above == end && x->node[*gateway].kind != GB_SIMGRID_ZONE))
    return end;
  gb_simgrid_wrong(x, x->node[*gateway].name, "a host or router in '%s', for %s=", x->node[end].name,
                   gateway_key);
  return GB_NONE;
}

void gb_simgrid_route(gb_simgrid *x, const char **attributes) {
  gb_simgrid_edge *route = &x->route;
  *route = (gb_simgrid_edge){.path = {.bandwidth = INFINITY}};
  route->from = find_end(x, attributes, "src", "gw_src", &route->gateway_from);
  route->to = find_end(x, attributes, "dst", "gw_dst", &route->gateway_to);
  x->symmetrical = strcasecmp(gb_simgrid_attribute(x, attributes, "symmetrical", "YES"), "no") != 0;
  x->in_route = true;
}

void gb_simgrid_link_ctn(gb_simgrid *x, const char **attributes) {
  const gb_simgrid_path *link =
      x->in_route ? find_link(x, gb_simgrid_attribute(x, attributes, "id", NULL)) : NULL;
  if (link != NULL)
    gb_simgrid_append(&x->route.path, link);
}

static void add_edge(gb_simgrid *x, const gb_simgrid_edge *edge) {
  gb_simgrid_edge *list = gb_grow(x->edge, x->edge_count, &x->edge_capacity, sizeof *list);
  if (list == NULL) {
    gb_simgrid_fail(x, gb_source_no_memory(&x->source));
    return;
  }
  x->edge = list;
  list[x->edge_count++] = *edge;
}

void gb_simgrid_stop_route(gb_simgrid *x) {
  const gb_simgrid_edge r = x->route;
  x->in_route = false;
  if (r.from == r.to) /* from a host to itself */
    return;
  add_edge(x, &r);
  if (x->symmetrical)
    add_edge(x, &(gb_simgrid_edge){r.to, r.from, r.gateway_to, r.gateway_from, true, r.path});
}
