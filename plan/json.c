/* Pieces of JSON. */
#include "plan/json.h"
#include "plan/print.h"

#include <math.h>

size_t gb_utf8_length(const unsigned char *s) {
  size_t n = s[0] < 0x80                   ? 1
             : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
             : (s[0] & 0xf0) == 0xe0       ? 3
             : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                           : 0;
  for (size_t i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80) { /* also stops at the end of the string */
      return 0;
    }
  }
  bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
  bool beyond = (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90);
  return overlong || beyond ? 0 : n;
}

void gb_json_escape(const char *text, FILE *out) {
  const unsigned char *s = (const unsigned char *)text;
  while (*s != 0) {
    size_t n = gb_utf8_length(s);
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
