/* The elements of a platform. As in SimGrid, no two hosts, routers or zones have the same name, and they are
 * declared before the routes that use them. */
#include "tools/import/simgrid.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <strings.h>

enum { MOST_DEPTH = 32, MOST_NODES = 1 << 21 };

gb_place gb_simgrid_place(const gb_simgrid *x) {
  return (gb_place){x->source.file, (uint32_t)XML_GetCurrentLineNumber(x->parser),
                    (uint32_t)XML_GetCurrentColumnNumber(x->parser) + 1};
}

void gb_simgrid_fail(gb_simgrid *x, int status) {
  if (x->status == GBCAST_OK)
    x->status = status;
  (void)XML_StopParser(x->parser, XML_FALSE);
}

void gb_simgrid_wrong(gb_simgrid *x, const char *value, const char *format, ...) {
  char expected[400];
  const gb_place where = gb_simgrid_place(x);
  const gb_lexeme found = {value, strlen(value), where.line, where.column};
  va_list list;
  if (x->status != GBCAST_OK)
    return;
  va_start(list, format);
  (void)vsnprintf(expected, sizeof expected, format, list);
  va_end(list);
  gb_simgrid_fail(x, found.length > 0
                         ? gb_expected(&x->source, &found, "%s", expected)
                         : gb_fail_at(x->source.err, &where, "found nothing, expected %s", expected));
}

const char *gb_simgrid_attribute(gb_simgrid *x, const char **attributes, const char *key,
                                 const char *otherwise) {
  for (; *attributes != NULL; attributes += 2)
    if (strcmp(attributes[0], key) == 0 &&
        (*attributes[1] != '\0' || strcmp(key, "prefix") == 0 || strcmp(key, "suffix") == 0))
      return attributes[1];
  if (otherwise == NULL)
    gb_simgrid_wrong(x, "", "the attribute %s=", key);
  return otherwise != NULL ? otherwise : "";
}

gb_simgrid_path gb_simgrid_read_link(gb_simgrid *x, const char **attributes, const char *bandwidth,
                                     const char *latency) {
  gb_simgrid_path path = {.links = 1};
  const char *rate = gb_simgrid_attribute(x, attributes, bandwidth, NULL),
             *time = gb_simgrid_attribute(x, attributes, latency, "0");
  if (x->status == GBCAST_OK && !gb_simgrid_bandwidth(rate, &path.bandwidth))
    gb_simgrid_wrong(x, rate, "a bandwidth such as 125MBps or 1Gbps, for %s=", bandwidth);
  if (x->status == GBCAST_OK && !gb_simgrid_latency(time, &path.latency))
    gb_simgrid_wrong(x, time, "a latency such as 50us, for %s=", latency);
  return path;
}

uint32_t gb_simgrid_add_node(gb_simgrid *x, gb_simgrid_kind kind, const char *name) {
  const uint32_t depth = x->zone == GB_NONE ? 0 : x->node[x->zone].depth + 1;
  bool is_new = false;
  if (x->status != GBCAST_OK)
    return GB_NONE;
  gb_simgrid_node *list = gb_grow(x->node, x->node_count, &x->node_capacity, sizeof *list);
  if (list != NULL)
    x->node = list;
  const uint32_t number =
      list != NULL ? gb_names_add(&x->nodes, &x->m->arena, name, strlen(name), &is_new) : GB_NONE;
  if (number == GB_NONE) {
    gb_simgrid_fail(x, gb_source_no_memory(&x->source));
  } else if (!is_new) {
    gb_simgrid_wrong(x, name, "each host, router, cluster and zone declared once");
  } else if (x->zone == GB_NONE && kind != GB_SIMGRID_ZONE) {
    gb_simgrid_wrong(x, name, "a zone around it");
  } else if (x->zone != GB_NONE && kind == GB_SIMGRID_ZONE && x->node[x->zone].routing == GB_SIMGRID_STAR) {
    gb_simgrid_wrong(x, name, "only hosts in a zone with routing=\"Cluster\"");
  } else if (depth > MOST_DEPTH || number >= MOST_NODES) {
    gb_simgrid_wrong(x, name, "zones nested at most %d deep, and at most %d hosts and routers", MOST_DEPTH,
                     MOST_NODES);
  } else {
    list[x->node_count++] = (gb_simgrid_node){.name = x->nodes.key[number].text,
                                              .kind = kind,
                                              .parent = x->zone,
                                              .depth = depth,
                                              .where = gb_simgrid_place(x),
                                              .slots = 1,
                                              .up = {.bandwidth = INFINITY},
                                              .down = {.bandwidth = INFINITY},
                                              .backbone = {.bandwidth = INFINITY},
                                              .source = GB_NONE,
                                              .came_by = GB_NONE};
    return number;
  }
  return GB_NONE;
}

static void start_zone(gb_simgrid *x, const char **attributes) {
  static const struct {
    const char *name;
    gb_simgrid_routing routing;
  } known[] = {{"Full", GB_SIMGRID_FULL},         {"None", GB_SIMGRID_FULL},
               {"Empty", GB_SIMGRID_FULL},        {"Floyd", GB_SIMGRID_SHORTEST},
               {"Dijkstra", GB_SIMGRID_SHORTEST}, {"DijkstraCache", GB_SIMGRID_SHORTEST},
               {"Cluster", GB_SIMGRID_STAR}};
  const char *routing = gb_simgrid_attribute(x, attributes, "routing", NULL);
  size_t k = 0;
  while (k < sizeof known / sizeof *known && strcasecmp(routing, known[k].name) != 0)
    k++;
  if (k == sizeof known / sizeof *known) {
    gb_simgrid_wrong(
        x, routing,
        "the routing Full, Floyd, Dijkstra, DijkstraCache, Cluster or None; others are not supported");
    return;
  }
  const uint32_t zone =
      gb_simgrid_add_node(x, GB_SIMGRID_ZONE, gb_simgrid_attribute(x, attributes, "id", NULL));
  if (zone == GB_NONE)
    return;
  x->node[zone].routing = known[k].routing;
  x->zone = zone;
}

static void stop_zone(gb_simgrid *x) {
  if (x->zone != GB_NONE)
    x->zone = x->node[x->zone].parent;
}

static void start_host(gb_simgrid *x, const char **attributes) {
  const char *why, *core = gb_simgrid_attribute(x, attributes, "core", "1");
  uint32_t cores = 1;
  if (!gb_read_count(core, strlen(core), &cores, &why))
    gb_simgrid_wrong(x, core, "%s, for core=", why);
  const uint32_t host =
      gb_simgrid_add_node(x, GB_SIMGRID_HOST, gb_simgrid_attribute(x, attributes, "id", NULL));
  if (host != GB_NONE)
    x->node[host].slots = cores;
}

static void start_router(gb_simgrid *x, const char **attributes) {
  (void)gb_simgrid_add_node(x, GB_SIMGRID_ROUTER, gb_simgrid_attribute(x, attributes, "id", NULL));
}

static void leave_out(gb_simgrid *x, const char **attributes) {
  const gb_place where = gb_simgrid_place(x);
  (void)attributes;
  gb_import_remark(x->m, &where,
                   "this element is left out: bypass routes and changes with time are not translated");
}

static void refuse(gb_simgrid *x, const char **attributes) {
  (void)attributes;
  gb_simgrid_wrong(x, "an element", "a platform without <include> and <peer>, which are not supported");
}

typedef struct gb_simgrid_element {
  const char *name;
  void (*start)(gb_simgrid *x, const char **attributes);
  void (*stop)(gb_simgrid *x);
} gb_simgrid_element;

/* All other elements say nothing about the network, and are ignored. */
static const gb_simgrid_element elements[] = {{"zone", start_zone, stop_zone},
                                              {"AS", start_zone, stop_zone},
                                              {"cluster", gb_simgrid_cluster, NULL},
                                              {"cabinet", gb_simgrid_cabinet, NULL},
                                              {"host", start_host, NULL},
                                              {"router", start_router, NULL},
                                              {"link", gb_simgrid_link, NULL},
                                              {"host_link", gb_simgrid_host_link, NULL},
                                              {"backbone", gb_simgrid_backbone, NULL},
                                              {"route", gb_simgrid_route, gb_simgrid_stop_route},
                                              {"zoneRoute", gb_simgrid_route, gb_simgrid_stop_route},
                                              {"ASroute", gb_simgrid_route, gb_simgrid_stop_route},
                                              {"link_ctn", gb_simgrid_link_ctn, NULL},
                                              {"bypassRoute", leave_out, NULL},
                                              {"bypassZoneRoute", leave_out, NULL},
                                              {"bypassASroute", leave_out, NULL},
                                              {"trace_connect", leave_out, NULL},
                                              {"include", refuse, NULL},
                                              {"peer", refuse, NULL}};

static const gb_simgrid_element *find_element(const char *name) {
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
    if (strcmp(elements[i].name, name) == 0)
      return &elements[i];
  return NULL;
}

void gb_simgrid_start(void *context, const char *name, const char **attributes) {
  gb_simgrid *x = context;
  const gb_simgrid_element *e = find_element(name);
  if (e != NULL && x->status == GBCAST_OK)
    e->start(x, attributes);
}

void gb_simgrid_stop(void *context, const char *name) {
  gb_simgrid *x = context;
  const gb_simgrid_element *e = find_element(name);
  if (e != NULL && e->stop != NULL && x->status == GBCAST_OK)
    e->stop(x);
}
