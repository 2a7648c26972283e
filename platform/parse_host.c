/* Host lines: [user@]name[:slots] key=value... */
#include "platform/host_line.h"
#include "platform/text/text.h"

#include <string.h>

enum meaning { COUNT, LIMIT, USER, CLUSTER, SWITCH, OTHER };

/* The words that hosts files, and hostfiles of Open MPI and Hydra, may have behind a host. */
static const struct {
  const char *word;
  enum meaning meaning;
} known[] = {{"slots", COUNT},     {"count", COUNT},     {"cpu", COUNT},       {"slots-max", LIMIT},
             {"slots_max", LIMIT}, {"max-slots", LIMIT}, {"max_slots", LIMIT}, {"cpu-max", LIMIT},
             {"cpu_max", LIMIT},   {"max-cpu", LIMIT},   {"max_cpu", LIMIT},   {"count-max", LIMIT},
             {"count_max", LIMIT}, {"max-count", LIMIT}, {"max_count", LIMIT}, {"username", USER},
             {"user-name", USER},  {"user_name", USER},  {"user", USER},       {"cluster", CLUSTER},
             {"switch", SWITCH}};

enum { KNOWN = sizeof known / sizeof *known };

static enum meaning meaning_of(const gb_lexeme *key) {
  for (size_t i = 0; i < KNOWN; i++)
    if (gb_lexeme_is(key, known[i].word))
      return known[i].meaning;
  return OTHER;
}

/* Reports a key that has no meaning here: as a warning where it is likely to be a mistake. */
static int tell_unknown(const gb_host_line *l, const gb_lexeme *key) {
  static const char *const elsewhere[] = {
      "latency", "bandwidth", "overhead",         "reduce",         "wan-bandwidth", "contention", "leader",
      "uplink",  "injection", "stream-bandwidth", "initial-window", "egress",        "hire"};
  gb_parser *q = l->parser;
  const char *meant = NULL, *misplaced = NULL;
  unsigned best = GB_FAR;
  char word[1024];
  (void)snprintf(word, sizeof word, "%s:%u:%u: '%.*s='", q->source.file, (unsigned)key->line,
                 (unsigned)key->column, (int)(key->length < 64 ? key->length : 64), key->text);
  for (size_t i = 0; i < KNOWN; i++)
    if (gb_nearer(key->text, key->length, known[i].word, &best))
      meant = known[i].word;
  for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
    if (gb_nearer(key->text, key->length, elsewhere[i], &best))
      misplaced = elsewhere[i];
  if (misplaced != NULL)
    return gb_warn(q,
                   "%s has no effect on the line of a host, here '%.*s'; %s= belongs on a line that begins "
                   "with the word cluster, switch or link",
                   word, (int)l->name.length, l->name.text, misplaced);
  return meant != NULL ? gb_warn(q, "%s is not known and has no effect; did you mean %s=?", word, meant)
                       : gb_note(q, "%s is not known: kept, not used", word);
}

/* Keeps key=value for gbcast_platform_print, and reports each unknown key once. */
static int keep_extra(gb_host_line *l, const gb_lexeme *key, const gb_lexeme *value, bool understood) {
  gb_parser *q = l->parser;
  size_t before = l->extra == NULL ? 0 : strlen(l->extra) + 1;
  size_t length = before + key->length + 1 + value->length;
  if (length > GB_MAX_EXTRA)
    return gb_expected(&q->source, key, "at most %u bytes of key=value words for a host", GB_MAX_EXTRA);
  bool is_new = false;
  if (!understood && gb_names_add(&q->unknown, &q->s->arena, key->text, key->length, &is_new) == GB_NONE)
    return gb_source_no_memory(&q->source);
  if (is_new && tell_unknown(l, key) != GBCAST_OK)
    return GBCAST_EMEMORY;
  char *extra = gb_arena_alloc(&q->s->arena, length);
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
static int place_host(gb_host_line *l, const gb_lexeme *cluster, const gb_lexeme *sw) {
  gb_parser *q = l->parser;
  l->cluster = q->cluster;
  l->symbol = q->symbol;
  int status = GBCAST_OK;
  if (cluster->length > 0) {
    gb_place where = gb_lexeme_place(&q->source, cluster);
    status = gb_check_name(&q->source, cluster, "cluster");
    if (status == GBCAST_OK)
      status = gb_intern_cluster(q, cluster->text, cluster->length, &where, &l->cluster);
    if (q->s->cluster_lines && l->cluster != q->cluster)
      l->symbol = GB_NONE;
  } else if (q->s->cluster_lines && q->cluster == GB_NONE && !q->keyword_misspelt) {
    status = gb_expected(&q->source, &l->name, "a cluster line above it, or cluster= behind it");
  }
  if (status == GBCAST_OK && sw->length > 0) {
    gb_place where = gb_lexeme_place(&q->source, sw);
    uint32_t scope = q->s->cluster_lines ? l->cluster : GB_NONE;
    status = gb_check_name(&q->source, sw, "switch");
    if (status == GBCAST_OK)
      status = gb_intern_symbol(q, scope, sw, &where, &l->symbol);
  }
  return status;
}

/* Lines of other files that a host line could be taken for. */
static int check_kind(gb_parser *q) {
  gb_source *s = &q->source;
  const gb_lexeme *second = &s->word[1], *third = second + (s->count > 1);
  const char *next = s->count > 1 ? second->text : "";
  if (gb_lexeme_is(&s->word[0], "rank") && *next >= '0' && *next <= '9')
    return gb_expected(s, &s->word[0],
                       "a host: this is a line of a rankfile, and hosts files are like hostfiles");
  const bool pair = memchr(next, '=', second->length) != NULL || (third->length > 0 && third->text[0] == '=');
  const char *keyword = s->count > 1 && !pair ? gb_nearest_keyword(&s->word[0]) : NULL;
  if (keyword == NULL)
    return GBCAST_OK;
  q->keyword_misspelt = true;
  return gb_expected(s, &s->word[0], "the keyword %s, or a host with key=value behind it", keyword);
}

typedef struct host_words { /* behind the name; length 0: not there */
  gb_lexeme value[OTHER];
} host_words;

static int read_words(gb_host_line *l, host_words *w) {
  gb_source *s = &l->parser->source;
  int status = GBCAST_OK;
  for (uint32_t i = 1; status == GBCAST_OK && i < s->count;) {
    gb_lexeme key;
    gb_lexeme value;
    status = gb_next_pair(s, &i, &key, &value);
    if (status != GBCAST_OK)
      return status;
    const enum meaning meaning = meaning_of(&key);
    if (gb_lexeme_is(&key, "slot")) /* which Open MPI has in rankfiles */
      return gb_expected(s, &key, "slots=");
    if (meaning != OTHER && meaning != LIMIT &&
        w->value[meaning].length > 0) /* of limits the last one counts */
      return gb_expected(s, &key, "only one %s of a host on its line",
                         meaning == COUNT ? "count" : "such word");
    if (meaning != OTHER)
      w->value[meaning] = value;
    if (meaning == USER)
      status = gb_host_line_user(l, value);
    else if (meaning == OTHER || meaning == LIMIT)
      status = keep_extra(l, &key, &value, meaning == LIMIT);
  }
  return status;
}

/* Without a count a host has its maximum number of slots, as in Open MPI. */
static int read_slots(gb_host_line *l, const host_words *w) {
  gb_source *s = &l->parser->source;
  const gb_lexeme *count = &w->value[COUNT], *limit = &w->value[LIMIT];
  const char *why = NULL;
  uint32_t most = 1;
  if (limit->length > 0 && !gb_read_count(limit->text, limit->length, &most, &why))
    return gb_expected(s, limit, "%s", why);
  l->slots = most;
  if (count->length > 0 && !gb_read_count(count->text, count->length, &l->slots, &why))
    return gb_expected(s, count, "%s", why);
  return GBCAST_OK;
}

int gb_parse_host(gb_parser *q) {
  gb_source *s = &q->source;
  gb_host_line l = {.parser = q, .where = gb_lexeme_place(s, &s->word[0])};
  host_words w = {0};
  int status = check_kind(q);
  if (status == GBCAST_OK)
    status = gb_host_line_split(&l, s->word[0], &w.value[COUNT]);
  if (status == GBCAST_OK)
    status = read_words(&l, &w);
  if (status == GBCAST_OK)
    status = read_slots(&l, &w);
  if (status == GBCAST_OK)
    status = place_host(&l, &w.value[CLUSTER], &w.value[SWITCH]);
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
  q->default_slots += w.value[COUNT].length == 0 && w.value[LIMIT].length == 0 ? count : 0;
  return status;
}
