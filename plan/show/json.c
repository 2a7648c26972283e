/* Printing JSON. */
#include "plan/show/json.h"
#include "plan/show/print.h"
#include "platform/text/text.h"

#include <math.h>

void gb_json_escape(const char *text, FILE *out) {
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

gb_json_object gb_json_begin(FILE *out) {
  fputs("{ ", out);
  return (gb_json_object){.out = out, .separator = ", "};
}

void gb_json_end(const gb_json_object *object) {
  fputs(" }", object->out);
}

void gb_json_key(gb_json_object *object, const char *key) {
  fprintf(object->out, "%s\"%s\": ", object->any ? object->separator : "", key);
  object->any = true;
}

void gb_json_string(gb_json_object *object, const char *key, const char *value) {
  gb_json_key(object, key);
  putc('"', object->out);
  gb_json_escape(value, object->out);
  putc('"', object->out);
}

void gb_json_number(gb_json_object *object, const char *key, double value) {
  gb_json_key(object, key);
  fputs(isfinite(value) ? gb_text_number(value).s : "null", object->out);
}

void gb_json_integer(gb_json_object *object, const char *key, uint64_t value) {
  gb_json_key(object, key);
  fprintf(object->out, "%llu", (unsigned long long)value);
}

void gb_json_bool(gb_json_object *object, const char *key, bool value) {
  gb_json_key(object, key);
  fputs(value ? "true" : "false", object->out);
}

void gb_json_hash(gb_json_object *object, const char *key, uint64_t value) {
  gb_json_key(object, key);
  fprintf(object->out, "\"%016llx\"", (unsigned long long)value);
}

void gb_json_cost(gb_json_object *o, double egress, double hire) {
  if (isnan(egress))
    return;
  gb_json_number(o, "cost_usd", egress + hire);
  gb_json_number(o, "egress_usd", egress);
  gb_json_number(o, "hire_usd", hire);
}
