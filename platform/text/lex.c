#include "platform/text/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 64 /* bytes of a word that a message shows */

int gb_source_no_memory(gb_source *s) {
  return gb_fail(s->err, GBCAST_EMEMORY, "out of memory");
}

gb_place gb_lexeme_place(const gb_source *s, const gb_lexeme *w) {
  return (gb_place){s->file, w->line, w->column};
}

bool gb_lexeme_is(const gb_lexeme *w, const char *text) {
  return strlen(text) == w->length && memcmp(w->text, text, w->length) == 0;
}

gb_lexeme gb_lexeme_part(const gb_lexeme *w, size_t from, size_t length) {
  return (gb_lexeme){w->text + from, length, w->line, w->column + (uint32_t)from};
}

int gb_expected(gb_source *s, const gb_lexeme *found, const char *format, ...) {
  char expected[600];
  va_list list;
  va_start(list, format);
  (void)vsnprintf(expected, sizeof expected, format, list);
  va_end(list);

  size_t shown = found->length;
  if (shown > SHOWN)
    for (shown = SHOWN; shown > 0 && ((unsigned char)found->text[shown] & 0xC0) == 0x80;)
      shown--;
  const char *quote = found->length > 0 ? "'" : "";
  char word[GB_QUOTED(SHOWN)];
  const char *text =
      found->length > 0 ? gb_quote(word, sizeof word, found->text, shown) : "the end of the line";
  const char *dots = shown < found->length ? "..." : "";
  gb_place where = gb_lexeme_place(s, found);
  if (s->included_at == NULL)
    return gb_fail_at(s->err, &where, "found %s%s%s%s, expected %s", quote, text, dots, quote, expected);
  return gb_fail_at(s->err, s->included_at, "%s:%u:%u: found %s%s%s%s, expected %s", s->file,
                    (unsigned)where.line, (unsigned)where.column, quote, text, dots, quote, expected);
}

void gb_source_release(gb_source *s) {
  free(s->word);
  s->word = NULL;
}

/* A byte that no line may have, described. */
static int bad_byte(gb_source *s, size_t at, const char *what) {
  gb_place where = {s->file, s->line, (uint32_t)at + 1};
  if (s->included_at == NULL)
    return gb_fail_at(s->err, &where, "found %s", what);
  return gb_fail_at(s->err, s->included_at, "%s:%u:%u: found %s", s->file, (unsigned)where.line,
                    (unsigned)where.column, what);
}

static int control_byte(gb_source *s, size_t at, unsigned char byte) {
  if (byte == '\r')
    return bad_byte(
        s, at,
        "a carriage return, expected lines that end with a line feed alone: convert the file with "
        "dos2unix, or save it with Unix line ends");
  if (byte == 0)
    return bad_byte(s, at, "a NUL byte, expected text: is this a binary file, or UTF-16?");
  char what[64];
  (void)snprintf(what, sizeof what, "the control character 0x%02x, expected text", (unsigned)byte);
  return bad_byte(s, at, what);
}

static bool add_word(gb_source *s, const char *text, size_t length, size_t at) {
  gb_lexeme *word = gb_grow(s->word, s->count, &s->capacity, sizeof *word);
  if (word == NULL)
    return false;
  s->word = word;
  word[s->count++] = (gb_lexeme){text, length, s->line, (uint32_t)at + 1};
  return true;
}

size_t gb_line_length(const char *text, size_t length) {
  const char *end = memchr(text, '\n', length);
  return end == NULL ? length : (size_t)(end - text);
}

size_t gb_join_lines(char *line, size_t left, size_t *next, uint32_t *lines) {
  size_t length = 0;
  size_t at = 0;
  *lines = 0;
  for (;;) {
    char *end = memchr(line + at, '\n', left - at);
    size_t part = end == NULL ? left - at : (size_t)(end - (line + at));
    memmove(line + length, line + at, part);
    length += part;
    at += part + (end != NULL);
    ++*lines;
    bool joined = length > 0 && line[length - 1] == '\\' && memchr(line, '#', length) == NULL;
    length -= joined;
    if (!joined || at == left)
      break;
  }
  *next = at;
  return length;
}

/* Whether a comment, of either kind, begins here. Paths may have two slashes. */
static bool begins_comment(const gb_source *s, const char *line, size_t at, size_t length, bool in_word) {
  const bool path = in_word && s->count > 0 && gb_lexeme_is(&s->word[0], "topology");
  return line[at] == '#' || (s->c_comments && !path &&
                             (gb_pair_at(line, at, length, "//") || gb_pair_at(line, at, length, "/*")));
}

/* Steps behind the comment that begins or goes on at `at`, to the end of the line where it does not end on
 * it. */
static size_t skip_comment(gb_source *s, const char *line, size_t at, size_t length) {
  if (!s->in_comment && !(s->c_comments && gb_pair_at(line, at, length, "/*")))
    return length;
  if (!s->in_comment) {
    s->in_comment = true;
    s->comment_at = (gb_place){s->file, s->line, (uint32_t)at + 1};
    at += 2;
  }
  for (; at < length; at++)
    if (gb_pair_at(line, at, length, "*/")) {
      s->in_comment = false;
      return at + 2;
    }
  return length;
}

/* The word that begins at *at, and *at behind it. */
static int lex_word(gb_source *s, const char *line, size_t length, size_t *at) {
  const size_t first = *at;
  size_t i = first;
  while (i < length && line[i] != ' ' && line[i] != '\t' && !begins_comment(s, line, i, length, true)) {
    const size_t step = gb_utf8_length(line + i, length - i);
    if (step == 0)
      return bad_byte(s, i, "a byte that is not UTF-8, expected text in UTF-8");
    if (step == 3 && memcmp(line + i, "\xEF\xBB\xBF", 3) == 0) /* wherever: files may have been joined */
      return bad_byte(s, i, "a byte order mark, expected text: save the file as UTF-8 without it");
    i += step;
  }
  *at = i;
  return add_word(s, line + first, i - first, first) ? GBCAST_OK : gb_source_no_memory(s);
}

int gb_lex_line(gb_source *s, const char *line, size_t length) {
  s->count = 0;
  for (size_t i = 0; i < length; i++) { /* comments too: a stray NUL or return means another kind of file */
    unsigned char byte = (unsigned char)line[i];
    if ((byte < ' ' && byte != '\t') || byte == 0x7F)
      return control_byte(s, i, byte);
  }
  size_t last = 0; /* where the last word ends: the end of the line in messages */
  for (size_t i = 0; i < length;) {
    if (s->in_comment || begins_comment(s, line, i, length, false)) {
      i = skip_comment(s, line, i, length);
    } else if (line[i] == ' ' || line[i] == '\t') {
      i++;
    } else {
      int status = lex_word(s, line, length, &i);
      if (status != GBCAST_OK)
        return status;
      last = i;
    }
  }
  if (!add_word(s, line + last, 0, last))
    return gb_source_no_memory(s);
  s->count--; /* the end of the line is there but not counted */
  return GBCAST_OK;
}

int gb_next_pair(gb_source *s, uint32_t *at, gb_lexeme *key, gb_lexeme *value) {
  const gb_lexeme *w = &s->word[(*at)++];
  const char *sign = memchr(w->text, '=', w->length);
  size_t length = sign == NULL ? w->length : (size_t)(sign - w->text);
  *key = gb_lexeme_part(w, 0, length);
  if (length == 0)
    return gb_expected(s, w, "key=value");
  if (sign == NULL) { /* key = value, or key =value */
    const gb_lexeme *next = &s->word[*at];
    if (next->length == 0 || next->text[0] != '=')
      return gb_expected(s, w, "key=value");
    w = next;
    length = 0;
    ++*at;
  }
  *value = gb_lexeme_part(w, length + 1, w->length - length - 1);
  if (value->length > 0)
    return GBCAST_OK;
  *value = s->word[*at]; /* key= value */
  if (value->length == 0)
    return gb_expected(s, value, "a value for %.*s=", (int)(key->length < SHOWN ? key->length : SHOWN),
                       key->text);
  ++*at;
  return GBCAST_OK;
}

static int read_value(gb_source *s, gb_attribute *a) {
  const gb_lexeme *v = &a->value;
  const char *why = NULL;
  bool good = true;
  if (a->kind == GB_TIME || a->kind == GB_TIME_OR_ZERO) {
    good = gb_read_time(v->text, v->length, &a->number, &why);
    if (good && a->number == 0 && a->kind == GB_TIME) {
      good = false;
      why = "a time above 0";
    }
  } else if (a->kind == GB_RATE) {
    good = gb_read_rate(v->text, v->length, &a->number, &why);
  } else if (a->kind == GB_FRACTION) {
    good = gb_read_fraction(v->text, v->length, &a->number, &why);
  } else if (a->kind == GB_EGRESS) {
    good = gb_read_egress(v->text, v->length, &a->number, &why);
  } else if (a->kind == GB_HIRE) {
    good = gb_read_hire(v->text, v->length, &a->number, &why);
  } else if (a->kind == GB_SIZE) {
    good = gb_read_size(v->text, v->length, &a->bytes, &why);
  }
  return good ? GBCAST_OK : gb_expected(s, v, "%s, for %s=", why, a->key);
}

/* What stands behind the key. */
static const char *sign_of(const gb_attribute *a) {
  return a->kind == GB_FLAG ? "" : "=";
}

static bool is_attribute(const gb_attribute *a, const gb_lexeme *w) {
  const size_t length = strlen(a->key);
  if (a->kind == GB_FLAG)
    return gb_lexeme_is(w, a->key);
  return w->length > length && w->text[length] == '=' && memcmp(w->text, a->key, length) == 0;
}

static int unknown_word(gb_source *s, const gb_lexeme *w, const gb_attribute *known, size_t count) {
  char list[256] = "";
  const char *sign = memchr(w->text, '=', w->length);
  const gb_attribute *nearest = NULL;
  unsigned best = GB_FAR;
  for (size_t i = 0, n = 0; i < count && n < sizeof list; i++) {
    n += (size_t)snprintf(list + n, sizeof list - n, " %s%s", known[i].key, sign_of(&known[i]));
    if (gb_nearer(w->text, sign != NULL ? (size_t)(sign - w->text) : w->length, known[i].key, &best))
      nearest = &known[i];
  }
  if (nearest != NULL)
    return gb_expected(s, w, "%s%s, without blanks around the =; this line may have%s", nearest->key,
                       sign_of(nearest), list);
  return gb_expected(s, w, "the end of the line or one of%s (no blanks around the =)", list);
}

int gb_attributes(gb_source *s, uint32_t at, gb_attribute *known, size_t count) {
  for (; at < s->count; at++) {
    const gb_lexeme *w = &s->word[at];
    gb_attribute *a = NULL;
    for (size_t i = 0; i < count && a == NULL; i++)
      if (is_attribute(&known[i], w))
        a = &known[i];
    if (a == NULL)
      return unknown_word(s, w, known, count);
    if (a->given)
      return gb_expected(s, w, "%s%s only once", a->key, sign_of(a));
    size_t skip = strlen(a->key) + 1;
    a->given = true;
    if (a->kind == GB_FLAG)
      continue;
    a->value = gb_lexeme_part(w, skip, w->length - skip);
    if (a->value.length == 0)
      return gb_expected(s, w, "a value right behind %s=", a->key);
    int status = read_value(s, a);
    if (status != GBCAST_OK)
      return status;
  }
  return GBCAST_OK;
}
