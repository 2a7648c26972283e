/* Reads Slurm's topology.yaml: a list of topologies, each of which is a tree of switches or a list of blocks.
 * The topology of the whole cluster is imported: the first with cluster_default, or else the first tree or
 * list of blocks. */
#include "tools/import/slurm.h"
#include <strings.h>
#include <yaml.h>

enum { MOST_TOPOLOGIES = 1024 }; /* a limit, since by aliases a short file can name one topology very often */

typedef struct gb_slurm_document {
  gb_slurm *u;
  yaml_document_t *yaml;
} gb_slurm_document;

typedef struct gb_slurm_topology {
  yaml_node_t *name, *tree, *block, *node; /* NULL: it has none */
  bool chosen;
} gb_slurm_topology;

static gb_lexeme lexeme_of(const yaml_node_t *node) {
  const bool scalar = node != NULL && node->type == YAML_SCALAR_NODE;
  if (node == NULL)
    return (gb_lexeme){0};
  return (gb_lexeme){scalar ? (const char *)node->data.scalar.value : "",
                     scalar ? node->data.scalar.length : 0, (uint32_t)node->start_mark.line + 1,
                     (uint32_t)node->start_mark.column + 1};
}

static int wrong(const gb_slurm_document *d, const yaml_node_t *node, const char *expected) {
  const gb_lexeme found = lexeme_of(node);
  const gb_place where = gb_lexeme_place(&d->u->source, &found);
  return found.length > 0 ? gb_expected(&d->u->source, &found, "%s", expected)
                          : gb_fail_at(d->u->source.err, &where, "expected %s", expected);
}

/* The value of a key, whose letter case does not matter, as in Slurm. NULL: the mapping does not have it. */
static yaml_node_t *value_of(const gb_slurm_document *d, const yaml_node_t *mapping, const char *key) {
  for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start; p < mapping->data.mapping.pairs.top;
       p++) {
    const gb_lexeme name = lexeme_of(yaml_document_get_node(d->yaml, p->key));
    if (name.length == strlen(key) && strncasecmp(name.text, key, name.length) == 0)
      return yaml_document_get_node(d->yaml, p->value);
  }
  return NULL;
}

/* Reads the text of a key; empty if the mapping does not have the key. Fails if the value is no text. */
static int text_of(const gb_slurm_document *d, const yaml_node_t *mapping, const char *key, gb_lexeme *text) {
  const yaml_node_t *node = value_of(d, mapping, key);
  *text = lexeme_of(node);
  return node == NULL || node->type == YAML_SCALAR_NODE ? GBCAST_OK
                                                        : wrong(d, node, "names in one word, such as n[0-3]");
}

/* Reads a list of switches or blocks, and adds them. `list` and `kind`: the keys of the list and of names. */
static int read_members(const gb_slurm_document *d, const yaml_node_t *parent, const char *list,
                        const char *kind) {
  const yaml_node_t *node = parent->type == YAML_MAPPING_NODE ? value_of(d, parent, list) : NULL;
  if (node == NULL || node->type != YAML_SEQUENCE_NODE)
    return wrong(d, node != NULL ? node : parent, "a list of switches: or blocks:");
  int status = GBCAST_OK;
  for (const yaml_node_item_t *i = node->data.sequence.items.start;
       i < node->data.sequence.items.top && status == GBCAST_OK; i++) {
    const yaml_node_t *member = yaml_document_get_node(d->yaml, *i);
    gb_lexeme name, nodes = {0}, children = {0};
    if (member == NULL || member->type != YAML_MAPPING_NODE)
      return wrong(d, member != NULL ? member : node, "switch: or block: with a name");
    status = text_of(d, member, kind, &name);
    if (status == GBCAST_OK && name.length == 0)
      return wrong(d, member, "switch: or block: with a name");
    if (status == GBCAST_OK)
      status = text_of(d, member, "nodes", &nodes);
    if (status == GBCAST_OK)
      status = text_of(d, member, "children", &children);
    if (status == GBCAST_OK)
      status = gb_slurm_switch(d->u, &name, &nodes, &children);
  }
  return status;
}

static int read_topology(const gb_slurm_document *d, const gb_slurm_topology *t) {
  const gb_lexeme name = lexeme_of(t->name != NULL ? t->name : t->node);
  const gb_place where = gb_lexeme_place(&d->u->source, &name);
  const char *text = name.length > 0 ? name.text : "slurm";
  int status = gb_slurm_begin(d->u, text, strlen(text), &where);
  if (status == GBCAST_OK && t->tree != NULL)
    return read_members(d, t->tree, "switches", "switch");
  const yaml_node_t *sizes = status == GBCAST_OK && t->block->type == YAML_MAPPING_NODE
                                 ? value_of(d, t->block, "block_sizes")
                                 : NULL;
  if (sizes != NULL) {
    const gb_lexeme found = lexeme_of(sizes);
    gb_slurm_sizes(d->u, &found);
  }
  return status == GBCAST_OK ? read_members(d, t->block, "blocks", "block") : status;
}

static bool is_true(const yaml_node_t *node) {
  const gb_lexeme word = lexeme_of(node);
  return word.length == 4 && strncasecmp(word.text, "true", 4) == 0;
}

static int describe(const gb_slurm_document *d, yaml_node_t *node, gb_slurm_topology *t) {
  if (node == NULL || node->type != YAML_MAPPING_NODE)
    return wrong(d, node, "topology: with a name, and tree: or block:");
  *t = (gb_slurm_topology){.name = value_of(d, node, "topology"),
                           .tree = value_of(d, node, "tree"),
                           .block = value_of(d, node, "block"),
                           .node = node,
                           .chosen = is_true(value_of(d, node, "cluster_default"))};
  return GBCAST_OK;
}

static void leave_out(const gb_slurm_document *d, const gb_slurm_topology *t) {
  const gb_lexeme name = lexeme_of(t->name != NULL ? t->name : t->node);
  const gb_place where = gb_lexeme_place(&d->u->source, &name);
  gb_import_remark(d->u->m, &where, "topology '%s' is left out: %s", name.text,
                   t->tree != NULL || t->block != NULL ? "the cluster uses another one"
                                                       : "it has neither a tree nor blocks");
}

static int read_document(const gb_slurm_document *d) {
  const yaml_node_t *root = yaml_document_get_root_node(d->yaml);
  const yaml_node_item_t *best = NULL;
  gb_slurm_topology t = {0};
  int status = GBCAST_OK;
  bool chosen = false;
  if (root == NULL || root->type != YAML_SEQUENCE_NODE)
    return wrong(d, root, "a list of topologies, as in a topology.yaml");
  const yaml_node_item_t *first = root->data.sequence.items.start, *end = root->data.sequence.items.top;
  if (end - first > MOST_TOPOLOGIES)
    return wrong(d, root, "fewer topologies");
  for (const yaml_node_item_t *i = first; i < end && status == GBCAST_OK; i++) {
    status = describe(d, yaml_document_get_node(d->yaml, *i), &t);
    if (status == GBCAST_OK && (t.tree != NULL || t.block != NULL) &&
        (best == NULL || (t.chosen && !chosen))) {
      best = i;
      chosen = t.chosen;
    }
  }
  for (const yaml_node_item_t *i = first; i < end && status == GBCAST_OK; i++) {
    status = describe(d, yaml_document_get_node(d->yaml, *i), &t);
    if (status == GBCAST_OK && i == best)
      status = read_topology(d, &t);
    else if (status == GBCAST_OK)
      leave_out(d, &t);
  }
  if (status == GBCAST_OK && best == NULL)
    return wrong(d, root, "a topology with tree: or block:");
  return status == GBCAST_OK ? gb_slurm_end(d->u) : status;
}

static int cannot_parse(const gb_slurm *u, const yaml_parser_t *parser) {
  const gb_place where = {u->source.file, (uint32_t)parser->problem_mark.line + 1,
                          (uint32_t)parser->problem_mark.column + 1};
  if (parser->error == YAML_MEMORY_ERROR)
    return gb_no_memory(u->source.err);
  return gb_fail_at(u->source.err, &where, "expected valid YAML: %s",
                    parser->problem != NULL ? parser->problem : "an unknown problem");
}

int gb_import_slurm_yaml(gb_import *m, const char *file, const char *text, size_t length, gbcast_error *err) {
  gb_slurm u = {.m = m, .source = {.err = err, .file = file}};
  yaml_parser_t parser;
  yaml_document_t document;
  if (!yaml_parser_initialize(&parser))
    return gb_no_memory(err);
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
  int status;
  if (!yaml_parser_load(&parser, &document)) {
    status = cannot_parse(&u, &parser);
  } else {
    status = read_document(&(gb_slurm_document){&u, &document});
    yaml_document_delete(&document);
  }
  yaml_parser_delete(&parser);
  gb_slurm_release(&u);
  return status;
}
