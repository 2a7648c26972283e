/* What a name server keeps: objects, which are attributes `name:value`. Text, with TAB behind each attribute
 * and one more TAB behind the object:
 *
 *      name:vm:8050 TAB objectclass:nwsHost TAB port:8050 TAB TAB
 *
 * A set of objects is their texts one behind the other. */
#ifndef GB_NWS_OBJECT_H
#define GB_NWS_OBJECT_H

#include "nws/bytes.h"
#include "nws/text.h"

/* Takes the first object off the set; false when none is left. A last object without its end counts too. The
 * object is given with its closing TABs. */
bool gb_object_next(gb_text *set, gb_text *object);

/* Takes the first attribute off an object; false when none is left. What has no colon is passed over. */
bool gb_object_attribute(gb_text *object, gb_text *name, gb_text *value);

/* The value of the first attribute of exactly this name. */
bool gb_object_get(gb_text object, const char *name, gb_text *value);

/* Appends an attribute; TAB and NUL in the value become blanks. */
void gb_object_add(gb_bytes *out, const char *name, gb_text value);
void gb_object_end(gb_bytes *out);

/* Whether a name server's search finds the object: filters are LDAP-like prefix terms, with the matching by
 * substring of attribute names that NWS 2.0.5 does. A filter it cannot read matches nothing. */
bool gb_filter_matches(gb_text filter, gb_text object);

#endif
