/* An index of items by a text key and by a number: found by key in O(log n), and iterated by number, also
 * while items are added and removed.
 *
 *      number   3     7     8     12
 *      item     A     -     C     D        - is a hole: removed; holes are closed when they are the majority
 */
#ifndef GB_NWS_STORE_INDEX_H
#define GB_NWS_STORE_INDEX_H

#include "nws/wire/wire.h"

#include <stdint.h>

#define GB_INDEX_LAST (UINT64_MAX - 1) /* the greatest number: an iterator can still ask for the next */

typedef struct gb_indexed { /* first member of an item */
  gb_view key;              /* lives as long as the item */
  uint64_t number;
} gb_indexed;

typedef struct gb_index {
  struct gb_index_place {
    uint64_t number;
    gb_indexed *item; /* NULL: a hole */
  } * place;          /* by rising number */
  size_t used, count; /* places; items */
  uint32_t capacity;
  uint64_t next_number;
  void *tree; /* of tsearch(3), by key */
} gb_index;

/* Frees the index, not the items. */
void gb_index_release(gb_index *s);

/* Adds an item with a new key. A number that is 0 or taken is replaced by the next free one. False: out of
 * memory, or of numbers. */
bool gb_index_add(gb_index *s, gb_indexed *item);
void gb_index_remove(gb_index *s, gb_indexed *item);

/* The number that the next item gets; above GB_INDEX_LAST: none is left. */
uint64_t gb_index_next(const gb_index *s);

gb_indexed *gb_index_find(const gb_index *s, gb_view key); /* NULL: none */
gb_indexed *gb_index_from(const gb_index *s,
                          uint64_t number); /* first item whose number is not lower; NULL: none */

#endif
