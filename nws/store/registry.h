/* The objects of a name server, each until it expires. No I/O; the time is an argument, s since 1970. */
#ifndef GB_NWS_STORE_REGISTRY_H
#define GB_NWS_STORE_REGISTRY_H

#include "nws/store/index.h"

#define GB_REGISTRY_TEXT_MOST 4096u /* bytes of one object */

typedef struct gb_registered {
  gb_indexed indexed; /* the key is the whole object; numbers are in the order of first registration */
  double expires;     /* 0: never */
  char text[];
} gb_registered;

typedef struct gb_nws_registry {
  gb_index index;
  size_t bytes;                  /* of all objects */
  size_t count_most, bytes_most; /* 0: no limit */
} gb_nws_registry;

void gb_nws_registry_release(gb_nws_registry *r);

/* Whether a text can be registered: exactly one object, with its closing TABs, that has a name, no NUL and
 * not too many bytes. */
bool gb_nws_registry_is_object(gb_view text);

/* Whether there is room for this object, or it is registered already. */
bool gb_nws_registry_has_room(const gb_nws_registry *r, gb_view text);

/* The number that a registration of this object gets: its present one, or the next (above GB_INDEX_LAST:
 * there is none). */
uint64_t gb_nws_registry_number(const gb_nws_registry *r, gb_view text, double now);

/* Adds an object, or sets the expiry of the object with the same bytes. Objects of the same name with other
 * bytes are kept. `number` 0: the next one; else this one, to which an existing object moves. False: out of
 * memory, or of numbers. */
bool gb_nws_registry_put(gb_nws_registry *r, gb_view text, double expires, uint64_t number);

void gb_nws_registry_forget(gb_nws_registry *r, gb_view text);
void gb_nws_registry_expire(gb_nws_registry *r, double now);

/* The first unexpired object whose number is not lower; NULL: none. */
const gb_registered *gb_nws_registry_from(const gb_nws_registry *r, uint64_t number, double now);

#endif
