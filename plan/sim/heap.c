#include "plan/sim/heap.h"
#include <stdlib.h>
#include <string.h>

#define ARITY 4u /* children of a node: fewer levels than with 2, and each level is a cache miss */

bool gb_heap_new(gb_heap *heap, uint32_t senders) {
  *heap = (gb_heap){.entry = malloc(senders * sizeof *heap->entry),
                    .place = calloc(senders, sizeof *heap->place)};
  if (heap->entry && heap->place)
    return true;
  gb_heap_release(heap);
  return false;
}

void gb_heap_release(gb_heap *heap) {
  free(heap->entry);
  free(heap->place);
  *heap = (gb_heap){0};
}

/* Orders by time, then by sender, as one number: a comparison in two steps is a branch that the processor
 * cannot predict. The bits of non-negative doubles are in the order of their values. */
static unsigned __int128 key(gb_heap_entry entry) {
  uint64_t bits;
  memcpy(&bits, &entry.time, sizeof bits);
  return (unsigned __int128)bits << 32 | entry.sender;
}

static bool before(gb_heap_entry a, gb_heap_entry b) {
  return key(a) < key(b);
}

static void put(gb_heap *heap, uint32_t at, gb_heap_entry entry) {
  heap->entry[at] = entry;
  heap->place[entry.sender] = at + 1;
}

void gb_heap_push(gb_heap *heap, uint32_t sender, double time) {
  gb_heap_entry added = {time, sender};
  uint32_t i = heap->place[sender];
  if (i == 0)
    i = heap->count++;
  else if (!before(added, heap->entry[--i]))
    return;
  for (; i > 0 && before(added, heap->entry[(i - 1) / ARITY]); i = (i - 1) / ARITY)
    put(heap, i, heap->entry[(i - 1) / ARITY]);
  put(heap, i, added);
}

bool gb_heap_first(const gb_heap *heap, uint32_t *sender) {
  if (heap->count > 0)
    *sender = heap->entry[0].sender;
  return heap->count > 0;
}

/* Puts an entry in place of the first one. */
static void sink(gb_heap *heap, gb_heap_entry entry) {
  const unsigned __int128 bar = key(entry);
  uint32_t i = 0, first;
  while ((first = ARITY * i + 1) < heap->count) {
    const uint32_t end = first + ARITY < heap->count ? first + ARITY : heap->count;
    uint32_t least = first;
    unsigned __int128 low = key(heap->entry[first]);
    for (uint32_t child = first + 1; child < end; child++) {
      const unsigned __int128 other = key(heap->entry[child]);
      const bool lower = other < low;
      least = lower ? child : least;
      low = lower ? other : low;
    }
    if (low > bar)
      break;
    put(heap, i, heap->entry[least]);
    i = least;
  }
  put(heap, i, entry);
}

void gb_heap_put_off(gb_heap *heap, double time) {
  sink(heap, (gb_heap_entry){time, heap->entry[0].sender});
}

void gb_heap_pop(gb_heap *heap) {
  heap->place[heap->entry[0].sender] = 0;
  if (--heap->count > 0)
    sink(heap, heap->entry[heap->count]);
}
