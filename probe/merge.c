/* --merge: updates the numbers in the text of a hosts file. Each line is split into words as when the file is
 * read, and the values of measured keys are replaced:
 *
 *   link ottawa lyon  latency=46ms bandwidth=1Gbit/s   # leased
 *                             ^^^^           ^^^^^^^     everything else stays, byte by byte
 *
 * A number that has not changed keeps its spelling. The platform says for which directions a link line
 * stands: a line A -> B overrides a line A B. A line for both directions gets the mean of their latencies,
 * and of every other value the worse one. */
#include "probe/merge.h"
#include "platform/text/text.h"

#include <math.h>

typedef struct merger {
  const gbcast_platform *before, *now;
  gb_source source;
  const char *at; /* into the text; all before it has been written */
  FILE *out;
} merger;

void gb_numbers_of_cluster(const gb_cluster *before, const gb_cluster *now,
                           gb_merge_number number[GB_CLUSTER_NUMBERS]) {
  number[0] = (gb_merge_number){"latency", GB_TIME, before->latency, now->latency};
  number[1] = (gb_merge_number){"bandwidth", GB_RATE, before->bandwidth, now->bandwidth};
  number[2] = (gb_merge_number){"overhead", GB_TIME, before->overhead, now->overhead};
  number[3] = (gb_merge_number){"reduce", GB_TIME, before->reduce, now->reduce};
  number[4] = (gb_merge_number){"wan-bandwidth", GB_RATE, before->wan_bandwidth, now->wan_bandwidth};
  number[5] = (gb_merge_number){"contention", GB_FRACTION, before->contention, now->contention};
}

void gb_numbers_of_link(const gb_link *before, const gb_link *now, gb_merge_number number[GB_LINK_NUMBERS]) {
  number[0] = (gb_merge_number){"latency", GB_TIME, before->latency, now->latency};
  number[1] = (gb_merge_number){"bandwidth", GB_RATE, before->bandwidth, now->bandwidth};
  number[2] = (gb_merge_number){"overhead", GB_TIME, before->overhead, now->overhead};
  number[3] = (gb_merge_number){"stream-bandwidth", GB_RATE, before->stream_bandwidth, now->stream_bandwidth};
  number[4] = (gb_merge_number){"initial-window", GB_SIZE, before->initial_window, now->initial_window};
}

void gb_write_number(char text[GB_UNIT_TEXT], const gb_merge_number *number) {
  if (number->kind == GB_TIME)
    gb_write_time(text, number->now);
  else if (number->kind == GB_RATE)
    gb_write_rate(text, number->now);
  else if (number->kind == GB_FRACTION)
    gb_write_fraction(text, number->now);
  else
    gb_write_size(text, (uint64_t)number->now);
}

const gb_plogp_point *gb_point_of(const gb_plogp *table, uint64_t bytes) {
  for (uint32_t i = 0; i < table->count; i++)
    if (table->point[i].bytes == bytes)
      return &table->point[i];
  return NULL;
}

/* The value that the line has for a key; length 0: it has none. */
static gb_lexeme value_of(const gb_source *s, const char *key) {
  const size_t length = strlen(key);
  for (uint32_t i = 1; i < s->count; i++) {
    const gb_lexeme *w = &s->word[i];
    if (w->length > length && w->text[length] == '=' && memcmp(w->text, key, length) == 0)
      return gb_lexeme_part(w, length + 1, w->length - length - 1);
  }
  return gb_lexeme_part(&s->word[s->count], 0, 0);
}

/* Writes the line up to its last number that is replaced, with the new values. */
static void replace(merger *m, const gb_merge_number *number, uint32_t count) {
  for (uint32_t i = 1; i < m->source.count; i++)
    for (uint32_t k = 0; k < count; k++) {
      const gb_merge_number *n = &number[k];
      const gb_lexeme value = value_of(&m->source, n->key);
      char text[GB_UNIT_TEXT];
      if (value.length == 0 || value.text != m->source.word[i].text + strlen(n->key) + 1 ||
          n->now == n->before || !isfinite(n->now) || n->now < 0)
        continue;
      gb_write_number(text, n);
      (void)fwrite(m->at, 1, (size_t)(value.text - m->at), m->out);
      (void)fputs(text, m->out);
      m->at = value.text + value.length;
    }
}

/* Finds the site that a word names, in both platforms. */
static bool find(const merger *m, const gb_lexeme *word, uint32_t *before, uint32_t *now) {
  char name[GB_MAX_NAME + 1];
  (void)snprintf(name, sizeof name, "%.*s", (int)word->length, word->text);
  *before = gb_platform_find_cluster(m->before, name);
  *now = gb_platform_find_cluster(m->now, name);
  return *before != GB_NONE && *now != GB_NONE;
}

/* Returns the latency for a line (s). A line without overhead= keeps the default overhead, so its latency
 * includes what the measured overheads at both ends are above that: a message then takes as long as
 * measured. */
static double latency_of(const gb_source *s, double latency, double before, double now) {
  if (value_of(s, "overhead").length > 0 || now == before)
    return latency;
  return gb_larger(gb_probe_round(latency + 2 * (now - before)), GB_PROBE_LEAST_LATENCY);
}

static void merge_cluster(merger *m) {
  uint32_t before, now;
  gb_merge_number number[GB_CLUSTER_NUMBERS];
  if (!find(m, &m->source.word[1], &before, &now))
    return;
  const gb_cluster *old = &m->before->cluster[before];
  gb_cluster new = m->now->cluster[now];
  if (new.latency != old->latency)
    new.latency = latency_of(&m->source, new.latency, old->overhead, new.overhead);
  gb_numbers_of_cluster(old, &new, number);
  replace(m, number, GB_CLUSTER_NUMBERS);
}

/* The values of a line that stands for two directions. */
static gb_link both(const gb_link *a, const gb_link *b) {
  gb_link link = *a;
  if (a->latency != b->latency)
    link.latency = gb_probe_round((a->latency + b->latency) / 2);
  link.bandwidth = gb_smaller(a->bandwidth, b->bandwidth);
  link.overhead = gb_larger(a->overhead, b->overhead);
  link.stream_bandwidth = gb_smaller(a->stream_bandwidth, b->stream_bandwidth);
  link.initial_window = gb_smaller(a->initial_window, b->initial_window);
  return link;
}

static void merge_link(merger *m) {
  const gb_source *s = &m->source;
  const gb_lexeme *other = &s->word[gb_lexeme_is(&s->word[2], "->") ? 3 : 2];
  uint32_t before[2], now[2];
  const gb_link *said = NULL;
  gb_link link = {0};
  gb_merge_number number[GB_LINK_NUMBERS];
  if (!find(m, &s->word[1], &before[0], &now[0]) || !find(m, other, &before[1], &now[1]))
    return;
  for (int back = 0; back < 2; back++) {
    const gb_link *old = gb_platform_link(m->before, before[back], before[1 - back]),
                  *new = gb_platform_link(m->now, now[back], now[1 - back]);
    if (old == NULL || new == NULL || old->where.line != s->line)
      continue;
    link = said == NULL ? *new : both(&link, new);
    said = old;
  }
  if (said == NULL)
    return;
  if (value_of(s, "stream-bandwidth").length == 0) /* then bandwidth= is also what one stream gets */
    link.bandwidth = gb_smaller(link.bandwidth, link.stream_bandwidth);
  else if (!isfinite(link.stream_bandwidth))
    link.stream_bandwidth = link.bandwidth;
  if (link.latency != said->latency)
    link.latency = latency_of(s, link.latency, said->overhead, link.overhead);
  gb_numbers_of_link(said, &link, number);
  replace(m, number, GB_LINK_NUMBERS);
}

/* Updates a plogp line of a cluster; those between clusters stay. */
static void merge_point(merger *m) {
  const gb_lexeme size = value_of(&m->source, "size"), *second = &m->source.word[2];
  uint32_t before, now;
  uint64_t bytes = 0;
  const char *why = NULL;
  if (memchr(second->text, '=', second->length) == NULL ||
      !gb_read_size(size.text, size.length, &bytes, &why) || !find(m, &m->source.word[1], &before, &now))
    return;
  const gb_plogp_point *old = gb_point_of(&m->before->cluster[before].plogp, bytes),
                       *new = gb_point_of(&m->now->cluster[now].plogp, bytes);
  if (old == NULL || new == NULL)
    return;
  const gb_merge_number number[] = {{"gap", GB_TIME, old->gap, new->gap},
                                    {"latency", GB_TIME, old->latency, new->latency},
                                    {"os", GB_TIME, old->send_overhead, new->send_overhead},
                                    {"or", GB_TIME, old->receive_overhead, new->receive_overhead}};
  replace(m, number, sizeof number / sizeof *number);
}

static int merge_lines(merger *m, const char *text, size_t length) {
  int status = GBCAST_OK;
  m->at = text;
  for (size_t at = 0; at < length && status == GBCAST_OK; m->source.line++) {
    const size_t n = gb_line_length(text + at, length - at);
    const gb_lexeme *first;
    status = gb_lex_line(&m->source, text + at, n);
    if (status != GBCAST_OK)
      return status;
    first = &m->source.word[0];
    if (gb_lexeme_is(first, "cluster"))
      merge_cluster(m);
    else if (gb_lexeme_is(first, "link"))
      merge_link(m);
    else if (gb_lexeme_is(first, "plogp"))
      merge_point(m);
    at += n + 1;
  }
  (void)fwrite(m->at, 1, (size_t)(text + length - m->at), m->out);
  return status;
}

int gb_probe_merge(const char *text, size_t length, const char *name, const gbcast_platform *now, FILE *out,
                   gbcast_error *err) {
  gbcast_platform *before = NULL;
  int status = gbcast_platform_parse(text, length, name, &before, err);
  merger m = {.before = before,
              .now = now,
              .out = out,
              .source = {.err = err, .file = name, .line = 1, .c_comments = true}};
  if (status == GBCAST_OK)
    status = merge_lines(&m, text, length);
  gb_source_release(&m.source);
  gbcast_platform_free(before);
  return status;
}
