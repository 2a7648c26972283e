/* Text of somebody else, made fit for a terminal and for a log. */
#include "platform/text/text.h"

/* What is valid: RFC 3629, section 4. */
size_t gb_utf8_length(const char *text, size_t length) {
  const unsigned char *s = (const unsigned char *)text;
  size_t n = length == 0                    ? 0
             : s[0] < 0x80                  ? 1
             : s[0] >= 0xc2 && s[0] < 0xe0  ? 2
             : (s[0] & 0xf0) == 0xe0        ? 3
             : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4
                                            : 0;
  if (n > length)
    return 0;
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) /* also the NUL behind a text */
      return 0;
  const bool wrong = n > 2 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) ||
                               (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90));
  return wrong ? 0 : n;
}

static uint32_t code_point(const char *text, size_t length) {
  static const unsigned char data[] = {0, 0x7f, 0x1f, 0x0f, 0x07}; /* bits of the first byte */
  uint32_t code = (unsigned char)text[0] & data[length];
  for (size_t i = 1; i < length; i++)
    code = code << 6 | ((unsigned char)text[i] & 0x3fu);
  return code;
}

size_t gb_printable_length(const char *text, size_t length) {
  static const struct {
    uint32_t first, last;
  } unseen[] = {
      {0, 0x1f},        {0x7f, 0x9f},     /* the controls C0, DEL and C1 */
      {0x61c, 0x61c},   {0x200b, 0x200f}, /* no width, or the direction of what follows */
      {0x2028, 0x202e},                   /* ends of lines and paragraphs, directions */
      {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
  };
  const size_t n = gb_utf8_length(text, length);
  const uint32_t code = n > 0 ? code_point(text, n) : 0;
  for (size_t i = 0; n > 0 && i < sizeof unseen / sizeof *unseen; i++)
    if (code >= unseen[i].first && code <= unseen[i].last)
      return 0;
  return n;
}

size_t gb_quote_one(const char *text, size_t length, char piece[GB_PIECE]) {
  static const char short_ones[] = "\nn\rr\tt\\\\";
  size_t n = *text == '\\' ? 0 : gb_printable_length(text, length);
  if (n > 0) {
    memcpy(piece, text, n);
    piece[n] = '\0';
    return n;
  }
  for (const char *s = short_ones; *s != '\0'; s += 2)
    if (*s == *text) {
      (void)snprintf(piece, GB_PIECE, "\\%c", s[1]);
      return 1;
    }
  (void)snprintf(piece, GB_PIECE, "\\x%02x", (unsigned)(unsigned char)*text);
  return 1;
}

/* Appends whole pieces while there is room. */
static char *quote(char *out, size_t room, const char *text, size_t length, bool again) {
  size_t n = 0;
  for (size_t at = 0; at < length;) {
    char piece[GB_PIECE] = "\\";
    at += again && text[at] == '\\' ? 1 : gb_quote_one(text + at, length - at, piece);
    const size_t size = strlen(piece);
    if (size >= room - n)
      break;
    memcpy(out + n, piece, size);
    n += size;
  }
  out[n] = '\0';
  return out;
}

char *gb_quote(char *out, size_t room, const char *text, size_t length) {
  return quote(out, room, text, length, false);
}

char *gb_quote_message(char *out, size_t room, const char *text) {
  return quote(out, room, text, strlen(text), true);
}

void gb_print_quoted(const char *text, size_t length, FILE *out) {
  char piece[GB_PIECE];
  for (size_t at = 0; at < length;) {
    at += gb_quote_one(text + at, length - at, piece);
    (void)fputs(piece, out);
  }
}
