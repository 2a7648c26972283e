/* The live file, one line a pair:
 *
 *   src dst latency_ms [bandwidth_mbit] [age_s] [key=value]...
 *           rtt=ms       -
 *           -
 *
 * A measurement that failed may be written as such (-, 0, nan): it is no value, and no mistake. */
#include "platform/live/live.h"
#include "platform/text/text.h"

#include <math.h>
#include <string.h>

enum { MILLI = -3, MEGA = 6, BITS = 8 };

#define DAY 86400.0 /* s: no clock is that wrong, but milliseconds read as seconds would never get old */

enum { LATENCY_ERROR, BANDWIDTH_ERROR, TIME, KEYS };

typedef struct line {
  gb_source *source;
  uint32_t at;  /* the word that comes next */
  double share; /* of the number that is given: one way is half of a round trip */
  bool aged;
  gb_live_value value;
} line;

/* Reads a word of the line, times 10^exponent. What is no positive number becomes 0: given, but of no use. */
static int read_value(const line *l, const gb_lexeme *w, int exponent, const char *what, double *value) {
  const char *why = NULL;
  *value = -1;
  if (gb_lexeme_is(w, "-"))
    return GBCAST_OK;
  if (!gb_read_number(w->text, w->length, exponent, value, &why))
    return gb_expected(l->source, w, "%s: %s, or - where it is not known", what, why);
  if (!(*value > 0))
    *value = 0;
  return GBCAST_OK;
}

static int read_name(const line *l, const gb_lexeme *w) {
  bool plain = w->length > 0 && memchr(w->text, '=', w->length) == NULL && !gb_lexeme_is(w, "->");
  if (!plain || w->length > GB_MAX_NAME)
    return gb_expected(l->source, w, "the name of a host or cluster, of at most %u bytes", GB_MAX_NAME);
  return GBCAST_OK;
}

static int read_latency(line *l) {
  static const char key[] = "rtt=";
  const size_t skip = sizeof key - 1;
  gb_lexeme w = l->source->word[l->at++];
  bool round_trip = w.length > skip && memcmp(w.text, key, skip) == 0;
  l->share = round_trip ? 0.5 : 1;
  if (round_trip)
    w = gb_lexeme_part(&w, skip, w.length - skip);
  int status = read_value(
      l, &w, MILLI, round_trip ? "the round trip in ms" : "the latency in ms, or rtt=", &l->value.latency);
  if (l->value.latency > 0)
    l->value.latency *= l->share;
  return status;
}

/* Whether a number comes next, and not a key or the end. */
static bool more(const line *l) {
  const gb_lexeme *w = &l->source->word[l->at];
  return w->length > 0 && memchr(w->text, '=', w->length) == NULL;
}

static int read_age(line *l) {
  const gb_lexeme *w = &l->source->word[l->at++];
  const char *why = NULL;
  l->aged = true;
  if (!gb_read_number(w->text, w->length, 0, &l->value.age, &why))
    return gb_expected(l->source, w, "the age in s: %s", why);
  if (l->value.age < -DAY)
    return gb_expected(l->source, w, "the age in s, a day from now at most");
  return GBCAST_OK;
}

static int read_keys(line *l, double now) {
  gb_attribute a[KEYS] = {[LATENCY_ERROR] = {"latency-error", GB_TEXT},
                          [BANDWIDTH_ERROR] = {"bandwidth-error", GB_TEXT},
                          [TIME] = {"time", GB_TEXT}};
  const char *why = NULL;
  double time = 0;
  int status = gb_attributes(l->source, l->at, a, KEYS);
  if (status == GBCAST_OK && a[LATENCY_ERROR].given) {
    status = read_value(l, &a[LATENCY_ERROR].value, MILLI, "the error in ms", &l->value.latency_error);
    l->value.latency_error *= l->share;
  }
  if (status == GBCAST_OK && a[BANDWIDTH_ERROR].given) {
    status = read_value(l, &a[BANDWIDTH_ERROR].value, MEGA, "the error in Mbit/s", &l->value.bandwidth_error);
    l->value.bandwidth_error /= BITS;
  }
  if (status != GBCAST_OK || !a[TIME].given)
    return status;
  if (l->aged)
    return gb_expected(l->source, &a[TIME].value, "an age or a time=, not both");
  if (!gb_read_number(a[TIME].value.text, a[TIME].value.length, 0, &time, &why))
    return gb_expected(l->source, &a[TIME].value, "seconds since 1970: %s", why);
  if (time > now + DAY)
    return gb_expected(l->source, &a[TIME].value, "seconds since 1970, a day from now at most");
  l->value.age = now - time;
  return GBCAST_OK;
}

static int parse_line(gb_live *live, gb_source *s, double now) {
  line l = {.source = s, .at = 2};
  l.value = (gb_live_value){.latency_error = -1, .bandwidth = -1, .bandwidth_error = -1};
  int status = read_name(&l, &s->word[0]);
  if (status == GBCAST_OK)
    status = read_name(&l, &s->word[1]);
  if (status == GBCAST_OK)
    status = read_latency(&l);
  if (status == GBCAST_OK && more(&l)) {
    status = read_value(&l, &s->word[l.at++], MEGA, "the bandwidth in Mbit/s", &l.value.bandwidth);
    if (l.value.bandwidth > 0)
      l.value.bandwidth /= BITS;
  }
  if (status == GBCAST_OK && more(&l))
    status = read_age(&l);
  if (status == GBCAST_OK)
    status = read_keys(&l, now);
  if (status != GBCAST_OK)
    return status;
  char name[2][GB_MAX_NAME + 1];
  for (int i = 0; i < 2; i++) {
    memcpy(name[i], s->word[i].text, s->word[i].length);
    name[i][s->word[i].length] = '\0';
  }
  l.value.from = name[0];
  l.value.to = name[1];
  return gb_live_add(live, &l.value, s->err);
}

static void leave_out(gb_live *live, const char *why) {
  if (live->left_out++ == 0)
    (void)gb_quote_message(live->first, sizeof live->first, why);
  if (live->report != NULL)
    live->report(live->context, why);
}

static int parse_lines(gb_live *live, gb_source *s, const char *text, size_t length, double now) {
  for (size_t at = 0; at < length; s->line++) {
    size_t n = gb_line_length(text + at, length - at);
    int status = gb_lex_line(s, text + at, n);
    if (status == GBCAST_OK && s->count > 0)
      status = parse_line(live, s, now);
    if (status == GBCAST_EINPUT)
      leave_out(live, s->err->message);
    else if (status != GBCAST_OK)
      return status;
    at += n + 1;
  }
  return GBCAST_OK;
}

int gb_live_parse(gb_live *live, const char *text, size_t length, const char *file, double now,
                  gbcast_error *err) {
  gb_plain_locale plain;
  if (!gb_plain_locale_set(&plain))
    return gb_no_memory(err);
  gbcast_error why = {""};
  gb_source source = {.err = &why, .file = file, .line = 1};
  int status = parse_lines(live, &source, text, length, now);
  gb_plain_locale_end(&plain);
  gb_source_release(&source);
  return status == GBCAST_OK ? status : gb_no_memory(err);
}
