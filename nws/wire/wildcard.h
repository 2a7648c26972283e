/* Patterns in which each `*` stands for any run of bytes, also none. */
#ifndef GB_NWS_WIRE_WILDCARD_H
#define GB_NWS_WIRE_WILDCARD_H

#include "nws/wire/view.h"

#define GB_WILDCARD_MOST 127u /* bytes of a pattern */

/* The pieces of a pattern between its stars; those in the middle are not empty. */
typedef struct gb_wildcard {
  gb_view head, tail, middle[GB_WILDCARD_MOST / 2];
  size_t count;
  bool starred; /* else it is all head */
} gb_wildcard;

void gb_wildcard_read(gb_wildcard *w, gb_view pattern); /* which must outlive it */

/* Whether the pattern covers the whole text. Adds to *steps how often it compared a piece with a place in the
 * text: once for the head, and at most once for each byte of the text. */
bool gb_wildcard_matches(const gb_wildcard *w, gb_view text, size_t *steps);

/* Whether the text matches up to the first star. If it does and the rest does not, no suffix of this text
 * matches. */
bool gb_wildcard_fits_to_star(const gb_wildcard *w, gb_view text);

#endif
