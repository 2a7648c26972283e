/* Host lines: [user@]name[:slots] key=value... */
#include "platform/host_line.h"
#include "platform/units.h"

#include <string.h>

/* Keeps key=value for gbcast_platform_print, and reports each key that is not known once. */
static int keep_extra(gb_host_line *l, const gb_word *key, const gb_word *value, bool known) {
  gb_parser *q = l->parser;
  size_t before = l->extra == NULL ? 0 : strlen(l->extra) + 1;
  size_t length = before + key->length + 1 + value->length;
  if (length > GB_MAX_EXTRA)
    return gb_expected(&q->source, key, "at most %u bytes of key=value words for a host", GB_MAX_EXTRA);
  bool is_new = false;
  if (!known && gb_names_add(&q->unknown, &q->s->arena, key->text, key->length, &is_new) == GB_NONE)
    return gb_source_no_memory(&q->source);
  if (is_new &&
      gb_note(q, "%s:%u:%u: '%.*s=' is not known: kept, not used", q->source.file, (unsigned)key->line,
              (unsigned)key->column, (int)(key->length < 64 ? key->length : 64), key->text) != GBCAST_OK)
    return GBCAST_EMEMORY;
  char *extra = gb_arena_room(&q->s->arena, length);
  if (extra == NULL)
    return gb_source_no_memory(&q->source);
  if (before > 0) {
    memcpy(extra, l->extra, before - 1);
    extra[before - 1] = ' ';
  }
  memcpy(extra + before, key->text, key->length);
  extra[before + key->length] = '=';
  memcpy(extra + before + key->length + 1, value->text, value->length);
  l->extra = extra;
  return GBCAST_OK;
}

/* The cluster and the switch that the line names, or else those of the lines above. */
static int place_host(gb_host_line *l, const gb_word *cluster, const gb_word *sw) {
  gb_parser *q = l->parser;
  l->cluster = q->cluster;
  l->symbol = q->symbol;
  int status = GBCAST_OK;
  if (cluster->length > 0) {
    gb_place where = gb_word_place(&q->source, cluster);
    status = gb_check_name(&q->source, cluster, "cluster");
    if (status == GBCAST_OK)
      status = gb_intern_cluster(q, cluster->text, cluster->length, &where, &l->cluster);
    if (q->s->cluster_lines && l->cluster != q->cluster)
      l->symbol = GB_NONE;
  } else if (q->s->cluster_lines && q->cluster == GB_NONE) {
    status = gb_expected(&q->source, &l->name, "a cluster line above it, or cluster= behind it");
  }
  if (status == GBCAST_OK && sw->length > 0) {
    gb_place where = gb_word_place(&q->source, sw);
    uint32_t scope = q->s->cluster_lines ? l->cluster : GB_NONE;
    status = gb_check_name(&q->source, sw, "switch");
    if (status == GBCAST_OK)
      status = gb_intern_symbol(q, scope, sw, &where, &l->symbol);
  }
  return status;
}

int gb_parse_host(gb_parser *q) {
  gb_source *s = &q->source;
  gb_host_line l = {.parser = q, .where = gb_word_place(s, &s->word[0]), .slots = 1};
  gb_word slots = {0};
  gb_word cluster = {0};
  gb_word sw = {0};
  int status = gb_host_line_split(&l, s->word[0], &slots);
  for (uint32_t i = 1; status == GBCAST_OK && i < s->count;) {
    gb_word key;
    gb_word value;
    gb_word *known = NULL;
    status = gb_next_pair(s, &i, &key, &value);
    if (status != GBCAST_OK)
      return status;
    if (gb_word_is(&key, "slots"))
      known = &slots;
    else if (gb_word_is(&key, "cluster"))
      known = &cluster;
    else if (gb_word_is(&key, "switch"))
      known = &sw;
    bool limit = gb_word_is(&key, "max_slots") || gb_word_is(&key, "max-slots");
    const char *why = NULL;
    uint32_t most = 0;
    if (known != NULL && known->length > 0)
      return gb_expected(s, &key, "only one %s of a host on its line",
                         known == &slots ? "count" : "such word");
    if (known != NULL)
      *known = value;
    else if (limit && !gb_read_count(value.text, value.length, &most, &why))
      return gb_expected(s, &value, "%s", why);
    else
      status = keep_extra(&l, &key, &value, limit);
  }
  const char *why = NULL;
  if (status == GBCAST_OK && slots.length > 0 && !gb_read_count(slots.text, slots.length, &l.slots, &why))
    return gb_expected(s, &slots, "%s", why);
  if (status == GBCAST_OK)
    status = place_host(&l, &cluster, &sw);
  if (status != GBCAST_OK)
    return status;
  uint32_t count = 1;
  if (l.address) {
    const char *name = gb_arena_copy(&q->s->arena, l.name.text, l.name.length); /* for its NUL */
    status = name == NULL ? gb_source_no_memory(s) : gb_host_line_add(&l, name, l.name.length);
  } else {
    status = gb_range_count(s, &l.name, &count);
    if (status == GBCAST_OK)
      status = gb_range_expand(s, &l.name, gb_host_line_add, &l);
  }
  q->default_slots += slots.length == 0 ? count : 0;
  return status;
}
