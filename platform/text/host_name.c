/* Names of hosts, clusters and switches: what they may contain, and what their parts mean. */
#include "platform/text/text.h"

#include <string.h>

int gb_check_name(gb_source *s, const gb_lexeme *w, const char *what) {
  if (w->length == 0 || gb_lexeme_is(w, "->"))
    return gb_expected(s, w, "the name of a %s", what);
  if (w->length > GB_MAX_NAME)
    return gb_expected(s, w, "a name of at most %u bytes", GB_MAX_NAME);
  for (size_t i = 0, seen = 0; i < w->length; i += seen) {
    bool arrow = w->text[i] == '-' && i + 1 < w->length && w->text[i + 1] == '>';
    if (arrow)
      return gb_expected(s, w, "the name of a %s, with blanks around any ->", what);
    if (gb_pair_at(w->text, i, w->length, "//") ||
        gb_pair_at(w->text, i, w->length, "/*")) /* a hosts file could not say it */
      return gb_expected(s, w, "the name of a %s, without // and /*", what);
    if (strchr("=[]", w->text[i]) != NULL)
      return gb_expected(s, w, "the name of a %s, without = [ ]", what);
    seen = gb_printable_length(w->text + i, w->length - i);
    if (seen == 0)
      return gb_expected(s, w, "the name of a %s, of characters that can be seen", what);
  }
  return GBCAST_OK;
}

int gb_check_host_bytes(gb_source *s, const gb_lexeme *w, const char *others) {
  bool in_range = false;
  for (size_t i = 0, seen = 0; i < w->length; i += seen) {
    const char c = w->text[i];
    seen = gb_printable_length(w->text + i, w->length - i);
    if (seen > 0 && (gb_is_host_byte(c) || strchr(others, c) != NULL || in_range)) {
      in_range = c == '[' || (in_range && c != ']');
      continue;
    }
    const gb_lexeme rest = gb_lexeme_part(w, i, w->length - i);
    return gb_expected(s, &rest, "the names of hosts, which have letters, digits, - _ and . alone");
  }
  return GBCAST_OK;
}

/* Dotted quads count as bare names. */
static bool is_ipv4(const char *name, size_t length) {
  unsigned parts = 1;
  unsigned digits = 0;
  for (size_t i = 0; i < length; i++) {
    if (name[i] == '.' && digits > 0) {
      parts++;
      digits = 0;
    } else if (name[i] >= '0' && name[i] <= '9' && digits < 3) {
      digits++;
    } else {
      return false;
    }
  }
  return parts == 4 && digits > 0;
}

static bool is_address(const char *name) {
  return strchr(name, ':') != NULL || is_ipv4(name, strlen(name));
}

size_t gb_short_length(const char *name) {
  return is_address(name) ? strlen(name) : strcspn(name, ".");
}

const char *gb_host_group(const char *name, size_t *length) {
  const char *dot = is_address(name) ? NULL : strchr(name, '.');
  const char *group = dot == NULL || dot[1] == '\0' ? "local" : dot + 1;
  *length = strlen(group);
  return group;
}
