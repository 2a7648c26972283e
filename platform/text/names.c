#include "platform/text/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct gb_chunk {
  struct gb_chunk *next;
  size_t used, size;
  char data[];
} gb_chunk;

static gb_chunk *new_chunk(gb_arena *a, size_t need) {
  size_t size = a->chunk == NULL ? 1024 : 2 * a->chunk->size; /* doubling: small files stay small */
  if (size > (1u << 20))
    size = 1u << 20;
  if (size < need)
    size = need;
  gb_chunk *c = malloc(sizeof *c + size);
  if (c == NULL)
    return NULL;
  c->next = a->chunk;
  c->used = 0;
  c->size = size;
  a->chunk = c;
  return c;
}

char *gb_arena_alloc(gb_arena *a, size_t length) {
  gb_chunk *c = a->chunk;
  if (c == NULL || c->size - c->used < length + 1)
    c = new_chunk(a, length + 1);
  if (c == NULL)
    return NULL;
  char *room = c->data + c->used;
  room[length] = '\0';
  c->used += length + 1;
  return room;
}

char *gb_arena_copy(gb_arena *a, const char *text, size_t length) {
  char *copy = gb_arena_alloc(a, length);
  if (copy != NULL && length > 0)
    memcpy(copy, text, length);
  return copy;
}

void gb_arena_release(gb_arena *a) {
  while (a->chunk != NULL) {
    gb_chunk *next = a->chunk->next;
    free(a->chunk);
    a->chunk = next;
  }
}

void *gb_grow(void *array, size_t count, uint32_t *capacity, size_t size) {
  if (array != NULL && count < *capacity)
    return array;
  if (*capacity > UINT32_MAX / 2)
    return NULL;
  uint32_t more = *capacity == 0 ? 16 : 2 * *capacity;
  void *grown = realloc(array, (size_t)more * size);
  if (grown != NULL)
    *capacity = more;
  return grown;
}

static uint32_t hash_of(const char *text,
                        size_t length) { /* FNV-1a, with the high half mixed in at the end */
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < length; i++)
    h = (h ^ (unsigned char)text[i]) * 1099511628211u;
  return (uint32_t)(h ^ (h >> 32));
}

/* The slot that holds the key, or the empty one where it belongs. */
static uint32_t slot_of(const gb_names *n, const char *text, size_t length, uint32_t hash) {
  uint32_t mask = n->slots - 1;
  uint32_t at = hash & mask;
  while (n->slot[at] != 0) {
    const gb_key *k = &n->key[n->slot[at] - 1];
    if (k->hash == hash && k->length == length && memcmp(k->text, text, length) == 0)
      break;
    at = (at + 1) & mask;
  }
  return at;
}

static bool rehash(gb_names *n) {
  if (n->slots > UINT32_MAX / 4)
    return false;
  uint32_t slots = n->slots == 0 ? 64 : 2 * n->slots;
  uint32_t *slot = calloc(slots, sizeof *slot);
  if (slot == NULL)
    return false;
  free(n->slot);
  n->slot = slot;
  n->slots = slots;
  for (uint32_t i = 0; i < n->count; i++) {
    uint32_t at = n->key[i].hash & (slots - 1);
    while (slot[at] != 0)
      at = (at + 1) & (slots - 1);
    slot[at] = i + 1;
  }
  return true;
}

uint32_t gb_names_add(gb_names *n, gb_arena *a, const char *text, size_t length, bool *is_new) {
  *is_new = false;
  if (n->count >= n->slots / 2 && !rehash(n))
    return UINT32_MAX;
  uint32_t hash = hash_of(text, length);
  uint32_t at = slot_of(n, text, length, hash);
  if (n->slot[at] != 0)
    return n->slot[at] - 1;
  gb_key *key = gb_grow(n->key, n->count, &n->capacity, sizeof *key);
  if (key == NULL)
    return UINT32_MAX;
  n->key = key;
  const char *copy = gb_arena_copy(a, text, length);
  if (copy == NULL)
    return UINT32_MAX;
  key[n->count] = (gb_key){copy, (uint32_t)length, hash};
  n->slot[at] = ++n->count;
  *is_new = true;
  return n->count - 1;
}

uint32_t gb_names_find(const gb_names *n, const char *text, size_t length) {
  if (n->slots == 0)
    return UINT32_MAX;
  uint32_t at = slot_of(n, text, length, hash_of(text, length));
  return n->slot[at] == 0 ? UINT32_MAX : n->slot[at] - 1;
}

void gb_names_release(gb_names *n) {
  free(n->slot);
  free(n->key);
  *n = (gb_names){0};
}
