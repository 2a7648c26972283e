#include "plan/heap.h"
#include <stdlib.h>

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

static bool before(gb_heap_entry a, gb_heap_entry b) {
  return a.time < b.time || (a.time == b.time && a.sender < b.sender);
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
  for (; i > 0 && before(added, heap->entry[(i - 1) / 2]); i = (i - 1) / 2)
    put(heap, i, heap->entry[(i - 1) / 2]);
  put(heap, i, added);
}

bool gb_heap_first(const gb_heap *heap, uint32_t *sender) {
  if (heap->count > 0)
    *sender = heap->entry[0].sender;
  return heap->count > 0;
}

/* Fills the place of the first. */
static void sink(gb_heap *heap, gb_heap_entry entry) {
  uint32_t i = 0;
  for (uint32_t child; (child = 2 * i + 1) < heap->count; i = child) {
    if (child + 1 < heap->count && before(heap->entry[child + 1], heap->entry[child]))
      child++;
    if (!before(heap->entry[child], entry))
      break;
    put(heap, i, heap->entry[child]);
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
