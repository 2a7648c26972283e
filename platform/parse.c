/* Reads a hosts file line by line; see gbcast-hosts(5) for what a line may be. */
#include "platform/parse.h"
#include "platform/text/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct keyword {
  const char *word;
  int (*parse)(gb_parser *);
} keyword;

static const keyword keywords[] = {
    {"cluster", gb_parse_cluster}, {"switch", gb_parse_switch},     {"link", gb_parse_link},
    {"plogp", gb_parse_plogp},     {"topology", gb_parse_topology},
};

enum { KEYWORDS = sizeof keywords / sizeof *keywords, MISTAKES_MOST = 100 };

bool gb_is_keyword(const char *word) {
  for (size_t i = 0; i < KEYWORDS; i++)
    if (strcmp(word, keywords[i].word) == 0)
      return true;
  return false;
}

const char *gb_nearest_keyword(const gb_lexeme *word) {
  const char *nearest = NULL;
  unsigned best = GB_FAR;
  for (size_t i = 0; i < KEYWORDS; i++)
    if (gb_nearer(word->text, word->length, keywords[i].word, &best))
      nearest = keywords[i].word;
  return nearest;
}

int gb_mistake(gb_parser *q, int status) {
  if (status != GBCAST_EINPUT || q->report == NULL)
    return status;
  q->report(q->context, q->source.err->message);
  if (++q->mistakes < MISTAKES_MOST)
    return GBCAST_OK;
  return gb_fail(q->source.err, GBCAST_EINPUT, "%s: %d mistakes; the rest of the file was not read",
                 q->p->file, MISTAKES_MOST);
}

/* What a host belongs to depends on whether there are cluster lines anywhere, also below it. Mistakes are
 * reported when the lines are read. */
static int look_ahead(gb_parser *q, const char *text, size_t length) {
  gb_source s = {.file = q->p->file, .line = 1, .c_comments = true};
  int status = GBCAST_OK;
  for (size_t at = 0; at < length && status != GBCAST_EMEMORY;) {
    size_t n = gb_line_length(text + at, length - at);
    status = gb_lex_line(&s, text + at, n);
    if (status == GBCAST_OK && s.count > 0) {
      q->s->cluster_lines |= gb_lexeme_is(&s.word[0], "cluster");
      q->link_lines |= gb_lexeme_is(&s.word[0], "link");
    }
    at += n + 1;
  }
  gb_source_release(&s);
  return status == GBCAST_EMEMORY ? gb_no_memory(q->source.err) : GBCAST_OK;
}

static int parse_line(gb_parser *q) {
  for (size_t i = 0; i < KEYWORDS; i++)
    if (gb_lexeme_is(&q->source.word[0], keywords[i].word))
      return keywords[i].parse(q);
  return gb_parse_host(q);
}

static int parse_text(gb_parser *q, const char *text, size_t length) {
  if (length >= UINT32_MAX) {
    gb_place start = {q->p->file, 1, 1};
    return gb_fail_at(q->source.err, &start, "found a file of %zu bytes, expected less than 4 GiB", length);
  }
  int status = look_ahead(q, text, length);
  if (status != GBCAST_OK)
    return status;
  for (size_t at = 0; at < length;) {
    size_t n = gb_line_length(text + at, length - at);
    status = gb_lex_line(&q->source, text + at, n);
    if (status == GBCAST_OK && q->source.count > 0)
      status = parse_line(q);
    status = gb_mistake(q, status);
    if (status != GBCAST_OK)
      return status;
    q->source.line++;
    at += n + 1;
  }
  if (q->source.in_comment)
    status = gb_mistake(q, gb_fail_at(q->source.err, &q->source.comment_at,
                                      "found a comment without an end, expected */ behind it"));
  if (status == GBCAST_OK && q->mistakes == 0) /* what follows from a mistake is none */
    status = gb_build(q);
  if (status == GBCAST_OK && q->mistakes > 0)
    status = gb_fail(q->source.err, GBCAST_EINPUT, "%s: %u mistake%s", q->p->file, (unsigned)q->mistakes,
                     q->mistakes == 1 ? "" : "s");
  return status;
}

static void release(gb_parser *q) {
  for (uint32_t i = 0; i < q->topology_count; i++)
    free(q->topology[i].text);
  gb_source_release(&q->source);
  gb_names_release(&q->switch_names);
  gb_names_release(&q->seen);
  gb_names_release(&q->unknown);
  free(q->cluster_note);
  free(q->switch_note);
  free(q->symbols);
  free(q->plogp);
  free(q->link);
  free(q->topology);
  free(q->child);
  free(q->nodes);
}

static int parse_into(gb_parser *q, const char *text, size_t length, const char *name, gbcast_error *err) {
  gbcast_platform *p = q->p;
  p->storage = q->s = calloc(1, sizeof *q->s);
  if (q->s == NULL)
    return gb_no_memory(err);
  p->file = gb_arena_copy(&q->s->arena, name, strlen(name));
  gb_plain_locale plain;
  if (p->file == NULL || !gb_plain_locale_set(&plain))
    return gb_no_memory(err);
  q->source = (gb_source){.err = err, .file = p->file, .line = 1, .c_comments = true};
  int status = parse_text(q, text, length);
  gb_plain_locale_end(&plain);
  release(q);
  return status;
}

int gb_platform_parse(const char *text, size_t length, const char *name, gb_mistake_sink *report,
                      void *context, gbcast_platform **out, gbcast_error *err) {
  gbcast_error none;
  gbcast_platform *p = calloc(1, sizeof *p);
  if (p == NULL)
    return gb_no_memory(err);
  gb_parser q = {.p = p, .cluster = GB_NONE, .symbol = GB_NONE, .report = report, .context = context};
  int status = parse_into(&q, text, length, name, err != NULL ? err : &none);
  if (status == GBCAST_OK)
    *out = p;
  else
    gbcast_platform_free(p);
  return status;
}

int gbcast_platform_parse(const char *text, size_t length, const char *name, gbcast_platform **out,
                          gbcast_error *err) {
  if ((text == NULL && length > 0) || name == NULL || out == NULL)
    return gb_fail(err, GBCAST_EUSAGE, "a text, a name for it and a place for the platform are needed");
  return gb_platform_parse(text, length, name, NULL, NULL, out, err);
}
