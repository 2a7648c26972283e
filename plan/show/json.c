/* Pieces of JSON. */
#include "plan/show/json.h"
#include "plan/show/print.h"
#include "plan/show/utf8.h"

#include <math.h>

void gb_json_escape(const char *text, FILE *out) {
  const unsigned char *s = (const unsigned char *)text;
  while (*s != 0) {
    size_t n = gb_utf8_length((const char *)s);
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

void gb_json_string(const char *key, const char *value, FILE *out) {
  fprintf(out, "\"%s\": \"", key);
  gb_json_escape(value, out);
  putc('"', out);
}

void gb_json_number(const char *key, double value, FILE *out) {
  fprintf(out, "\"%s\": %s", key, isfinite(value) ? gb_text_number(value).s : "null");
}

void gb_json_integer(const char *key, uint64_t value, FILE *out) {
  fprintf(out, "\"%s\": %llu", key, (unsigned long long)value);
}
