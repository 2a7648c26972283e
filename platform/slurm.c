/* Slurm's topology.conf (topology/tree): SwitchName=s0 Nodes=n[0-5], SwitchName=top Switches=s[0-1]. */
#include "platform/parse.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct slurm {
  gb_parser *q;
  gb_source source;
  uint32_t topology, cluster;
  uint32_t symbol; /* of the line's switch */
  const gb_lexeme *list;
} slurm;

static bool is_key(const gb_lexeme *w, const char *key) {
  return strlen(key) == w->length && strncasecmp(w->text, key, w->length) == 0;
}

static int add_child(void *context, const char *name, size_t length) {
  slurm *u = context;
  gb_parser *q = u->q;
  gb_lexeme word = {name, length, 0, 0};
  const gb_place *where = &q->topology[u->topology].where;
  uint32_t child = GB_NONE;
  int status = gb_intern_symbol(q, u->cluster, &word, where, &child);
  if (status != GBCAST_OK)
    return status;
  gb_child *list = gb_grow(q->child, q->child_count, &q->child_capacity, sizeof *list);
  if (list == NULL)
    return gb_source_no_memory(&q->source);
  q->child = list;
  if (q->child_count == GB_MAX_HOSTS)
    return gb_expected(&u->source, u->list, "at most %u switches", GB_MAX_HOSTS);
  list[q->child_count++] = (gb_child){child, u->symbol, u->topology, u->list->line, u->list->column};
  return GBCAST_OK;
}

static int add_nodes(slurm *u, const gb_lexeme *list) {
  gb_parser *q = u->q;
  int status = gb_check_host_bytes(&u->source, list, ",[]");
  if (status != GBCAST_OK)
    return status;
  gb_nodes *nodes = gb_grow(q->nodes, q->nodes_count, &q->nodes_capacity, sizeof *nodes);
  if (nodes == NULL)
    return gb_source_no_memory(&q->source);
  q->nodes = nodes;
  nodes[q->nodes_count++] = (gb_nodes){u->topology, u->symbol, *list};
  return GBCAST_OK;
}

static int declare(slurm *u, const gb_lexeme *name) {
  gb_parser *q = u->q;
  const gb_place *where = &q->topology[u->topology].where;
  int status = gb_check_name(&u->source, name, "switch");
  if (status == GBCAST_OK)
    status = gb_intern_symbol(q, u->cluster, name, where, &u->symbol);
  if (status != GBCAST_OK)
    return status;
  if (q->symbols[u->symbol].sw != GB_NONE)
    return gb_expected(&u->source, name, "each switch declared once");
  return gb_add_switch(q, u->symbol, u->cluster, where);
}

/* Lines that Slurm has beside those of topology/tree, by their first word, and what they are. */
static const struct {
  const char *key, *kind;
} others[] = {
    {"BlockName", "a file of topology/block"},
    {"BlockSizes", "a file of topology/block"},
    {"Include", "a line that includes another file"},
    {"ClusterName", "a slurm.conf"},
    {"ControlMachine", "a slurm.conf"},
    {"SlurmctldHost", "a slurm.conf"},
    {"NodeName", "a slurm.conf"},
    {"NodeSet", "a slurm.conf"},
    {"PartitionName", "a slurm.conf"},
    {"TopologyParam", "a slurm.conf"},
    {"TopologyPlugin", "a slurm.conf"},
};

static const char *kind_of(const gb_lexeme *first) {
  const char *sign = memchr(first->text, '=', first->length);
  const gb_lexeme key = gb_lexeme_part(first, 0, sign != NULL ? (size_t)(sign - first->text) : first->length);
  if (first->text[0] == '-' || first->text[first->length - 1] == ':')
    return "a topology.yaml, or other YAML";
  if (first->text[0] == '{' || first->text[0] == '[')
    return "JSON";
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (is_key(&key, others[i].key))
      return others[i].kind;
  return NULL;
}

static int read_line(slurm *u) {
  gb_source *s = &u->source;
  const char *kind = kind_of(&s->word[0]);
  if (kind != NULL)
    return gb_expected(s, &s->word[0],
                       "SwitchName= as in a topology.conf of topology/tree: this is %s, which is not "
                       "supported here; gbcast-import slurm reads topology/block and YAML",
                       kind);
  enum { NAME, SWITCHES, NODES, SPEED, COUNT };
  static const char *const keys[COUNT] = {"SwitchName", "Switches", "Nodes", "LinkSpeed"};
  gb_lexeme value[COUNT] = {{0}};
  for (uint32_t i = 0; i < s->count;) {
    gb_lexeme key;
    gb_lexeme v;
    int status = gb_next_pair(s, &i, &key, &v);
    if (status != GBCAST_OK)
      return status;
    int k = 0;
    while (k < COUNT && !is_key(&key, keys[k]))
      k++;
    if (is_key(&key, "Level"))
      return gb_expected(s, &key,
                         "the topology.conf itself: what scontrol show topology prints is not supported");
    if (k == COUNT)
      return gb_expected(s, &key, "SwitchName=, Switches=, Nodes= or LinkSpeed=");
    if (value[k].length > 0)
      return gb_expected(s, &key, "%s= only once on a line", keys[k]);
    if (v.length > 2 && v.text[0] == '"' && v.text[v.length - 1] == '"')
      v = gb_lexeme_part(&v, 1, v.length - 2);
    value[k] = v;
  }
  if (value[NAME].length == 0)
    return gb_expected(s, &s->word[0], "SwitchName= on the line");
  int status = declare(u, &value[NAME]);
  u->list = &value[SWITCHES];
  if (status == GBCAST_OK && value[SWITCHES].length > 0)
    status = gb_slurm_list(s, &value[SWITCHES], add_child, u);
  u->list = NULL;
  if (status == GBCAST_OK && value[NODES].length > 0)
    status = add_nodes(u, &value[NODES]);
  return status;
}

static int read_topology(slurm *u, char *text, size_t length) {
  uint32_t lines = 1;
  for (size_t at = 0; at < length;) {
    size_t next = 0;
    u->source.line += lines;
    size_t n = gb_join_lines(text + at, length - at, &next, &lines);
    int status = gb_lex_line(&u->source, text + at, n);
    if (status == GBCAST_OK && u->source.count > 0)
      status = read_line(u);
    if (status != GBCAST_OK)
      return status;
    at += next;
  }
  return GBCAST_OK;
}

/* `file` relative to the folder of the hosts file. */
static char *beside(gb_parser *q, const gb_lexeme *file) {
  const char *slash = strrchr(q->source.file, '/');
  size_t folder = slash == NULL || file->text[0] == '/' ? 0 : (size_t)(slash - q->source.file) + 1;
  char *path = gb_arena_alloc(&q->s->arena, folder + file->length);
  if (path != NULL) {
    memcpy(path, q->source.file, folder);
    memcpy(path + folder, file->text, file->length);
  }
  return path;
}

int gb_parse_topology(gb_parser *q) {
  gb_source *s = &q->source;
  gb_attribute a = {"slurm", GB_TEXT, 0, false, 0, {0}};
  int status = gb_attributes(s, 1, &a, 1);
  if (status != GBCAST_OK)
    return status;
  if (!a.given)
    return gb_expected(s, &s->word[s->count], "slurm=FILE");
  if (q->s->cluster_lines && q->cluster == GB_NONE)
    return gb_expected(s, &s->word[0], "a cluster line above it");
  gb_topology *list = gb_grow(q->topology, q->topology_count, &q->topology_capacity, sizeof *list);
  if (list == NULL)
    return gb_source_no_memory(s);
  q->topology = list;
  gb_place where = gb_lexeme_place(s, &a.value);
  const char *name = gb_arena_copy(&q->s->arena, a.value.text, a.value.length);
  const char *path = beside(q, &a.value);
  if (name == NULL || path == NULL)
    return gb_source_no_memory(s);
  slurm u = {.q = q, .topology = q->topology_count, .cluster = q->cluster};
  list[q->topology_count++] = (gb_topology){.name = name, .cluster = q->cluster, .where = where};
  if (q->cluster != GB_NONE)
    q->cluster_note[q->cluster].topology = true;
  u.source = (gb_source){.err = s->err, .file = name, .included_at = &where};
  size_t length = 0;
  status = gb_read_file(path, &where, name, &list[u.topology].text, &length, s->err);
  if (status == GBCAST_OK)
    status = read_topology(&u, list[u.topology].text, length);
  gb_source_release(&u.source);
  return status;
}
