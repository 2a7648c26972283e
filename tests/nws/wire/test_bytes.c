/* Buffers against plain arrays: whatever is put at the end and dropped at the front, in any order. */
#include "nws/wire/bytes.h"

#include "tests/support/xorshift.h"

#include <criterion/criterion.h>

enum { MOST = 5000, STEPS = 400 };

typedef struct plain { /* what the buffer should contain */
  unsigned char bytes[MOST];
  size_t size, largest;
} plain;

static void put(gb_bytes *b, plain *p, uint64_t *seed, uint32_t most) {
  unsigned char piece[MOST];
  size_t size = xorshift(seed, most + 1);
  size = size < MOST - p->size ? size : MOST - p->size;
  for (size_t i = 0; i < size; i++)
    piece[i] = (unsigned char)xorshift(seed, 256);
  gb_put(b, piece, size);
  memcpy(p->bytes + p->size, piece, size);
  p->size += size;
  p->largest = p->size > p->largest ? p->size : p->largest;
}

static void drop(gb_bytes *b, plain *p, uint64_t *seed, uint32_t most) {
  size_t size = xorshift(seed, most + 1);
  size = size < p->size ? size : p->size;
  gb_bytes_drop_front(b, size);
  p->size -= size;
  memmove(p->bytes, p->bytes + size, p->size);
}

Test(nws_bytes, are_as_those_of_an_array) {
  uint64_t seed = 20261129;
  static plain p;
  for (unsigned round = 0; round < 500; round++) {
    gb_bytes b = {0};
    p.size = p.largest = 0;
    const uint32_t put_most = 1 + xorshift(&seed, 200), drop_most = 1 + xorshift(&seed, 200);
    for (unsigned step = 0; step < STEPS; step++) {
      if (xorshift(&seed, 2) == 0)
        put(&b, &p, &seed, put_most);
      else
        drop(&b, &p, &seed, drop_most);
      cr_assert(!b.failed && b.size == p.size);
      cr_assert(p.size == 0 || memcmp(b.data, p.bytes, p.size) == 0, "round %u, step %u", round, step);
      cr_assert(b.capacity <= 64 || b.capacity < 4 * p.largest, "%zu bytes for %zu", b.capacity, p.largest);
    }
    gb_bytes_release(&b);
  }
}

/* Without drops it takes less than twice the content. */
Test(nws_bytes, that_are_only_put) {
  uint64_t seed = 7;
  static plain p;
  gb_bytes b = {0};
  while (p.size < MOST) {
    put(&b, &p, &seed, 300);
    cr_assert(b.capacity <= 64 || b.capacity < 2 * p.size);
  }
  cr_assert(b.size == MOST && b.data != NULL && memcmp(b.data, p.bytes, MOST) == 0);
  gb_bytes_release(&b);
}
