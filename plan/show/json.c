/* Printing JSON. */
#include "plan/show/json.h"
#include "plan/show/print.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdarg.h>

static void escape(const char *text, FILE *out) {
  const unsigned char *s = (const unsigned char *)text;
  while (*s != 0) {
    size_t n = gb_utf8_length((const char *)s, 4);
    if (n == 0 || *s < 0x20 || *s == 0x7f) {
      fprintf(out, "\\u%04x", *s);
      n = 1;
    } else if (*s == '"' || *s == '\\') {
      fprintf(out, "\\%c", *s);
    } else {
      fwrite(s, 1, n, out);
    }
    s += n;
  }
}

/* What goes before a member, but in a list without its name. */
static void put_key(gb_json_object *object, const char *key) {
  fputs(object->any ? object->separator : object->first, object->out);
  if (key != NULL)
    fprintf(object->out, "\"%s\": ", key);
  object->any = true;
}

gb_json_object gb_json_begin_document(FILE *out) {
  fputs("{ ", out);
  return (gb_json_object){.out = out, .first = "", .separator = ",\n  ", .end = "\n}\n", .none = "\n}\n"};
}

gb_json_object gb_json_begin_object(gb_json_object *in, const char *key) {
  put_key(in, key);
  fputs("{ ", in->out);
  return (gb_json_object){.out = in->out, .first = "", .separator = ", ", .end = " }", .none = " }"};
}

gb_json_object gb_json_begin_list(gb_json_object *in, const char *key, enum gb_json_layout layout) {
  static const gb_json_object list[] = {
      [GB_JSON_TIGHT] = {NULL, "", ", ", "]", "]", false},
      [GB_JSON_WIDE] = {NULL, " ", ", ", " ]", " ]", false},
      [GB_JSON_LINES] = {NULL, "\n    ", ",\n    ", "\n  ]", "\n  ]", false},
      [GB_JSON_ANY_LINES] = {NULL, "\n    ", ",\n    ", "\n  ]", "]", false},
      [GB_JSON_INNER_LINES] = {NULL, "\n        ", ",\n        ", "\n      ]", "\n      ]", false},
      [GB_JSON_INNER_BLOCK] = {NULL, "\n      ", ",\n      ", " ]", " ]", false},
      [GB_JSON_FLUSH_LINES] = {NULL, "\n", ",\n", "\n]", "\n]", false},
  };
  put_key(in, key);
  putc('[', in->out);
  gb_json_object o = list[layout];
  o.out = in->out;
  return o;
}

void gb_json_end(const gb_json_object *object) {
  fputs(object->any ? object->end : object->none, object->out);
}

void gb_json_string(gb_json_object *object, const char *key, const char *value) {
  gb_json_texts(object, key, value, NULL);
}

void gb_json_texts(gb_json_object *object, const char *key, ...) {
  va_list list;
  va_start(list, key);
  put_key(object, key);
  putc('"', object->out);
  for (const char *text = va_arg(list, const char *); text != NULL; text = va_arg(list, const char *))
    escape(text, object->out);
  putc('"', object->out);
  va_end(list);
}

void gb_json_number(gb_json_object *object, const char *key, double value) {
  put_key(object, key);
  fputs(isfinite(value) ? gb_text_number(value).s : "null", object->out);
}

void gb_json_integer(gb_json_object *object, const char *key, uint64_t value) {
  put_key(object, key);
  fprintf(object->out, "%llu", (unsigned long long)value);
}

void gb_json_bool(gb_json_object *object, const char *key, bool value) {
  put_key(object, key);
  fputs(value ? "true" : "false", object->out);
}

void gb_json_hash(gb_json_object *object, const char *key, uint64_t value) {
  put_key(object, key);
  fprintf(object->out, "\"%016llx\"", (unsigned long long)value);
}

void gb_json_cost(gb_json_object *o, double egress, double hire) {
  if (isnan(egress))
    return;
  gb_json_number(o, "cost_usd", egress + hire);
  gb_json_number(o, "egress_usd", egress);
  gb_json_number(o, "hire_usd", hire);
}
