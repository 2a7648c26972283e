/* What the name server knows: objects, each until it expires. Plain data: the time is an argument, s since
 * 1970. */
#ifndef GB_NWS_STORE_REGISTRY_H
#define GB_NWS_STORE_REGISTRY_H

#include "nws/store/index.h"

#define GB_REGISTRY_TEXT_MOST 4096u /* bytes of one object */

typedef struct gb_registered {
  gb_shelved shelved; /* its key is the whole object; numbers rise with the time of the first registration */
  double expires;     /* 0: never */
  char text[];
} gb_registered;

typedef struct gb_registry {
  gb_shelf shelf;
  size_t bytes;                  /* of all objects */
  size_t count_most, bytes_most; /* 0: no bound */
} gb_registry;

void gb_registry_release(gb_registry *r);

/* Whether a name server can keep this text: exactly one object, with its closing TABs, that has a name, no
 * NUL and not too many bytes. */
bool gb_registry_is_object(gb_text text);

/* Whether there is room for this object. One that is there already needs none. */
bool gb_registry_has_room(const gb_registry *r, gb_text text);

/* The number that a registration of this object gets: its own, while it is there, or the next (above
 * GB_SHELF_LAST: there is none). */
uint64_t gb_registry_number(const gb_registry *r, gb_text text, double now);

/* Adds an object, or sets the expiry of the one that has the same bytes and keeps its place. An object of the
 * same name but with other bytes stays beside it. `number` 0: the next one; else that one, the object moves
 * there if it has another. False: out of memory, or of numbers. */
bool gb_registry_put(gb_registry *r, gb_text text, double expires, uint64_t number);

void gb_registry_forget(gb_registry *r, gb_text text);
void gb_registry_expire(gb_registry *r, double now);

/* The object of that number or the next one that has not expired; NULL: none. */
const gb_registered *gb_registry_from(const gb_registry *r, uint64_t number, double now);

#endif
