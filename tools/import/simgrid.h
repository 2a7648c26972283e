/* A platform of SimGrid: a tree of zones whose leaves are hosts and routers, and routes between those that
 * are in one zone. */
#ifndef GB_TOOLS_IMPORT_SIMGRID_H
#define GB_TOOLS_IMPORT_SIMGRID_H

#include "tools/import/parts.h"
#include <expat.h>

typedef struct gb_simgrid_path { /* a link, or several in a row */
  double latency, bandwidth;     /* INFINITY: nothing narrows it */
  uint32_t links;
} gb_simgrid_path;

#define GB_SIMGRID_LEVELS 8 /* of a fat tree */

typedef struct gb_simgrid_tree {      /* of switches above the hosts of a zone, from the leaves to the top */
  uint32_t levels;                    /* 0: there is none */
  uint32_t below[GB_SIMGRID_LEVELS];  /* how many each switch has below it */
  uint32_t cables[GB_SIMGRID_LEVELS]; /* that lead up from each of these */
} gb_simgrid_tree;

typedef enum gb_simgrid_kind { GB_SIMGRID_ZONE, GB_SIMGRID_HOST, GB_SIMGRID_ROUTER } gb_simgrid_kind;

typedef enum gb_simgrid_routing {
  GB_SIMGRID_FULL,     /* each route is written down */
  GB_SIMGRID_SHORTEST, /* of those that are written down, the fewest links */
  GB_SIMGRID_STAR      /* up and down the links of the hosts, perhaps through a backbone */
} gb_simgrid_routing;

typedef struct gb_simgrid_node {
  const char *name;
  gb_simgrid_kind kind;
  uint32_t parent, depth; /* GB_NONE: of the outermost zone */
  gb_place where;
  uint32_t slots;             /* of a host */
  gb_simgrid_path up, down;   /* of a host in a star */
  gb_simgrid_routing routing; /* of a zone, like all that follows */
  gb_simgrid_path backbone;
  gb_simgrid_tree tree;
  bool by_distance; /* a torus or a dragonfly: latencies between its hosts differ */
  uint32_t source;  /* routing: of the paths found last, or GB_NONE */
  uint32_t edges;   /* where those that leave it begin */
  uint32_t came_by; /* the edge of the shortest path to it */
} gb_simgrid_node;

typedef struct gb_simgrid_edge { /* a route inside a zone; between zones it goes from one gateway to the other
                                  */
  uint32_t from, to, gateway_from, gateway_to;
  bool implied; /* the way back of a symmetrical one */
  gb_simgrid_path path;
} gb_simgrid_edge;

typedef struct gb_simgrid {
  gb_import *m;
  gb_source source; /* for messages */
  XML_Parser parser;
  int status;
  uint32_t zone;         /* that is open, or GB_NONE */
  gb_names nodes, links; /* numbers of `node`, and of `link` */
  gb_simgrid_node *node;
  uint32_t node_count, node_capacity;
  gb_simgrid_path *link;
  uint32_t link_count, link_capacity;
  gb_simgrid_edge *edge;
  uint32_t edge_count, edge_capacity;
  gb_simgrid_edge route; /* that is open */
  bool in_route, symmetrical;
} gb_simgrid;

/* ---- Numbers with SimGrid's units ---- */

bool gb_simgrid_latency(const char *text, double *seconds);
bool gb_simgrid_bandwidth(const char *text, double *bytes_a_second);

/* ---- Elements ---- */

/* Of an element, to be called by expat. After an error x->status tells so, and the parser stops. */
void gb_simgrid_start(void *context, const char *name, const char **attributes);
void gb_simgrid_stop(void *context, const char *name);

gb_place gb_simgrid_place(const gb_simgrid *x); /* of the element that is read */

/* The value of an attribute, or `otherwise` where it is absent or empty; NULL there too fails. */
const char *gb_simgrid_attribute(gb_simgrid *x, const char **attributes, const char *key,
                                 const char *otherwise);

void gb_simgrid_fail(gb_simgrid *x, int status); /* stops the parser */

/* "found VALUE, expected ..." at the element. */
__attribute__((format(printf, 3, 4))) void gb_simgrid_wrong(gb_simgrid *x, const char *value,
                                                            const char *format, ...);

/* A link of its own, from attributes with these names; an absent latency is 0. */
gb_simgrid_path gb_simgrid_read_link(gb_simgrid *x, const char **attributes, const char *bandwidth,
                                     const char *latency);

/* Adds a node to the open zone; GB_NONE after an error. */
uint32_t gb_simgrid_add_node(gb_simgrid *x, gb_simgrid_kind kind, const char *name);

/* What begins the element of that name, and what ends it. */
void gb_simgrid_cluster(gb_simgrid *x, const char **attributes); /* a zone with hosts and a router */
void gb_simgrid_cabinet(gb_simgrid *x, const char **attributes); /* hosts of the open zone */
void gb_simgrid_link(gb_simgrid *x, const char **attributes);
void gb_simgrid_host_link(gb_simgrid *x, const char **attributes);
void gb_simgrid_backbone(gb_simgrid *x, const char **attributes);
void gb_simgrid_route(gb_simgrid *x, const char **attributes); /* zoneRoute, too */
void gb_simgrid_stop_route(gb_simgrid *x);
void gb_simgrid_link_ctn(gb_simgrid *x, const char **attributes);

/* ---- What it means ---- */

typedef struct gb_simgrid_routes {
  gb_simgrid *x;
  uint32_t *queue, *distance; /* one for each node */
  bool *waits;
  uint64_t steps; /* taken so far */
} gb_simgrid_routes;

/* Sorts the edges. GBCAST_EMEMORY. */
int gb_simgrid_routes_begin(gb_simgrid_routes *r, gb_simgrid *x);
void gb_simgrid_routes_end(gb_simgrid_routes *r);

/* Whether a limit of work was reached, after which all searches fail. */
bool gb_simgrid_routes_exhausted(const gb_simgrid_routes *r);

/* The path from a host or router to another; false: there is none. */
bool gb_simgrid_find_path(gb_simgrid_routes *r, uint32_t from, uint32_t to, gb_simgrid_path *path);

static inline void gb_simgrid_append(gb_simgrid_path *path, const gb_simgrid_path *more) {
  path->latency += more->latency;
  path->bandwidth = gb_smaller(path->bandwidth, more->bandwidth);
  path->links += more->links;
}

/* Sites, hosts, switches and links of the import, from what was read. */
int gb_simgrid_make_sites(gb_simgrid *x);

#endif
