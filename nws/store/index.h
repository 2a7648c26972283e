/* Things with a text as their key, in the order of their numbers: found by key in O(log n), and walked by
 * number, also by somebody who goes on later, while others come and go.
 *
 *      number   3     7     8     12
 *      item     A     -     C     D        a hole: taken away; closed once most are holes
 */
#ifndef GB_NWS_STORE_INDEX_H
#define GB_NWS_STORE_INDEX_H

#include "nws/wire/wire.h"

#include <stdint.h>

#define GB_SHELF_LAST (UINT64_MAX - 1) /* number: a walk can still ask for what comes after it */

typedef struct gb_shelved { /* first member of what is kept */
  gb_text key;              /* lives as long as the item */
  uint64_t number;
} gb_shelved;

typedef struct gb_shelf {
  struct gb_place_on_shelf {
    uint64_t number;
    gb_shelved *item; /* NULL: a hole */
  } * place;          /* by rising number */
  size_t used, count; /* places; items */
  uint32_t capacity;
  uint64_t next_number;
  void *tree; /* of tsearch(3), by key */
} gb_shelf;

/* Frees what the shelf itself needs; the items are the caller's. */
void gb_shelf_release(gb_shelf *s);

/* Puts an item there whose key is not there yet. A number that is 0 or taken is replaced by the next free
 * one. False: out of memory, or of numbers. */
bool gb_shelf_add(gb_shelf *s, gb_shelved *item);
void gb_shelf_remove(gb_shelf *s, gb_shelved *item);

/* The number of the next item that brings none along; above GB_SHELF_LAST: none is left. */
uint64_t gb_shelf_next(const gb_shelf *s);

gb_shelved *gb_shelf_find(const gb_shelf *s, gb_text key);     /* NULL: not there */
gb_shelved *gb_shelf_from(const gb_shelf *s, uint64_t number); /* the first not below; NULL: none */

#endif
