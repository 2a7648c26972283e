/* Reading JSON: strings, numbers and the three literals. */
#include "plan/show/json_scalar.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 32 }; /* bytes of what is found that a message shows */

gb_place gb_json_here(const gb_json_reader *r) {
  return (gb_place){r->file, r->line, (uint32_t)(r->at - r->line_start) + 1};
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_of_literal(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' ||
         c == '.' || c == '_';
}

int gb_json_expected(gb_json_reader *r, const char *expected) {
  const gb_place here = gb_json_here(r);
  if (r->at == r->end)
    return gb_fail_at(r->err, &here, "found the end of the file, expected %s", expected);
  size_t shown = 0, whole = gb_utf8_length(r->at, 4);
  while (shown < SHOWN && is_of_literal(r->at[shown]))
    shown++;
  if (shown > 0 || (whole > 0 && (unsigned char)*r->at >= ' '))
    return gb_fail_at(r->err, &here, "found '%.*s', expected %s", (int)(shown > 0 ? shown : whole), r->at,
                      expected);
  return gb_fail_at(r->err, &here, "found the byte %u, expected %s", (unsigned char)*r->at, expected);
}

void gb_json_skip_blanks(gb_json_reader *r) {
  for (; *r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'; r->at++)
    if (*r->at == '\n') {
      r->line++;
      r->line_start = r->at + 1;
    }
}

/* The four digits behind \u, or -1. */
static int32_t hex4(const char *digits) {
  int32_t value = 0;
  for (int i = 0; i < 4; i++) {
    const char c = digits[i];
    const int digit = is_digit(c)            ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0)
      return -1;
    value = 16 * value + digit;
  }
  return value;
}

static char *put_utf8(char *to, uint32_t code) {
  const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
  *to++ = (char)(first[more] | code >> (6 * more));
  for (int i = more - 1; i >= 0; i--)
    *to++ = (char)(0x80 | (code >> (6 * i) & 0x3F));
  return to;
}

/* r->at is at the 'u'. */
static int read_code(gb_json_reader *r, char **to) {
  int32_t code = hex4(r->at + 1), low = -1;
  if (code >= 0xD800 && code < 0xDC00 && r->at[5] == '\\' && r->at[6] == 'u')
    low = hex4(r->at + 7);
  const bool pair = low >= 0xDC00 && low < 0xE000;
  if (code <= 0 || (code >= 0xD800 && code < 0xE000 && !pair))
    return gb_json_expected(r, "four hexadecimal digits of a character that is not zero");
  *to = put_utf8(*to, pair ? 0x10000 + (((uint32_t)code & 0x3FF) << 10 | ((uint32_t)low & 0x3FF))
                           : (uint32_t)code);
  r->at += pair ? 11 : 5;
  return GBCAST_OK;
}

/* r->at is behind the backslash. */
static int read_escape(gb_json_reader *r, char **to) {
  static const char name[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
  const char *known = *r->at == '\0' ? NULL : strchr(name, *r->at);
  if (*r->at == 'u')
    return read_code(r, to);
  if (known == NULL)
    return gb_json_expected(r, "one of \"\\/bfnrtu behind a backslash");
  *(*to)++ = means[known - name];
  r->at++;
  return GBCAST_OK;
}

int gb_json_take_string(gb_json_reader *r, const char **out) {
  char *to = ++r->at;
  *out = to;
  while (*r->at != '"') {
    const size_t length = gb_utf8_length(r->at, 4);
    if ((unsigned char)*r->at < ' ' || length == 0)
      return gb_json_expected(r, "the rest of a string of UTF-8 and a '\"'");
    if (*r->at == '\\') {
      r->at++;
      int status = read_escape(r, &to);
      if (status != GBCAST_OK)
        return status;
      continue;
    }
    memmove(to, r->at, length);
    to += length;
    r->at += length;
  }
  r->at++;
  *to = '\0';
  return GBCAST_OK;
}

static const char *digits(const char *c) {
  while (is_digit(*c))
    c++;
  return c;
}

/* The end of the number that begins at c, or NULL. */
static const char *number_end(const char *c) {
  c += *c == '-';
  const char *end = *c == '0' ? c + 1 : digits(c);
  if (end == c)
    return NULL;
  if (*end == '.') {
    c = end + 1;
    end = digits(c);
    if (end == c)
      return NULL;
  }
  if (*end == 'e' || *end == 'E') {
    c = end + 1;
    c += *c == '+' || *c == '-';
    end = digits(c);
  }
  return end == c ? NULL : end;
}

int gb_json_take_literal(gb_json_reader *r, enum gb_json_kind *kind, double *number) {
  static const struct {
    const char *text;
    enum gb_json_kind kind;
    double number;
  } literal[] = {{"null", GB_JSON_NULL, 0}, {"false", GB_JSON_BOOL, 0}, {"true", GB_JSON_BOOL, 1}};
  for (size_t i = 0; i < sizeof literal / sizeof *literal; i++) {
    const size_t length = strlen(literal[i].text);
    if (strncmp(r->at, literal[i].text, length) == 0 && !is_of_literal(r->at[length])) {
      *kind = literal[i].kind;
      *number = literal[i].number;
      r->at += length;
      return GBCAST_OK;
    }
  }
  const char *end = number_end(r->at);
  if (end == NULL || is_of_literal(*end))
    return gb_json_expected(r, "a value");
  *kind = GB_JSON_NUMBER;
  *number = strtod(r->at, NULL);
  if (!isfinite(*number))
    return gb_json_expected(r, "a number below 1.8e308");
  r->at += end - r->at;
  return GBCAST_OK;
}
