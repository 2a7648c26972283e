/* The steps that need the whole file: undeclared names, hosts by cluster, leaders, included files. */
#include "platform/parse.h"
#include "platform/platform.h"

#include <stdlib.h>
#include <string.h>

/* The declared cluster whose name this undeclared one is like, or NULL. */
static const char *nearest_cluster(const gb_parser *q, uint32_t cluster) {
  const gbcast_platform *p = q->p;
  const char *name = p->cluster[cluster].name, *nearest = NULL;
  unsigned best = GB_FAR;
  for (uint32_t i = 0; i < p->cluster_count; i++)
    if (q->cluster_note[i].declared && gb_nearer(name, strlen(name), p->cluster[i].name, &best))
      nearest = p->cluster[i].name;
  return nearest;
}

static int check_clusters(gb_parser *q) {
  const gbcast_platform *p = q->p;
  char hint[GB_HINT_TEXT];
  int status = GBCAST_OK;
  for (uint32_t i = 0; i < p->cluster_count && status == GBCAST_OK; i++) {
    const gb_cluster *c = &p->cluster[i];
    if (!q->cluster_note[i].declared)
      status = gb_mistake(
          q, gb_fail_at(q->source.err, &c->where, "found '%s', expected %s%s", c->name,
                        q->s->cluster_lines
                            ? "a cluster that a cluster line declares"
                            : "a group of hosts: what follows the first dot of their names, or local",
                        gb_hint(hint, nearest_cluster(q, i))));
  }
  for (uint32_t i = 0; i < p->cluster_count && status == GBCAST_OK; i++) {
    const gb_cluster *c = &p->cluster[i];
    if (q->cluster_note[i].declared && c->host_count == 0)
      status = gb_mistake(q, gb_fail_at(q->source.err, &c->where,
                                        "found '%s' without hosts, expected at least one in each cluster",
                                        c->name));
  }
  if (p->host_count > 0 || status != GBCAST_OK)
    return status;
  gb_place end = {p->file, q->source.line, 1};
  return gb_fail_at(q->source.err, &end, "found the end of the file, expected at least one host");
}

static int group_hosts(gb_parser *q) {
  gbcast_platform *p = q->p;
  p->host_of_cluster = malloc((p->host_count + 1u) * sizeof *p->host_of_cluster);
  if (p->host_of_cluster == NULL)
    return gb_source_no_memory(&q->source);
  uint32_t start = 0;
  for (uint32_t i = 0; i < p->cluster_count; i++) {
    p->cluster[i].host_start = start;
    start += p->cluster[i].host_count;
    p->cluster[i].host_count = 0; /* counted again below */
  }
  for (uint32_t h = 0; h < p->host_count; h++) {
    gb_cluster *c = &p->cluster[p->host[h].cluster];
    p->host_of_cluster[c->host_start + c->host_count++] = h;
  }
  return GBCAST_OK;
}

static int find_leaders(gb_parser *q) {
  gbcast_platform *p = q->p;
  int status = GBCAST_OK;
  for (uint32_t i = 0; i < p->cluster_count && status == GBCAST_OK; i++) {
    gb_lexeme w = q->cluster_note[i].leader;
    if (w.length == 0)
      continue;
    if (w.length > 2 && w.text[0] == '[' &&
        w.text[w.length - 1] == ']') /* an IPv6 address as on its host line */
      w = gb_lexeme_part(&w, 1, w.length - 2);
    uint32_t host = gb_names_find(&q->s->hosts, w.text, w.length);
    if (host == GB_NONE || p->host[host].cluster != i)
      status = gb_mistake(q, gb_expected(&q->source, &q->cluster_note[i].leader, "a host of cluster '%s'",
                                         p->cluster[i].name));
    p->cluster[i].leader = host;
  }
  return status;
}

typedef struct node_list {
  gb_parser *q;
  gb_source source;
  const gb_nodes *nodes;
  const gb_matcher *matcher;
  uint32_t ignored, other; /* other: known here by another name */
  char first_ignored[GB_MAX_NAME + 1], first_other[GB_MAX_NAME + 1];
  uint32_t first_host;
} node_list;

static int add_node(void *context, const char *name, size_t length) {
  node_list *l = context;
  gb_parser *q = l->q;
  uint32_t cluster = q->topology[l->nodes->topology].cluster, host = GB_NONE;
  const uint32_t matches = gb_match_count(l->matcher, cluster, name, &host);
  if (matches > 1)
    return gb_expected(&l->source, &l->nodes->list, "the names of hosts; '%s' could be %u of them", name,
                       (unsigned)matches);
  if (matches == 0) {
    if (l->ignored == 0)
      memcpy(l->first_ignored, name, length + 1);
    l->ignored += l->ignored < UINT32_MAX;
    return GBCAST_OK;
  }
  gb_host *h = &q->p->host[host];
  if (strcmp(h->name, name) != 0 && l->other++ == 0) {
    memcpy(l->first_other, name, length + 1);
    l->first_host = host;
  }
  if (h->sw != GB_NONE && h->sw != l->nodes->symbol)
    return gb_expected(&l->source, &l->nodes->list, "each host on one switch; '%s' is on '%s' already",
                       h->name, q->symbols[h->sw].name);
  h->sw = l->nodes->symbol;
  return GBCAST_OK;
}

/* The same file may serve several clusters: nodes that are not hosts of this one are left to the others, and
 * noted. */
static int note_nodes(gb_parser *q, uint32_t topology, const node_list *l) {
  const gb_topology *t = &q->topology[topology];
  int status = GBCAST_OK;
  if (l->other > 0)
    status = gb_note(q, "%s:%u:%u: %u of the nodes in %s are hosts by another name, the first is %s for %s",
                     t->where.file, (unsigned)t->where.line, (unsigned)t->where.column, (unsigned)l->other,
                     t->name, l->first_other, q->p->host[l->first_host].name);
  if (l->ignored == 0 || status != GBCAST_OK)
    return status;
  return gb_note(q, "%s:%u:%u: %u of the nodes in %s are not hosts here and are ignored, the first is %s",
                 t->where.file, (unsigned)t->where.line, (unsigned)t->where.column, (unsigned)l->ignored,
                 t->name, l->first_ignored);
}

static int join_children(gb_parser *q) {
  for (uint32_t i = 0; i < q->child_count; i++) {
    const gb_child *c = &q->child[i];
    const gb_topology *t = &q->topology[c->topology];
    gb_source source = {.err = q->source.err, .file = t->name, .included_at = &t->where};
    const gb_symbol *child = &q->symbols[c->child];
    gb_lexeme name = {child->name, strlen(child->name), c->line, c->column};
    if (child->sw == GB_NONE)
      return gb_expected(&source, &name, "a switch that a SwitchName= declares");
    gb_switch_note *n = &q->switch_note[child->sw];
    if (n->uplink != GB_NONE)
      return gb_expected(&source, &name, "each switch below one other; it is below '%s' already",
                         q->symbols[n->uplink].name);
    *n = (gb_switch_note){c->parent, t->where};
  }
  return GBCAST_OK;
}

static int read_nodes(gb_parser *q, const gb_matcher *matcher) {
  int status = GBCAST_OK;
  uint32_t n = 0;
  for (uint32_t t = 0; t < q->topology_count && status == GBCAST_OK; t++) {
    node_list l = {.q = q, .matcher = matcher};
    l.source =
        (gb_source){.err = q->source.err, .file = q->topology[t].name, .included_at = &q->topology[t].where};
    for (; n < q->nodes_count && q->nodes[n].topology == t && status == GBCAST_OK; n++) {
      l.nodes = &q->nodes[n];
      status = gb_slurm_list(&l.source, &l.nodes->list, add_node, &l);
    }
    if (status == GBCAST_OK)
      status = note_nodes(q, t, &l);
  }
  return status;
}

int gb_build_topologies(gb_parser *q) {
  gb_matcher matcher;
  if (q->topology_count == 0)
    return GBCAST_OK;
  int status = join_children(q);
  if (status != GBCAST_OK)
    return status;
  status = gb_matcher_open(&matcher, q->p, q->source.err);
  if (status == GBCAST_OK)
    status = read_nodes(q, &matcher);
  gb_matcher_close(&matcher);
  return status;
}

int gb_build(gb_parser *q) {
  for (uint32_t h = 0; h < q->p->host_count; h++)
    q->p->cluster[q->p->host[h].cluster].host_count++;
  int (*const step[])(gb_parser *) = {check_clusters, group_hosts,    gb_build_topologies, gb_build_switches,
                                      find_leaders,   gb_build_links, gb_build_reach,      gb_build_notes};
  int status = GBCAST_OK;
  for (size_t i = 0; i < sizeof step / sizeof *step && status == GBCAST_OK && q->mistakes == 0; i++)
    status = gb_mistake(q, step[i](q));
  return status;
}
