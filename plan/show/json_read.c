/* Reading JSON: arrays and objects. */
#include "plan/show/json_read.h"
#include "plan/show/json_scalar.h"
#include "platform/text/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct parsing {
  gb_json_reader r;
  gb_json_document *document;
  uint32_t depth; /* arrays and objects that are not closed yet */
} parsing;

static int read_value(parsing *s, const char *key, uint32_t *index); /* calls itself GB_JSON_DEPTH times */

static int read_key(parsing *s, const char **key) {
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

/* The values of an array or object, and its end. */
static int read_members(parsing *s, uint32_t in, bool object) {
  if (s->depth == GB_JSON_DEPTH)
    return gb_json_expected(&s->r, "at most 64 arrays and objects within each other");
  s->depth++;
  s->r.at++;
  gb_json_skip_blanks(&s->r);
  for (uint32_t last = GB_NONE, index; *s->r.at != (object ? '}' : ']'); last = index) {
    const char *key = NULL;
    if (last != GB_NONE && *s->r.at != ',')
      return gb_json_expected(&s->r, object ? "',' or '}'" : "',' or ']'");
    s->r.at += last != GB_NONE;
    gb_json_skip_blanks(&s->r);
    int status = object ? read_key(s, &key) : GBCAST_OK;
    if (status == GBCAST_OK)
      status = read_value(s, key, &index);
    if (status != GBCAST_OK)
      return status;
    gb_json *value = s->document->value;
    *(last == GB_NONE ? &value[in].first : &value[last].next) = index;
    value[in].count++;
    gb_json_skip_blanks(&s->r);
  }
  s->depth--;
  s->r.at++;
  return GBCAST_OK;
}

static int read_value(parsing *s, const char *key, uint32_t *index) {
  gb_json_document *d = s->document;
  gb_json *value = gb_grow(d->value, d->count, &d->capacity, sizeof *value);
  if (value == NULL)
    return gb_no_memory(s->r.err);
  d->value = value;
  *index = d->count++;
  value += *index;
  const gb_place here = gb_json_here(&s->r);
  *value = (gb_json){.where = {here.line, here.column}, .next = GB_NONE, .first = GB_NONE, .key = key};
  switch (*s->r.at) {
  case '{':
    value->kind = GB_JSON_OBJECT;
    return read_members(s, *index, true);
  case '[':
    value->kind = GB_JSON_ARRAY;
    return read_members(s, *index, false);
  case '"':
    value->kind = GB_JSON_STRING;
    return gb_json_take_string(&s->r, &value->text);
  default:
    return gb_json_take_literal(&s->r, &value->kind, &value->number);
  }
}

static int read_document(parsing *s) {
  uint32_t whole;
  gb_json_skip_blanks(&s->r);
  int status = read_value(s, NULL, &whole);
  gb_json_skip_blanks(&s->r);
  if (status == GBCAST_OK && s->r.at != s->r.end)
    status = gb_json_expected(&s->r, "the end of the file");
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
    status = read_document(&s);
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
