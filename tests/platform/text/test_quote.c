/* Text of somebody else, as it is shown. */
#include "platform/text/text.h"

#include "tests/support/xorshift.h"

#include <criterion/criterion.h>

enum { TEXT_MOST = 40 };

/* Bytes of all kinds, whole characters and parts of them. */
static size_t random_text(uint64_t *seed, char out[TEXT_MOST]) {
  static const char *const parts[] = {"\x1b]0;t\a",   "\n",           "\r\t",         "\\",
                                      "\\n",          "\\x1b",        "\x9b",         "\xc2\x9b",
                                      "\xc3\xa9",     "\xe2\x82\xac", "\xe2\x80\xae", "\xf0\x9f\x8c\xa6",
                                      "\xed\xa0\x80", "\xff",         "a.b:8060"};
  size_t length = 0, most = xorshift(seed, TEXT_MOST);
  while (length < most) {
    const char *part = parts[xorshift(seed, sizeof parts / sizeof *parts)];
    size_t size = strlen(part);
    if (xorshift(seed, 3) == 0) {
      out[length++] = (char)xorshift(seed, 256);
    } else {
      size = size < most - length ? size : most - length; /* cuts characters, too */
      memcpy(out + length, part, size);
      length += size;
    }
  }
  return length;
}

/* Reads a quoted text back. */
static size_t unquote(const char *quoted, char *out) {
  size_t length = 0;
  for (const char *q = quoted; *q != '\0';) {
    unsigned value = 0;
    if (*q != '\\') {
      out[length++] = *q++;
    } else if (q[1] == 'x') {
      cr_assert_eq(sscanf(q + 2, "%2x", &value), 1);
      out[length++] = (char)value;
      q += 4;
    } else {
      out[length++] = (char)(q[1] == 'n' ? '\n' : q[1] == 'r' ? '\r' : q[1] == 't' ? '\t' : '\\');
      q += 2;
    }
  }
  return length;
}

/* Valid UTF-8 of ordinary characters, as defined here once more. */
static bool is_clean(const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  while (*s != 0) {
    uint32_t code = *s;
    int more = *s < 0x80 ? 0 : *s < 0xe0 ? 1 : *s < 0xf0 ? 2 : 3;
    if ((*s & 0xc0) == 0x80 || *s >= 0xf8)
      return false;
    code &= more == 0 ? 0x7fu : 0x3fu >> more;
    s++;
    for (int i = 0; i < more; i++, s++) {
      if ((*s & 0xc0) != 0x80)
        return false;
      code = code << 6 | (*s & 0x3fu);
    }
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
      return false;
    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e))
      return false;
  }
  return true;
}

Test(quote, any_bytes_become_clean_text_that_says_which_they_were) {
  uint64_t seed = 99;
  for (int i = 0; i < 50000; i++) {
    char text[TEXT_MOST], quoted[GB_QUOTED(TEXT_MOST)], back[GB_QUOTED(TEXT_MOST)];
    const size_t length = random_text(&seed, text);
    cr_assert_eq(gb_quote(quoted, sizeof quoted, text, length), quoted);
    cr_assert(is_clean(quoted), "%s", quoted);
    cr_assert_eq(unquote(quoted, back), length, "%s", quoted);
    cr_assert_arr_eq(back, text, length);
  }
}

Test(quote, ends_before_what_has_no_room) {
  uint64_t seed = 5;
  for (int i = 0; i < 20000; i++) {
    char text[TEXT_MOST], whole[GB_QUOTED(TEXT_MOST)], cut[GB_QUOTED(TEXT_MOST)];
    const size_t length = random_text(&seed, text), room = 1 + xorshift(&seed, sizeof cut - 1);
    (void)gb_quote(whole, sizeof whole, text, length);
    (void)gb_quote(cut, room, text, length);
    cr_assert_lt(strlen(cut), room);
    cr_assert_eq(strncmp(whole, cut, strlen(cut)), 0);
    cr_assert(is_clean(cut));
    cr_assert(strlen(whole) < room ? strcmp(whole, cut) == 0 : strlen(cut) + GB_PIECE > room);
  }
}

Test(quote, ordinary_text_stays) {
  static const char *const names[] = {"", "n0.ottawa:8060", "Z\xc3\xbcrich 'x' \"y\"",
                                      "\xe6\x9d\xb1\xe4\xba\xac", "\xf0\x9f\x8c\xa6"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char quoted[128];
    cr_expect_str_eq(gb_quote(quoted, sizeof quoted, names[i], strlen(names[i])), names[i]);
  }
}

/* A message may hold quoted text, and another message. */
Test(quote, messages_are_clean_and_stay_so) {
  uint64_t seed = 17;
  for (int i = 0; i < 20000; i++) {
    char text[TEXT_MOST + 1];
    gbcast_error once, twice;
    text[random_text(&seed, text)] = '\0';
    cr_assert_eq(gb_fail(&once, GBCAST_EUSAGE, "found '%s'", text), GBCAST_EUSAGE);
    cr_assert(is_clean(once.message), "%s", once.message);
    (void)gb_fail(&twice, GBCAST_EUSAGE, "%s", once.message);
    cr_assert_str_eq(twice.message, once.message);
  }
}

/* However much is cut: a message is whole characters. */
Test(quote, long_messages) {
  for (int start = 0; start < 8; start++) {
    char text[2000], file[800];
    gbcast_error err;
    for (size_t i = 0; i + 1 < sizeof text; i++)
      text[i] = "\xe2\x82\xac"[i % 3];
    text[sizeof text - 1] = '\0';
    (void)snprintf(file, sizeof file, "%.*s", 770, text + 3 * start);
    (void)gb_fail(&err, GBCAST_EINPUT, "%.*s%s", start, "........", text);
    cr_expect(is_clean(err.message) && strstr(err.message, "\\x") == NULL, "%s", err.message);
    (void)gb_fail_at(&err, &(gb_place){file + start, 1, 1}, "%s", text);
    cr_expect(is_clean(err.message), "%s", err.message);
  }
}
