/* <cluster> and <cabinet>: many equal hosts, each with its own link. */
#include "tools/import/simgrid.h"
#include <math.h>
#include <stdlib.h>
#include <strings.h>

typedef struct gb_simgrid_hosts { /* the hosts of one element */
  gb_simgrid *x;
  gb_simgrid_path path;
  uint32_t cores;
} gb_simgrid_hosts;

static int add_host(void *context, const char *name, size_t length) {
  gb_simgrid_hosts *h = context;
  (void)length;
  const uint32_t host = gb_simgrid_add_node(h->x, GB_SIMGRID_HOST, name);
  if (host == GB_NONE)
    return h->x->status;
  h->x->node[host].up = h->x->node[host].down = h->path;
  h->x->node[host].slots = h->cores;
  return GBCAST_OK;
}

/* Adds the hosts PREFIX[RADICAL]SUFFIX, a range as in a hosts file. Returns how many; 0 after an error. */
static uint32_t add_hosts(gb_simgrid_hosts *h, const char **attributes) {
  gb_simgrid *x = h->x;
  const char *prefix = gb_simgrid_attribute(x, attributes, "prefix", NULL), *why,
             *suffix = gb_simgrid_attribute(x, attributes, "suffix", NULL),
             *radical = gb_simgrid_attribute(x, attributes, "radical", NULL),
             *core = gb_simgrid_attribute(x, attributes, "core", "1");
  const gb_place where = gb_simgrid_place(x);
  char text[3 * GB_MAX_NAME];
  uint32_t count = 0;
  if (!gb_read_count(core, strlen(core), &h->cores, &why))
    gb_simgrid_wrong(x, core, "%s, for core=", why);
  if (strpbrk(prefix, "[]") != NULL || strpbrk(suffix, "[]") != NULL || strpbrk(radical, "[]") != NULL)
    gb_simgrid_wrong(x, "a bracket", "prefix=, radical= and suffix= without brackets");
  const int length = snprintf(text, sizeof text, "%s[%s]%s", prefix, radical, suffix);
  if (length >= (int)sizeof text)
    gb_simgrid_wrong(x, radical, "shorter prefix=, radical= and suffix=");
  if (x->status != GBCAST_OK)
    return 0;
  const gb_lexeme word = {text, (size_t)length, where.line, where.column};
  int status = gb_range_count(&x->source, &word, &count);
  if (status == GBCAST_OK)
    status = gb_range_expand(&x->source, &word, add_host, h);
  if (status != GBCAST_OK)
    gb_simgrid_fail(x, status);
  return status == GBCAST_OK ? count : 0;
}

/* Reads `count` numbers with commas between them, and moves *text past them. */
static bool read_numbers(const char **text, uint32_t count, uint32_t *numbers) {
  for (uint32_t i = 0; i < count; i++) {
    const char *why;
    const size_t length = strspn(*text, "0123456789");
    if (!gb_read_count(*text, length, &numbers[i], &why))
      return false;
    *text += length;
    if (**text != (i + 1 < count ? ',' : **text))
      return false;
    *text += i + 1 < count;
  }
  return true;
}

static bool read_semicolon(const char **text) {
  const bool there = **text == ';';
  *text += there;
  return there;
}

/* Reads LEVELS;BELOW,...;ABOVE,...;CABLES,...: a switch of each level has BELOW switches or hosts below it
 * and ABOVE switches above it, with CABLES cables to each of these. Switches with the same switches below
 * them become one switch with all their cables. */
static bool read_tree(const char *text, uint32_t hosts, gb_simgrid_tree *tree) {
  uint32_t above[GB_SIMGRID_LEVELS], cables[GB_SIMGRID_LEVELS];
  gb_simgrid_tree t = {0};
  uint64_t leaves = 1;
  if (!read_numbers(&text, 1, &t.levels) || t.levels > GB_SIMGRID_LEVELS || !read_semicolon(&text) ||
      !read_numbers(&text, t.levels, t.below) || !read_semicolon(&text) ||
      !read_numbers(&text, t.levels, above) || !read_semicolon(&text) ||
      !read_numbers(&text, t.levels, cables) || *text != '\0')
    return false;
  for (uint32_t i = 0; i < t.levels; i++) {
    if ((uint64_t)above[i] * cables[i] > GB_MAX_HOSTS)
      return false;
    t.cables[i] = above[i] * cables[i];
    leaves *= t.below[i];
    if (leaves > hosts)
      return false;
  }
  *tree = t;
  return leaves == hosts;
}

/* Reads what lies between the hosts of the zone: nothing, a fat tree, or a topology that is not translated.
 * Sets the tree, and the latencies from the hosts up to its top. */
static void read_topology(gb_simgrid *x, const char **attributes, uint32_t zone, uint32_t first,
                          uint32_t hosts) {
  const char *topology = gb_simgrid_attribute(x, attributes, "topology", "FLAT");
  gb_simgrid_node *z = &x->node[zone];
  const char *parameters = gb_simgrid_attribute(x, attributes, "topo_parameters", "");
  if (strcasecmp(topology, "FLAT") == 0)
    return;
  if (strcasecmp(topology, "FAT_TREE") == 0) {
    if (!read_tree(parameters, hosts, &z->tree))
      gb_simgrid_wrong(x, parameters, "a fat tree of %u hosts such as 2;4,4;1,2;1,2, of at most %d levels",
                       (unsigned)hosts, GB_SIMGRID_LEVELS);
    for (uint32_t i = first; i < first + hosts; i++) { /* one link for each level up to the top */
      x->node[i].up.latency *= z->tree.levels;
      x->node[i].down.latency *= z->tree.levels;
    }
    return;
  }
  z->by_distance = true;
  gb_import_remark(x->m, &z->where,
                   "topology=\"%.32s\" of '%.64s' is left out: only the links of the hosts are translated",
                   topology, z->name);
}

static void add_router(gb_simgrid *x, const char **attributes, const char *zone) {
  char name[3 * GB_MAX_NAME];
  const char *given = gb_simgrid_attribute(x, attributes, "router_id", ""),
             *prefix = gb_simgrid_attribute(x, attributes, "prefix", ""),
             *suffix = gb_simgrid_attribute(x, attributes, "suffix", "");
  const int length = snprintf(name, sizeof name, "%s%s_router%s", prefix, zone, suffix);
  if (*given == '\0' && length >= (int)sizeof name)
    gb_simgrid_wrong(x, zone, "a shorter id=");
  else if (x->status == GBCAST_OK)
    (void)gb_simgrid_add_node(x, GB_SIMGRID_ROUTER, *given != '\0' ? given : name);
}

/* Limits *bandwidth to limiter_link=, if the element has it. */
static void limit(gb_simgrid *x, const char **attributes, double *bandwidth) {
  const char *text = gb_simgrid_attribute(x, attributes, "limiter_link", "");
  double most = INFINITY;
  if (*text != '\0' && !gb_simgrid_bandwidth(text, &most))
    gb_simgrid_wrong(x, text, "a bandwidth such as 125MBps, for limiter_link=");
  *bandwidth = gb_smaller(*bandwidth, most);
}

void gb_simgrid_cluster(gb_simgrid *x, const char **attributes) {
  const char *name = gb_simgrid_attribute(x, attributes, "id", NULL);
  gb_simgrid_hosts hosts = {x, gb_simgrid_read_link(x, attributes, "bw", "lat"), 1};
  limit(x, attributes, &hosts.path.bandwidth);
  const uint32_t before = x->zone,
                 zone = x->status == GBCAST_OK ? gb_simgrid_add_node(x, GB_SIMGRID_ZONE, name) : GB_NONE;
  if (zone == GB_NONE)
    return;
  x->node[zone].routing = GB_SIMGRID_STAR;
  if (*gb_simgrid_attribute(x, attributes, "bb_bw", "") != '\0')
    x->node[zone].backbone = gb_simgrid_read_link(x, attributes, "bb_bw", "bb_lat");
  x->zone = zone;
  const uint32_t first = x->node_count, count = add_hosts(&hosts, attributes);
  if (x->status == GBCAST_OK)
    read_topology(x, attributes, zone, first, count);
  add_router(x, attributes, name);
  x->zone = before;
}

void gb_simgrid_cabinet(gb_simgrid *x, const char **attributes) {
  gb_simgrid_hosts hosts = {x, gb_simgrid_read_link(x, attributes, "bw", "lat"), 1};
  if (x->status == GBCAST_OK && (x->zone == GB_NONE || x->node[x->zone].routing != GB_SIMGRID_STAR))
    gb_simgrid_wrong(x, "a cabinet", "cabinets only in a zone with routing=\"Cluster\"");
  if (x->status == GBCAST_OK)
    (void)add_hosts(&hosts, attributes);
}
