/* The first word of a host line: [user@]name[:slots]. */
#include "platform/host_line.h"

#include <string.h>

/* [fe80::1]:4; the brackets are no part of the name. */
static int split_address(gb_host_line *l, gb_lexeme *word, gb_lexeme *slots) {
  gb_source *s = &l->parser->source;
  const char *close = memchr(word->text, ']', word->length);
  size_t at = (size_t)(close - word->text);
  l->address = true;
  l->name = gb_lexeme_part(word, 1, at - 1);
  const char *zone = memchr(l->name.text, '%', l->name.length);
  size_t digits = zone == NULL ? l->name.length : (size_t)(zone - l->name.text);
  for (size_t i = 0; i < digits; i++)
    if (strchr("0123456789abcdefABCDEF:.", l->name.text[i]) == NULL)
      return gb_expected(s, &l->name, "an IPv6 address between the brackets");
  const gb_lexeme zone_name = gb_lexeme_part(&l->name, digits, l->name.length - digits);
  const int status = gb_check_host_bytes(s, &zone_name, "%");
  if (status != GBCAST_OK)
    return status;
  if (l->name.length > GB_MAX_NAME)
    return gb_expected(s, &l->name, "a name of at most %u bytes", GB_MAX_NAME);
  if (at + 1 == word->length)
    return GBCAST_OK;
  gb_lexeme rest = gb_lexeme_part(word, at + 1, word->length - at - 1);
  if (rest.text[0] != ':' || rest.length == 1)
    return gb_expected(s, &rest, "the end of the word or :slots behind the ]");
  *slots = gb_lexeme_part(&rest, 1, rest.length - 1);
  return GBCAST_OK;
}

static int check_host_name(gb_source *s, const gb_lexeme *name) {
  size_t depth = 0;
  if (name->length == 0)
    return gb_expected(s, name, "the name of a host");
  if (strchr("^+", name->text[0]) != NULL)
    return gb_expected(s, name, "a host by name: ^host and +n0 select from other lists");
  for (size_t i = 0; i < name->length; i++) {
    char c = name->text[i];
    gb_lexeme rest = gb_lexeme_part(name, i, name->length - i);
    depth = c == '[' ? 1 : depth;
    depth = c == ']' ? 0 : depth;
    if (c == '=' || c == '@' || (c == ',' && depth == 0))
      return gb_expected(s, &rest, "a name without = @ , (one host on a line)");
    if (c == '-' && (i == 0 || (i + 1 < name->length && name->text[i + 1] == '>')))
      return gb_expected(s, &rest, "the name of a host");
  }
  return gb_check_host_bytes(s, name, "[],");
}

int gb_host_line_user(gb_host_line *l, gb_lexeme user) {
  gb_parser *q = l->parser;
  if (l->user != NULL)
    return gb_expected(&q->source, &user, "only one user of a host on its line");
  if (user.length > 2 && user.text[0] == '"' && user.text[user.length - 1] == '"')
    user = gb_lexeme_part(&user, 1, user.length - 2);
  if (user.length == 0 || strchr("^+-", user.text[0]) != NULL)
    return gb_expected(&q->source, &user, "the name of a user");
  for (size_t i = 0; i < user.length; i++)
    if (!gb_is_host_byte(user.text[i]) && strchr("+$\\", user.text[i]) == NULL) {
      const gb_lexeme rest = gb_lexeme_part(&user, i, user.length - i);
      return gb_expected(&q->source, &rest, "the name of a user");
    }
  l->user = gb_arena_copy(&q->s->arena, user.text, user.length);
  return l->user != NULL ? GBCAST_OK : gb_source_no_memory(&q->source);
}

int gb_host_line_split(gb_host_line *l, gb_lexeme word, gb_lexeme *slots) {
  gb_source *s = &l->parser->source;
  const char *at = memchr(word.text, '@', word.length);
  if (at != NULL) {
    gb_lexeme user = gb_lexeme_part(&word, 0, (size_t)(at - word.text));
    gb_lexeme rest = gb_lexeme_part(&word, user.length + 1, word.length - user.length - 1);
    if (user.length == 0 || rest.length == 0 || memchr(user.text, '=', user.length) != NULL)
      return gb_expected(s, &word, "user@host");
    const int status = gb_host_line_user(l, user);
    if (status != GBCAST_OK)
      return status;
    word = rest;
  }
  const char *colon = memchr(word.text, ':', word.length);
  const char *close = memchr(word.text, ']', word.length);
  if (word.text[0] == '[' && colon != NULL && close != NULL && colon < close)
    return split_address(l, &word, slots);
  l->name = word;
  if (colon != NULL &&
      (close == NULL || colon > close || memchr(word.text, '[', (size_t)(colon - word.text)) == NULL)) {
    size_t n = (size_t)(colon - word.text);
    l->name = gb_lexeme_part(&word, 0, n);
    *slots = gb_lexeme_part(&word, n + 1, word.length - n - 1);
    if (slots->length == 0)
      return gb_expected(s, &word, "a count of slots behind the :");
    if (memchr(slots->text, ':', slots->length) != NULL)
      return gb_expected(s, &word, "host:slots with one :; an IPv6 address is written [address]:slots");
  }
  return check_host_name(s, &l->name);
}
