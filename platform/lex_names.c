/* Words that are to be names. */
#include "platform/lex.h"
#include "platform/names.h"

#include <string.h>

int gb_check_name(gb_source *s, const gb_word *w, const char *what) {
  if (w->length == 0 || gb_word_is(w, "->"))
    return gb_expected(s, w, "the name of a %s", what);
  if (w->length > GB_MAX_NAME)
    return gb_expected(s, w, "a name of at most %u bytes", GB_MAX_NAME);
  for (size_t i = 0; i < w->length; i++) {
    bool arrow = w->text[i] == '-' && i + 1 < w->length && w->text[i + 1] == '>';
    if (arrow)
      return gb_expected(s, w, "the name of a %s, with blanks around any ->", what);
    if (gb_pair_at(w->text, i, w->length, "//") ||
        gb_pair_at(w->text, i, w->length, "/*")) /* a hosts file could not say it */
      return gb_expected(s, w, "the name of a %s, without // and /*", what);
    if (strchr("=[]", w->text[i]) != NULL)
      return gb_expected(s, w, "the name of a %s, without = [ ]", what);
  }
  return GBCAST_OK;
}

int gb_check_host_bytes(gb_source *s, const gb_word *w, const char *others) {
  bool in_range = false;
  for (size_t i = 0; i < w->length; i++) {
    const char c = w->text[i];
    if (gb_is_host_byte(c) || strchr(others, c) != NULL || in_range) {
      in_range = c == '[' || (in_range && c != ']');
      continue;
    }
    const gb_word rest = gb_word_part(w, i, w->length - i);
    return gb_expected(s, &rest, "the names of hosts, which have letters, digits, - _ and . alone");
  }
  return GBCAST_OK;
}
