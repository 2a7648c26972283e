/* Objects of a name server: lists of attributes `name:value`, as text with a TAB behind each attribute and
 * one more TAB behind the object:
 *
 *      name:vm:8050 TAB objectclass:nwsHost TAB port:8050 TAB TAB
 *
 * A set of objects is the concatenation of their texts. */
#ifndef GB_NWS_WIRE_OBJECT_H
#define GB_NWS_WIRE_OBJECT_H

#include "nws/wire/message.h"

/* Removes the first object from the set; false when none is left. The last object may be unterminated. The
 * object includes its closing TABs. TABs before an object are skipped. */
bool gb_object_next(gb_view *set, gb_view *object);

/* Removes the first attribute from an object; false when none is left. Attributes without a colon are
 * skipped; values may contain colons. Both results point into the object. */
bool gb_object_attribute(gb_view *object, gb_view *name, gb_view *value);

/* The value of the first attribute of exactly this name; false, and *value undefined, when there is none. */
bool gb_object_get(gb_view object, const char *name, gb_view *value);

/* Appends an attribute; TAB and NUL in the value become blanks. The name has neither them nor a colon. */
void gb_object_add(gb_bytes *out, const char *name, gb_view value);
/* The same for names and values in turn, up to a NULL. */
__attribute__((sentinel)) void gb_object_add_strings(gb_bytes *out, const char *name, ...);
void gb_object_end(gb_bytes *out); /* behind the last attribute, of which there is at least one */

/* Whether a name server's search finds the object. Filters are LDAP-like prefix terms, read as NWS 2.0.5
 * reads them, which forgives much:
 *
 *      filter := term | '(' filter [')'] | '&' filter... | '|' filter... | '!' filter
 *      term   := name op value            op := '=' | '~=' | '<=' | '>='
 *
 * - A term looks for `name:` anywhere in the object, also at the end of longer names and inside values.
 *   It holds when one of these places has a value, which goes to the next TAB, that satisfies it.
 * - `=` and `~=` are the same: `*` in the value stands for any run of bytes. `<=` and `>=` compare as
 *   text and look no further than the object's value goes.
 * - A value ends at ')' or a blank. What follows the blank is read as the next filter, and so is what is
 *   left of a name or a value after 127 bytes. Of the bytes that end a name (<=>~) or a value (')', blank),
 *   those in front of it are passed over.
 * - A list ends at ')' or with the filter. An empty & holds, an empty | does not. What follows the first
 *   whole filter is not looked at.
 * - A term that cannot be read is false, and reading goes on where it stopped: the empty filter matches
 *   nothing, but a `!` without a term matches all.
 * - The operators around a term are at most 1000, or nothing matches.
 */
bool gb_filter_matches(gb_view filter, gb_view object);

#define GB_FILTER_DEPTH 1000u /* operators around a term */

/* A filter that is being matched with one object, term by term, so that others can work in between. */
typedef struct gb_filter_match {
  gb_view left; /* of the filter, which must stay where it is */
  size_t depth;
  unsigned char open[GB_FILTER_DEPTH]; /* the operators around what comes next, outermost first */
  bool found;
} gb_filter_match;

void gb_filter_start(gb_filter_match *m, gb_view filter);

/* Goes on for at least `most` steps, above 0, or to the end. Adds the steps to *steps. False: it is not at
 * the end, and is to be called again, with the same object; else `found` tells.
 *
 * A step is a byte of the filter that is read, or a comparison of up to 127 bytes of the object; it takes up
 * to 10 ns. The last term may exceed `most`, by three steps and a 64th for each byte of the object, one for
 * each byte of the filter, and one. */
bool gb_filter_continue(gb_filter_match *m, gb_view object, size_t most, size_t *steps);

/* ---- Series between two hosts: their names, and the objects that sensors register ---- */

#define GB_NWS_LATENCY "latencyTcp"     /* ms, the round trip of one byte */
#define GB_NWS_BANDWIDTH "bandwidthTcp" /* Mbit/s, of 1e6 bits */

typedef struct gb_pair_series {
  const char *host, *target;      /* machine:port of the measuring and the answering sensor */
  bool bandwidth;                 /* else latency */
  uint32_t buffer, message, size; /* of bandwidth, kB of 1024 */
  const char
      *method; /* told as an attribute when not NULL: what measured it, where that is not NWS's burst */
} gb_pair_series;

/*      host.latencyTcp.target
 *      host.bandwidthTcp.buffer.message.size.target
 * False when it is too long to be a series' name. */
bool gb_pair_series_name(const gb_pair_series *series, char out[GB_NWS_NAME_MOST + 1]);

/* Appends the object; `memory` (machine:port) holds the measurements. */
void gb_pair_series_object(gb_bytes *out, const gb_pair_series *series, const char *name, const char *memory);

#endif
