/* Host lines: [user@]name[:slots] key=value... */
#include "platform/parse.h"
#include "platform/units.h"

#include <string.h>

#define MAX_EXTRA 4096u /* bytes of unknown words for a host: joining them stays cheap */

typedef struct host_line {
  gb_parser *parser;
  gb_word name; /* as written, ranges unexpanded */
  bool address;
  gb_place where;
  char *user, *extra;
  uint32_t slots;
  uint32_t cluster; /* GB_NONE: by the name */
  uint32_t symbol;  /* of the switch */
} host_line;

/* Dotted quads count as bare names. */
static bool is_ipv4(const char *name, size_t length) {
  unsigned parts = 1;
  unsigned digits = 0;
  for (size_t i = 0; i < length; i++) {
    if (name[i] == '.' && digits > 0) {
      parts++;
      digits = 0;
    } else if (name[i] >= '0' && name[i] <= '9' && digits < 3) {
      digits++;
    } else {
      return false;
    }
  }
  return parts == 4 && digits > 0;
}

const char *gb_host_group(const char *name, size_t *length) {
  size_t whole = strlen(name);
  bool address = strchr(name, ':') != NULL || is_ipv4(name, whole);
  const char *dot = address ? NULL : strchr(name, '.');
  const char *group = dot == NULL || dot[1] == '\0' ? "local" : dot + 1;
  *length = strlen(group);
  return group;
}

static int natural_cluster(const host_line *l, const char *name, uint32_t *cluster) {
  gb_parser *q = l->parser;
  size_t length = 0;
  const char *group = gb_host_group(name, &length);
  int status = gb_intern_cluster(q, group, length, &l->where, cluster);
  if (status == GBCAST_OK && !q->cluster_note[*cluster].declared) {
    q->cluster_note[*cluster].declared = true;
    q->p->cluster[*cluster].where = l->where;
  }
  return status;
}

static int add_slots(const host_line *l, gb_host *h, uint32_t cluster) {
  gb_parser *q = l->parser;
  gb_arena *a = &q->s->arena;
  const gb_cluster *c = q->p->cluster;
  unsigned line = h->where.line;
  if (h->cluster != cluster)
    return gb_fail_at(q->source.err, &l->where, "found '%s' in cluster '%s', expected '%s' as on line %u",
                      h->name, c[cluster].name, c[h->cluster].name, line);
  if (h->sw != l->symbol) {
    const char *now = l->symbol == GB_NONE ? "no switch" : q->symbols[l->symbol].name;
    const char *before = h->sw == GB_NONE ? "no switch" : q->symbols[h->sw].name;
    return gb_fail_at(q->source.err, &l->where, "found '%s' on '%s', expected '%s' as on line %u", h->name,
                      now, before, line);
  }
  if (h->user != NULL && l->user != NULL && strcmp(h->user, l->user) != 0)
    return gb_fail_at(q->source.err, &l->where, "found '%s' with user '%s', expected '%s' as on line %u",
                      h->name, l->user, h->user, line);
  if (h->user == NULL)
    h->user = l->user;
  if (h->extra == NULL) {
    h->extra = l->extra;
  } else if (l->extra != NULL && strcmp(h->extra, l->extra) != 0) {
    size_t first = strlen(h->extra);
    size_t second = strlen(l->extra);
    if (first + second >= MAX_EXTRA)
      return gb_expected(&q->source, &l->name, "at most %u bytes of key=value words for a host", MAX_EXTRA);
    char *joined = gb_arena_room(a, first + 1 + second);
    if (joined == NULL)
      return gb_source_no_memory(&q->source);
    memcpy(joined, h->extra, first);
    joined[first] = ' ';
    memcpy(joined + first + 1, l->extra, second);
    h->extra = joined;
  }
  h->slots += l->slots; /* the sum over all hosts is checked by the caller */
  return GBCAST_OK;
}

static int add_host(void *context, const char *name, size_t length) {
  host_line *l = context;
  gb_parser *q = l->parser;
  gbcast_platform *p = q->p;
  uint32_t cluster = l->cluster;
  if (cluster == GB_NONE) {
    int status = natural_cluster(l, name, &cluster);
    if (status != GBCAST_OK)
      return status;
  }
  if (p->slot_count + l->slots > INT32_MAX)
    return gb_expected(&q->source, &l->name, "at most %d slots in all", INT32_MAX);
  p->slot_count += l->slots;
  bool is_new = false;
  uint32_t host = gb_names_add(&q->s->hosts, &q->s->arena, name, length, &is_new);
  if (host == GB_NONE)
    return gb_source_no_memory(&q->source);
  if (!is_new)
    return add_slots(l, &p->host[host], cluster);
  if (p->host_count == GB_MAX_HOSTS)
    return gb_expected(&q->source, &l->name, "at most %u hosts", GB_MAX_HOSTS);
  gb_host *hosts = gb_grow(p->host, p->host_count, &q->host_capacity, sizeof *hosts);
  if (hosts == NULL)
    return gb_source_no_memory(&q->source);
  p->host = hosts;
  hosts[p->host_count++] = (gb_host){.name = (char *)q->s->hosts.key[host].text,
                                     .user = l->user,
                                     .extra = l->extra,
                                     .cluster = cluster,
                                     .sw = l->symbol,
                                     .slots = l->slots,
                                     .where = l->where};
  return GBCAST_OK;
}

/* [fe80::1]:4; the brackets are no part of the name. */
static int split_address(host_line *l, gb_word *word, gb_word *slots) {
  gb_source *s = &l->parser->source;
  const char *close = memchr(word->text, ']', word->length);
  size_t at = (size_t)(close - word->text);
  l->address = true;
  l->name = gb_word_part(word, 1, at - 1);
  const char *zone = memchr(l->name.text, '%', l->name.length);
  size_t digits = zone == NULL ? l->name.length : (size_t)(zone - l->name.text);
  for (size_t i = 0; i < digits; i++)
    if (strchr("0123456789abcdefABCDEF:.", l->name.text[i]) == NULL)
      return gb_expected(s, &l->name, "an IPv6 address between the brackets");
  for (size_t i = digits; i < l->name.length; i++)
    if (strchr("[]=@,", l->name.text[i]) != NULL)
      return gb_expected(s, &l->name, "an IPv6 address between the brackets");
  if (l->name.length > GB_MAX_NAME)
    return gb_expected(s, &l->name, "a name of at most %u bytes", GB_MAX_NAME);
  if (at + 1 == word->length)
    return GBCAST_OK;
  gb_word rest = gb_word_part(word, at + 1, word->length - at - 1);
  if (rest.text[0] != ':' || rest.length == 1)
    return gb_expected(s, &rest, "the end of the word or :slots behind the ]");
  *slots = gb_word_part(&rest, 1, rest.length - 1);
  return GBCAST_OK;
}

static int check_host_name(gb_source *s, const gb_word *name) {
  size_t depth = 0;
  if (name->length == 0)
    return gb_expected(s, name, "the name of a host");
  if (strchr("^+", name->text[0]) != NULL)
    return gb_expected(s, name, "a host by name: ^host and +n0 select from other lists");
  for (size_t i = 0; i < name->length; i++) {
    char c = name->text[i];
    gb_word rest = gb_word_part(name, i, name->length - i);
    depth = c == '[' ? 1 : depth;
    depth = c == ']' ? 0 : depth;
    if (c == '=' || c == '@' || (c == ',' && depth == 0))
      return gb_expected(s, &rest, "a name without = @ , (one host on a line)");
    if (c == '-' && i + 1 < name->length && name->text[i + 1] == '>')
      return gb_expected(s, &rest, "the name of a host");
  }
  return GBCAST_OK;
}

/* Takes the first word apart. `slots` is left alone when there is no count. */
static int split_host(host_line *l, gb_word word, gb_word *slots) {
  gb_parser *q = l->parser;
  gb_source *s = &q->source;
  const char *at = memchr(word.text, '@', word.length);
  if (at != NULL) {
    gb_word user = gb_word_part(&word, 0, (size_t)(at - word.text));
    gb_word rest = gb_word_part(&word, user.length + 1, word.length - user.length - 1);
    if (user.length == 0 || rest.length == 0 || memchr(user.text, '=', user.length) != NULL)
      return gb_expected(s, &word, "user@host");
    l->user = gb_arena_copy(&q->s->arena, user.text, user.length);
    if (l->user == NULL)
      return gb_source_no_memory(s);
    word = rest;
  }
  const char *colon = memchr(word.text, ':', word.length);
  const char *close = memchr(word.text, ']', word.length);
  if (word.text[0] == '[' && colon != NULL && close != NULL && colon < close)
    return split_address(l, &word, slots);
  l->name = word;
  if (colon != NULL &&
      (close == NULL || colon > close || memchr(word.text, '[', (size_t)(colon - word.text)) == NULL)) {
    size_t n = (size_t)(colon - word.text);
    l->name = gb_word_part(&word, 0, n);
    *slots = gb_word_part(&word, n + 1, word.length - n - 1);
    if (slots->length == 0)
      return gb_expected(s, &word, "a count of slots behind the :");
    if (memchr(slots->text, ':', slots->length) != NULL)
      return gb_expected(s, &word, "host:slots with one :; an IPv6 address is written [address]:slots");
  }
  return check_host_name(s, &l->name);
}

/* Keeps key=value for gbcast_platform_print, and reports each key that is not known once. */
static int keep_extra(host_line *l, const gb_word *key, const gb_word *value, bool known) {
  gb_parser *q = l->parser;
  size_t before = l->extra == NULL ? 0 : strlen(l->extra) + 1;
  size_t length = before + key->length + 1 + value->length;
  if (length > MAX_EXTRA)
    return gb_expected(&q->source, key, "at most %u bytes of key=value words for a host", MAX_EXTRA);
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
static int place_host(host_line *l, const gb_word *cluster, const gb_word *sw) {
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
  host_line l = {.parser = q, .where = gb_word_place(s, &s->word[0]), .slots = 1};
  gb_word slots = {0};
  gb_word cluster = {0};
  gb_word sw = {0};
  int status = split_host(&l, s->word[0], &slots);
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
    status = name == NULL ? gb_source_no_memory(s) : add_host(&l, name, l.name.length);
  } else {
    status = gb_range_count(s, &l.name, &count);
    if (status == GBCAST_OK)
      status = gb_range_expand(s, &l.name, add_host, &l);
  }
  q->default_slots += slots.length == 0 ? count : 0;
  return status;
}
