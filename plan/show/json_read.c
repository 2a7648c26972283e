/* Reading JSON: arrays, objects, and the members of an object that the program knows. */
#include "plan/show/json_read.h"
#include "plan/show/json_scalar.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdarg.h>
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

int gb_json_fail(const gb_json_document *document, gb_json_spot spot, gbcast_error *err, const char *format,
                 ...) {
  char why[600];
  va_list list;
  va_start(list, format);
  (void)vsnprintf(why, sizeof why, format, list);
  va_end(list);
  const gb_place where = {document->file, spot.line, spot.column};
  return gb_fail_at(err, &where, "%s", why);
}

static bool is_whole(double number, uint64_t least, uint64_t most) {
  return number >= (double)least && number <= (double)most && (double)(uint64_t)number == number;
}

static int take(const gb_json_document *d, const gb_json *value, const gb_json_field *f, gbcast_error *err) {
  switch (f->want) {
  case GB_JSON_A_TEXT:
    if (value->kind != GB_JSON_STRING)
      return gb_json_fail(d, value->where, err, "\"%s\": expected a string", f->key);
    *(const char **)f->to = value->text;
    return GBCAST_OK;
  case GB_JSON_A_TIME:
    if (value->kind != GB_JSON_NULL && (value->kind != GB_JSON_NUMBER || value->number < 0))
      return gb_json_fail(d, value->where, err, "\"%s\": expected a number, at least 0, or null", f->key);
    *(double *)f->to = value->kind == GB_JSON_NULL ? NAN : value->number;
    return GBCAST_OK;
  case GB_JSON_AN_INTEGER:
    if (value->kind != GB_JSON_NUMBER || !is_whole(value->number, f->least, f->most))
      return gb_json_fail(d, value->where, err, "\"%s\": expected a whole number from %llu to %llu", f->key,
                          (unsigned long long)f->least, (unsigned long long)f->most);
    *(uint64_t *)f->to = (uint64_t)value->number;
    return GBCAST_OK;
  case GB_JSON_A_SWITCH:
    if (value->kind != GB_JSON_BOOL)
      return gb_json_fail(d, value->where, err, "\"%s\": expected true or false", f->key);
    *(bool *)f->to = value->number != 0;
    return GBCAST_OK;
  default:
    if (value->kind != GB_JSON_ARRAY)
      return gb_json_fail(d, value->where, err, "\"%s\": expected an array", f->key);
    *(const gb_json **)f->to = value;
    return GBCAST_OK;
  }
}

int gb_json_fields(const gb_json_document *document, const gb_json *object, gb_json_field *field,
                   size_t count, gbcast_error *err) {
  if (object->kind != GB_JSON_OBJECT)
    return gb_json_fail(document, object->where, err, "expected an object");
  for (const gb_json *m = gb_json_at(document, object->first); m != NULL; m = gb_json_at(document, m->next))
    for (size_t i = 0; i < count; i++) {
      if (strcmp(m->key, field[i].key) != 0)
        continue;
      int status = field[i].value != NULL
                       ? gb_json_fail(document, m->where, err, "\"%s\" is given twice", m->key)
                       : take(document, m, &field[i], err);
      if (status != GBCAST_OK)
        return status;
      field[i].value = m;
    }
  for (size_t i = 0; i < count; i++)
    if (field[i].required && field[i].value == NULL)
      return gb_json_fail(document, object->where, err, "found no \"%s\", which is needed here",
                          field[i].key);
  return GBCAST_OK;
}
