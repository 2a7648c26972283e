/* Reading JSON: the values, without recursion. */
#include "plan/show/json_read.h"
#include "plan/show/json_scalar.h"
#include "platform/text/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct level {  /* an array or object that is not closed yet */
  uint32_t value, last; /* last: of its values, or GB_NONE */
} level;

typedef struct parsing {
  gb_json_reader r;
  gb_json_document *document;
  level open[GB_JSON_DEPTH];
  uint32_t depth;
} parsing;

static gb_json *innermost(const parsing *s) {
  return s->depth == 0 ? NULL : &s->document->value[s->open[s->depth - 1].value];
}

/* A value that begins here, in its array or object. */
static int add(parsing *s, const char *key, uint32_t *index) {
  gb_json_document *d = s->document;
  gb_json *grown = gb_grow(d->value, d->count, &d->capacity, sizeof *grown);
  if (grown == NULL)
    return gb_no_memory(s->r.err);
  d->value = grown;
  *index = d->count++;
  const gb_place here = gb_json_here(&s->r);
  grown[*index] = (gb_json){.where = {here.line, here.column}, .next = GB_NONE, .first = GB_NONE, .key = key};
  if (s->depth == 0)
    return GBCAST_OK;
  level *in = &s->open[s->depth - 1];
  *(in->last == GB_NONE ? &grown[in->value].first : &grown[in->last].next) = *index;
  grown[in->value].count++;
  in->last = *index;
  return GBCAST_OK;
}

static int read_key(parsing *s, const char **key) {
  *key = NULL;
  const gb_json *in = innermost(s);
  if (in == NULL || in->kind != GB_JSON_OBJECT)
    return GBCAST_OK;
  if (*s->r.at != '"')
    return gb_json_expected(&s->r, "a key in quotes");
  int status = gb_json_take_string(&s->r, key);
  if (status != GBCAST_OK)
    return status;
  gb_json_skip_blanks(&s->r);
  if (*s->r.at != ':')
    return gb_json_expected(&s->r, "':'");
  s->r.at++;
  gb_json_skip_blanks(&s->r);
  return GBCAST_OK;
}

static int open_level(parsing *s, uint32_t index, enum gb_json_kind kind) {
  if (s->depth == GB_JSON_DEPTH)
    return gb_json_expected(&s->r, "at most 64 arrays and objects within each other");
  s->document->value[index].kind = kind;
  s->open[s->depth++] = (level){index, GB_NONE};
  s->r.at++;
  return GBCAST_OK;
}

/* One value; of an array or object only its beginning. */
static int read_value(parsing *s) {
  const char *key;
  uint32_t index;
  int status = read_key(s, &key);
  if (status == GBCAST_OK)
    status = add(s, key, &index);
  if (status != GBCAST_OK)
    return status;
  gb_json *value = &s->document->value[index];
  switch (*s->r.at) {
  case '{':
    return open_level(s, index, GB_JSON_OBJECT);
  case '[':
    return open_level(s, index, GB_JSON_ARRAY);
  case '"':
    value->kind = GB_JSON_STRING;
    return gb_json_take_string(&s->r, &value->text);
  default:
    return gb_json_take_literal(&s->r, &value->kind, &value->number);
  }
}

/* What follows a value: *more, another one; otherwise all is closed. */
static int read_end(parsing *s, bool *more) {
  for (;;) {
    const gb_json *in = innermost(s);
    gb_json_skip_blanks(&s->r);
    *more = false;
    if (in == NULL)
      return *s->r.at == '\0' && s->r.at == s->r.end ? GBCAST_OK
                                                     : gb_json_expected(&s->r, "the end of the file");
    const bool object = in->kind == GB_JSON_OBJECT;
    if (*s->r.at == (object ? '}' : ']')) {
      s->depth--;
      s->r.at++;
      continue;
    }
    *more = true;
    if (in->count == 0)
      return GBCAST_OK;
    if (*s->r.at != ',')
      return gb_json_expected(&s->r, object ? "',' or '}'" : "',' or ']'");
    s->r.at++;
    gb_json_skip_blanks(&s->r);
    return GBCAST_OK;
  }
}

static int read_all(parsing *s) {
  bool more = true;
  int status = GBCAST_OK;
  gb_json_skip_blanks(&s->r);
  while (status == GBCAST_OK && more) {
    status = read_value(s);
    if (status == GBCAST_OK)
      status = read_end(s, &more);
  }
  return status;
}

int gb_json_read(const char *text, size_t length, const char *file, gb_json_document *out,
                 gbcast_error *err) {
  *out = (gb_json_document){.file = strdup(file), .text = malloc(length + 1)};
  gb_plain_locale plain = {0};
  int status =
      out->file != NULL && out->text != NULL && gb_plain_locale_set(&plain) ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    if (length > 0)
      memcpy(out->text, text, length);
    out->text[length] = '\0';
    parsing s = {.document = out};
    s.r = (gb_json_reader){.file = out->file,
                           .at = out->text,
                           .end = out->text + length,
                           .line_start = out->text,
                           .line = 1,
                           .err = err};
    status = read_all(&s);
  }
  gb_plain_locale_end(&plain);
  if (status != GBCAST_OK)
    gb_json_release(out);
  return status;
}

void gb_json_release(gb_json_document *document) {
  free(document->file);
  free(document->text);
  free(document->value);
  *document = (gb_json_document){0};
}
