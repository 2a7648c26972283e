/* Reading JSON: strings, numbers and the three literals. */
#include "plan/show/json_scalar.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 32 }; /* bytes of what is found that a message shows */
#define DIGITS "0123456789"
#define OF_LITERAL DIGITS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-._"

gb_place gb_json_here(const gb_json_reader *r) {
  return (gb_place){r->file, r->line, (uint32_t)(r->at - r->line_start) + 1};
}

int gb_json_expected(gb_json_reader *r, const char *expected) {
  const gb_place here = gb_json_here(r);
  if (r->at == r->end)
    return gb_fail_at(r->err, &here, "found the end of the file, expected %s", expected);
  const size_t literal = strspn(r->at, OF_LITERAL), shown = literal < SHOWN ? literal : SHOWN;
  const size_t whole = gb_utf8_length(r->at, 4);
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
  char text[5] = "";
  if (strspn(digits, DIGITS "abcdefABCDEF") < 4)
    return -1;
  memcpy(text, digits, 4);
  return (int32_t)strtol(text, NULL, 16);
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

/* The length of the number that begins at c, or 0. */
static size_t number_length(const char *c) {
  const char *end = c + (*c == '-');
  size_t digits = *end == '0' ? 1 : strspn(end, DIGITS);
  end += digits;
  if (digits > 0 && *end == '.') {
    digits = strspn(++end, DIGITS);
    end += digits;
  }
  if (digits > 0 && (*end == 'e' || *end == 'E')) {
    end += end[1] == '+' || end[1] == '-' ? 2 : 1;
    digits = strspn(end, DIGITS);
    end += digits;
  }
  return digits > 0 ? (size_t)(end - c) : 0;
}

int gb_json_take_literal(gb_json_reader *r, enum gb_json_kind *kind, double *number) {
  static const struct {
    const char *text;
    enum gb_json_kind kind;
    double number;
  } known[] = {{"null", GB_JSON_NULL, 0}, {"false", GB_JSON_BOOL, 0}, {"true", GB_JSON_BOOL, 1}};
  const size_t length = strspn(r->at, OF_LITERAL);
  size_t i = 0;
  while (i < 3 && (strlen(known[i].text) != length || strncmp(r->at, known[i].text, length) != 0))
    i++;
  if (i == 3 && (length == 0 || number_length(r->at) != length))
    return gb_json_expected(r, "a value");
  *kind = i < 3 ? known[i].kind : GB_JSON_NUMBER;
  *number = i < 3 ? known[i].number : strtod(r->at, NULL);
  if (!isfinite(*number))
    return gb_json_expected(r, "a number below 1.8e308");
  r->at += length;
  return GBCAST_OK;
}
