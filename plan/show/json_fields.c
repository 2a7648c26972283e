/* Reading JSON: the members of an object that the program knows. */
#include "plan/show/json_read.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

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
