/* Adds Slurm's switches and blocks to an import, whichever file they are from. */
#include "tools/import/slurm.h"
#include <stdlib.h>

int gb_slurm_begin(gb_slurm *u, const char *name, size_t length, const gb_place *where) {
  u->first = u->m->switch_count;
  return gb_import_add_site(u->m, name, length, where, &u->site, u->source.err);
}

static int add_node(void *context, const char *name, size_t length) {
  gb_slurm *u = context;
  const gb_place where = gb_lexeme_place(&u->source, u->list);
  return gb_import_add_host(u->m, name, length, u->site, u->at, 1, &where, u->source.err);
}

static int add_child(void *context, const char *name, size_t length) {
  gb_slurm *u = context;
  gb_slurm_child *list = gb_grow(u->child, u->child_count, &u->child_capacity, sizeof *list);
  if (list == NULL)
    return gb_source_no_memory(&u->source);
  u->child = list;
  if (u->child_count == GB_MAX_HOSTS)
    return gb_expected(&u->source, u->list, "at most %u switches", GB_MAX_HOSTS);
  const char *copy = gb_import_copy(u->m, name, length);
  if (copy == NULL)
    return gb_source_no_memory(&u->source);
  list[u->child_count++] = (gb_slurm_child){u->at, {copy, length, u->list->line, u->list->column}};
  return GBCAST_OK;
}

static int read_list(gb_slurm *u, const gb_lexeme *list, gb_name_sink *sink) {
  u->list = list;
  if (list->length == 0)
    return GBCAST_OK;
  const int status = gb_check_host_bytes(&u->source, list, ",[]");
  return status != GBCAST_OK ? status : gb_slurm_list(&u->source, list, sink, u);
}

int gb_slurm_switch(gb_slurm *u, const gb_lexeme *name, const gb_lexeme *nodes, const gb_lexeme *children) {
  const gb_place where = gb_lexeme_place(&u->source, name);
  bool is_new = false;
  if (gb_names_add(&u->names, &u->m->arena, name->text, name->length, &is_new) == GB_NONE)
    return gb_source_no_memory(&u->source);
  if (!is_new)
    return gb_expected(&u->source, name, "each switch and block declared once");
  int status = gb_import_add_switch(u->m, name->text, name->length, u->site, &where, &u->at, u->source.err);
  if (status == GBCAST_OK)
    status = read_list(u, nodes, add_node);
  if (status == GBCAST_OK)
    status = read_list(u, children, add_child);
  return status;
}

void gb_slurm_sizes(gb_slurm *u, const gb_lexeme *sizes) {
  const gb_place where = gb_lexeme_place(&u->source, sizes);
  if (sizes->length > 0)
    gb_import_remark(u->m, &where, "block sizes are left out: groups of blocks are not switches");
}

static int join(gb_slurm *u, const gb_slurm_child *c) {
  const uint32_t number = gb_names_find(&u->names, c->name.text, c->name.length);
  if (number == GB_NONE)
    return gb_expected(&u->source, &c->name, "a switch that the file declares");
  gb_import_switch *sw = &u->m->sw[u->first + number];
  if (sw->uplink != GB_NONE)
    return gb_expected(&u->source, &c->name, "each switch below only one other; it is already below '%s'",
                       u->m->sw[sw->uplink].name);
  sw->uplink = c->parent;
  return GBCAST_OK;
}

/* Goes up from each switch until the top, or a switch that was visited before. A switch that was visited on
 * the same way is part of a cycle. visitor[]: the way that visited each switch, from 1; 0: none did. */
static int find_circle(const gb_slurm *u, uint32_t *visitor) {
  for (uint32_t i = 0; i < u->names.count; i++)
    for (uint32_t at = i; visitor[at] == 0;) {
      const gb_import_switch *sw = &u->m->sw[u->first + at];
      visitor[at] = i + 1;
      if (sw->uplink == GB_NONE)
        break;
      at = sw->uplink - u->first;
      if (visitor[at] == i + 1)
        return gb_fail_at(u->source.err, &sw->where,
                          "found '%s' above itself, expected switches without a cycle", sw->name);
    }
  return GBCAST_OK;
}

static int check_circles(gb_slurm *u) {
  uint32_t *visitor = calloc((size_t)u->names.count + 1, sizeof *visitor);
  if (visitor == NULL)
    return gb_source_no_memory(&u->source);
  const int status = find_circle(u, visitor);
  free(visitor);
  return status;
}

int gb_slurm_end(gb_slurm *u) {
  int status = GBCAST_OK;
  for (uint32_t i = 0; i < u->child_count && status == GBCAST_OK; i++)
    status = join(u, &u->child[i]);
  return status == GBCAST_OK ? check_circles(u) : status;
}

void gb_slurm_release(gb_slurm *u) {
  gb_source_release(&u->source);
  gb_names_release(&u->names);
  free(u->child);
}
