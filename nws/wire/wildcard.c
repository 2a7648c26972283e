#include "nws/wire/wildcard.h"

/* Takes the pattern up to its next star, and the star. False: there is none, so the piece is what was left.
 */
static bool take_piece(gb_view *pattern, gb_view *piece) {
  const char *star = pattern->length > 0 ? memchr(pattern->at, '*', pattern->length) : NULL;
  *piece = (gb_view){pattern->at, star != NULL ? (size_t)(star - pattern->at) : pattern->length};
  gb_view_drop(pattern, piece->length + (star != NULL));
  return star != NULL;
}

void gb_wildcard_read(gb_wildcard *w, gb_view pattern) {
  w->count = 0;
  w->starred = take_piece(&pattern, &w->head);
  while (take_piece(&pattern, &w->tail))
    if (w->tail.length > 0)
      w->middle[w->count++] = w->tail;
}

static bool begins_with(gb_view text, gb_view piece) {
  return piece.length <= text.length && memcmp(text.at, piece.at, piece.length) == 0;
}

static bool ends_with(gb_view text, gb_view piece) {
  return piece.length <= text.length &&
         memcmp(text.at + text.length - piece.length, piece.at, piece.length) == 0;
}

bool gb_wildcard_fits_to_star(const gb_wildcard *w, gb_view text) {
  return w->starred && begins_with(text, w->head);
}

/* Drops the text up to the end of the first place where the piece is. False: there is none. */
static bool pass(gb_view *text, gb_view piece, size_t *steps) {
  const char *at;
  while (text->length > 0 && (at = memchr(text->at, *piece.at, text->length)) != NULL) {
    ++*steps;
    gb_view_drop(text, (size_t)(at - text->at));
    bool found = begins_with(*text, piece);
    gb_view_drop(text, found ? piece.length : 1);
    if (found)
      return true;
  }
  return false;
}

/* Each piece in the middle is taken where it comes first: that leaves the most for those behind it, so no
 * choice has to be taken back.
 *
 *      pattern   head*middle*middle*tail
 *      text      head..middle....middletail */
bool gb_wildcard_matches(const gb_wildcard *w, gb_view text, size_t *steps) {
  ++*steps;
  if (!begins_with(text, w->head))
    return false;
  gb_view_drop(&text, w->head.length);
  if (!w->starred)
    return text.length == 0;
  if (!ends_with(text, w->tail))
    return false;
  text.length -= w->tail.length;
  for (size_t i = 0; i < w->count; i++)
    if (!pass(&text, w->middle[i], steps))
      return false;
  return true;
}
