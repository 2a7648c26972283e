/* A platform of SimGrid: a tree of zones, whose leaves are hosts and routers. Each zone has routes between
 * the members of the zone. */
#ifndef GB_TOOLS_IMPORT_SIMGRID_H
#define GB_TOOLS_IMPORT_SIMGRID_H

#include "tools/import/parts.h"
#include <expat.h>

typedef struct gb_simgrid_path { /* a link, or several in a row */
  double latency, bandwidth;     /* their sum (s); the narrowest (bytes/s), INFINITY: no link limits it */
  uint32_t links;
} gb_simgrid_path;

#define GB_SIMGRID_LEVELS 8 /* of a fat tree */

typedef struct gb_simgrid_tree {      /* the switches above the hosts of a zone, from the lowest level up */
  uint32_t levels;                    /* 0: there is no tree */
  uint32_t below[GB_SIMGRID_LEVELS];  /* how many hosts or switches each switch of the level has below it */
  uint32_t cables[GB_SIMGRID_LEVELS]; /* how many cables lead up from each of these */
} gb_simgrid_tree;

typedef enum gb_simgrid_kind { GB_SIMGRID_ZONE, GB_SIMGRID_HOST, GB_SIMGRID_ROUTER } gb_simgrid_kind;

typedef enum gb_simgrid_routing {
  GB_SIMGRID_FULL,     /* the file gives each route */
  GB_SIMGRID_SHORTEST, /* the shortest path over the given routes, by number of links */
  GB_SIMGRID_STAR      /* the up link of one host, the backbone if there is one, the down link of the other */
} gb_simgrid_routing;

typedef struct gb_simgrid_node {
  const char *name;
  gb_simgrid_kind kind;
  uint32_t parent, depth; /* its zone, and how many zones are around it; the outermost zone: GB_NONE, 0 */
  gb_place where;
  uint32_t slots;             /* of a host */
  gb_simgrid_path up, down;   /* of a host in a star */
  gb_simgrid_routing routing; /* of a zone, like all that follows */
  gb_simgrid_path backbone;
  gb_simgrid_tree tree;
  bool by_distance; /* it is a torus or a dragonfly: latencies between its hosts differ */
  uint32_t source;  /* where the shortest paths begin that were found last in the zone, or GB_NONE */
  uint32_t edges;   /* of any node: index of the first edge that leaves it */
  uint32_t came_by; /* of any node: the last edge of the shortest path to it, or GB_NONE */
} gb_simgrid_node;

/* A route between two members of a zone. If a member is a zone, the route begins or ends at its gateway. */
typedef struct gb_simgrid_edge {
  uint32_t from, to, gateway_from, gateway_to;
  bool implied; /* it is the way back of a symmetrical route */
  gb_simgrid_path path;
} gb_simgrid_edge;

typedef struct gb_simgrid {
  gb_import *m;
  gb_source source; /* for messages */
  XML_Parser parser;
  int status;
  uint32_t zone;         /* the zone whose element is open, or GB_NONE */
  gb_names nodes, links; /* names of node[] and link[]; their numbers are the indices */
  gb_simgrid_node *node;
  uint32_t node_count, node_capacity;
  gb_simgrid_path *link;
  uint32_t link_count, link_capacity;
  gb_simgrid_edge *edge;
  uint32_t edge_count, edge_capacity;
  gb_simgrid_edge route; /* the route whose element is open */
  bool in_route, symmetrical;
} gb_simgrid;

/* ---- Numbers with SimGrid's units ---- */

/* False: it is no such number, or it is out of range. */
bool gb_simgrid_latency(const char *text, double *seconds);
bool gb_simgrid_bandwidth(const char *text, double *bytes_a_second);

/* ---- Elements ---- */

/* The handlers for expat of the start and the end of an element. After an error x->status is not GBCAST_OK,
 * and the parser stops. */
void gb_simgrid_start(void *context, const char *name, const char **attributes);
void gb_simgrid_stop(void *context, const char *name);

gb_place gb_simgrid_place(const gb_simgrid *x); /* the place of the element that is being read */

/* The value of an attribute, or `otherwise` if it is absent or empty. Without either (NULL) fails, and
 * returns
 * "". */
const char *gb_simgrid_attribute(gb_simgrid *x, const char **attributes, const char *key,
                                 const char *otherwise);

void gb_simgrid_fail(gb_simgrid *x, int status); /* sets x->status, and stops the parser */

/* Fails with "found VALUE, expected ..." at the element; without VALUE "found nothing, expected ...". */
__attribute__((format(printf, 3, 4))) void gb_simgrid_wrong(gb_simgrid *x, const char *value,
                                                            const char *format, ...);

/* Reads one link from the attributes with these names. Without a latency it is 0. */
gb_simgrid_path gb_simgrid_read_link(gb_simgrid *x, const char **attributes, const char *bandwidth,
                                     const char *latency);

/* Adds a node to the open zone; GB_NONE after an error. */
uint32_t gb_simgrid_add_node(gb_simgrid *x, gb_simgrid_kind kind, const char *name);

/* Called when the element of that name begins, or ends (stop). */
void gb_simgrid_cluster(gb_simgrid *x, const char **attributes); /* a zone with hosts and a router */
void gb_simgrid_cabinet(gb_simgrid *x, const char **attributes); /* hosts of the open zone */
void gb_simgrid_link(gb_simgrid *x, const char **attributes);
void gb_simgrid_host_link(gb_simgrid *x, const char **attributes);
void gb_simgrid_backbone(gb_simgrid *x, const char **attributes);
void gb_simgrid_route(gb_simgrid *x, const char **attributes); /* route, zoneRoute and ASroute */
void gb_simgrid_stop_route(gb_simgrid *x);
void gb_simgrid_link_ctn(gb_simgrid *x, const char **attributes);

/* ---- From the platform to sites ---- */

typedef struct gb_simgrid_routes { /* the search for routes */
  gb_simgrid *x;
  uint32_t *queue, *distance; /* one for each node; distance: in links, GB_NONE: not reached */
  bool *waits;                /* whether each node is in the queue */
  uint64_t steps;             /* work that all searches have done */
} gb_simgrid_routes;

/* Prepares searches, and sorts the edges. To be ended even after an error. GBCAST_EMEMORY. */
int gb_simgrid_routes_begin(gb_simgrid_routes *r, gb_simgrid *x);
void gb_simgrid_routes_end(gb_simgrid_routes *r);

/* Whether the searches have reached their limit of work. After that they all fail. */
bool gb_simgrid_routes_exhausted(const gb_simgrid_routes *r);

/* Finds the path from a host or router to another. False: there is none. */
bool gb_simgrid_find_path(gb_simgrid_routes *r, uint32_t from, uint32_t to, gb_simgrid_path *path);

/* Appends `more` to the path. */
static inline void gb_simgrid_append(gb_simgrid_path *path, const gb_simgrid_path *more) {
  path->latency += more->latency;
  path->bandwidth = gb_smaller(path->bandwidth, more->bandwidth);
  path->links += more->links;
}

/* Adds sites, hosts, switches and links to the import, from what was read. Returns a gbcast_status. */
int gb_simgrid_make_sites(gb_simgrid *x);

#endif
