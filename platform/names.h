/* Storage that lives as long as a platform: an arena for text, and tables that number names densely. */
#ifndef GB_PLATFORM_NAMES_H
#define GB_PLATFORM_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GB_MAX_NAME 255u /* DNS allows 253; longer words are mistakes, and ranges would multiply them */

/* Letter case of names does not matter in DNS. In any locale. */
static inline char gb_lower(char c) {
  return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* What names of hosts are made of. Those in other scripts are left to whoever resolves them. */
static inline bool gb_is_host_byte(char c) {
  const char low = gb_lower(c);
  return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' ||
         (unsigned char)c >= 0x80;
}

typedef struct gb_arena {
  struct gb_chunk *chunk; /* the newest; older ones hang behind it */
} gb_arena;

/* Room for `length` bytes, with a NUL behind, or NULL when out of memory. */
char *gb_arena_room(gb_arena *a, size_t length);

/* A copy of `length` bytes with a NUL behind, or NULL when out of memory. */
char *gb_arena_copy(gb_arena *a, const char *text, size_t length);
void gb_arena_release(gb_arena *a);

typedef struct gb_key {
  const char *text; /* in an arena */
  uint32_t length, hash;
} gb_key;

/* Numbers keys 0, 1, 2... in the order in which they are added. Keys are bytes, so packed integers serve too.
 */
typedef struct gb_names {
  uint32_t *slot; /* open addressing; a number + 1, or 0 */
  uint32_t slots; /* power of two, or 0 */
  gb_key *key;
  uint32_t count, capacity;
} gb_names;

/* The key's number, added when it is new; GB_NONE (UINT32_MAX) when out of memory. */
uint32_t gb_names_add(gb_names *n, gb_arena *a, const char *text, size_t length, bool *is_new);
uint32_t gb_names_find(const gb_names *n, const char *text, size_t length);
void gb_names_release(gb_names *n);

/* The array with room for one more element, or NULL when out of memory (the array is then as it was). */
void *gb_grow(void *array, size_t count, uint32_t *capacity, size_t size);

#endif
