/* Patterns in which each `*` stands for any run of bytes, also none. */
#ifndef GB_NWS_WIRE_WILDCARD_H
#define GB_NWS_WIRE_WILDCARD_H

#include "nws/wire/view.h"

/* Whether the pattern covers the whole text. Time: text times pattern at most, however many stars. */
bool gb_wildcard_matches(gb_view pattern, gb_view text);

#endif
