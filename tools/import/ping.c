/* Reads what ping prints: ping of iputils (rtt min/avg/max/mdev = ...), of the BSDs (round-trip
 * min/avg/max/stddev = ...) and of BusyBox (round-trip min/avg/max = ...). A file may have any number of
 * outputs. The shortest round trip is imported: all others include time in queues, for which plans have their
 * own model. */
#include "tools/import/parts.h"

#include <math.h>

typedef struct gb_ping {
  gb_import *m;
  gb_source source;
  gb_import_sample sample; /* the one that is being read */
  bool open;               /* a PING line was read, but not yet the line with its round trips */
} gb_ping;

static bool is_any_of(const gb_lexeme *w, const char *a, const char *b) {
  return gb_lexeme_is(w, a) || gb_lexeme_is(w, b);
}

/* Copies a name, without the address in parentheses that iputils may append, or a colon at the end. */
static int read_name(gb_ping *p, const gb_lexeme *w, const char **name) {
  const char *bracket = memchr(w->text, '(', w->length), *colon = w->text + w->length - (w->length > 0);
  size_t length = bracket != NULL ? (size_t)(bracket - w->text) : w->length;
  if (length > 1 && bracket == NULL && *colon == ':' && w->text[length - 2] != ':')
    length--;
  *name = gb_import_copy(p->m, w->text, length);
  return *name != NULL ? GBCAST_OK : gb_source_no_memory(&p->source);
}

/* Reads the first line: PING NAME (ADDRESS) ..., or PING6(56=40+8+8 bytes) FROM --> TO. */
static int begin(gb_ping *p) {
  const gb_source *s = &p->source;
  int status = GBCAST_OK;
  if (p->open)
    gb_import_remark(p->m, &p->sample.where, "a ping is left out: it has no line with round trips");
  p->open = true;
  p->sample = (gb_import_sample){.latency = -1,
                                 .latency_error = -1,
                                 .round_trip = true,
                                 .bandwidth = -1,
                                 .time = -1,
                                 .where = gb_lexeme_place(s, &s->word[0])};
  for (uint32_t i = 1; i + 1 < s->count && status == GBCAST_OK; i++)
    if (gb_lexeme_is(&s->word[i], "-->")) {
      status = read_name(p, &s->word[i - 1], &p->sample.from);
      return status == GBCAST_OK ? read_name(p, &s->word[i + 1], &p->sample.to) : status;
    }
  return s->count > 1 ? read_name(p, &s->word[1], &p->sample.to)
                      : gb_expected(&p->source, &s->word[1], "the host that is pinged");
}

/* Reads the first number of LEAST/MEAN/MOST (ms). Some languages have a decimal comma. */
static int read_least(gb_ping *p, const gb_lexeme *w, double *ms) {
  char text[32];
  const char *slash = memchr(w->text, '/', w->length), *why = "";
  const size_t length = slash != NULL ? (size_t)(slash - w->text) : 0;
  if (length > 0 && length < sizeof text) {
    memcpy(text, w->text, length);
    char *comma = memchr(text, ',', length);
    if (comma != NULL)
      *comma = '.';
    if (gb_read_number(text, length, 0, ms, &why))
      return GBCAST_OK;
  }
  return gb_expected(&p->source, w, "round trips such as 0.045/0.051/0.060/0.006");
}

static int finish(gb_ping *p, const gb_lexeme *numbers, const gb_lexeme *unit) {
  double ms = 0;
  int status = read_least(p, numbers, &ms);
  if (status == GBCAST_OK && (unit->length < 2 || memcmp(unit->text, "ms", 2) != 0))
    status = gb_expected(&p->source, unit, "ms");
  if (status != GBCAST_OK)
    return status;
  p->open = false;
  p->sample.latency = ms * 1e-3;
  gb_import_sample back = p->sample;
  status = gb_import_add_sample(p->m, &p->sample, p->source.err);
  back.from = p->sample.to;
  back.to = p->sample.from;
  return status == GBCAST_OK ? gb_import_add_back(p->m, &back, p->source.err) : status;
}

/* Reads the time of a line of ping -D, which begins with [1795852800.123456] (s since 1970). */
static void read_stamp(gb_ping *p, const gb_lexeme *w) {
  const char *why;
  double time;
  if (w->length > 2 && w->text[0] == '[' && w->text[w->length - 1] == ']' &&
      gb_read_number(w->text + 1, w->length - 2, 0, &time, &why))
    p->sample.time = time >= 0 && time < 1e15 ? floor(time) : 0;
}

static int read_line(gb_ping *p) {
  const gb_source *s = &p->source;
  const gb_lexeme *first = &s->word[0];
  if (first->length >= 4 && memcmp(first->text, "PING", 4) == 0)
    return begin(p);
  if (!p->open)
    return GBCAST_OK;
  read_stamp(p, first);
  if (!is_any_of(first, "rtt", "round-trip"))
    return GBCAST_OK;
  for (uint32_t i = 1; i + 2 < s->count; i++)
    if (gb_lexeme_is(&s->word[i], "="))
      return finish(p, &s->word[i + 1], &s->word[i + 2]);
  return gb_expected(&p->source, &s->word[s->count], "min/avg/max = LEAST/MEAN/MOST ms");
}

int gb_import_ping(gb_import *m, const char *file, const char *text, size_t length, gbcast_error *err) {
  gb_ping p = {.m = m, .source = {.err = err, .file = file, .line = 1}};
  int status = GBCAST_OK;
  for (size_t at = 0; at < length && status == GBCAST_OK; p.source.line++) {
    const size_t n = gb_line_length(text + at, length - at);
    status = gb_lex_line(&p.source, text + at, n);
    if (status == GBCAST_OK && p.source.count > 0)
      status = read_line(&p);
    at += n + 1;
  }
  if (status == GBCAST_OK && p.open)
    gb_import_remark(m, &p.sample.where, "a ping is left out: it has no line with round trips");
  gb_source_release(&p.source);
  return status;
}
