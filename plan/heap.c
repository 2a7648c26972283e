#include "plan/heap.h"
#include <stdlib.h>

bool gb_heap_new(gb_heap *heap, uint32_t senders) {
  *heap = (gb_heap){.entry = malloc(senders * sizeof *heap->entry),
                    .inside = calloc(senders, sizeof *heap->inside)};
  if (heap->entry && heap->inside)
    return true;
  gb_heap_release(heap);
  return false;
}

void gb_heap_release(gb_heap *heap) {
  free(heap->entry);
  free(heap->inside);
  *heap = (gb_heap){0};
}

bool gb_heap_has(const gb_heap *heap, uint32_t sender) {
  return heap->inside[sender];
}

static bool before(gb_heap_entry a, gb_heap_entry b) {
  return a.time < b.time || (a.time == b.time && a.sender < b.sender);
}

void gb_heap_push(gb_heap *heap, uint32_t sender, double time) {
  gb_heap_entry added = {time, sender};
  uint32_t i = heap->count++;
  for (; i > 0 && before(added, heap->entry[(i - 1) / 2]); i = (i - 1) / 2)
    heap->entry[i] = heap->entry[(i - 1) / 2];
  heap->entry[i] = added;
  heap->inside[sender] = true;
}

bool gb_heap_pop(gb_heap *heap, uint32_t *sender, double *time) {
  if (heap->count == 0)
    return false;
  *sender = heap->entry[0].sender;
  *time = heap->entry[0].time;
  heap->inside[*sender] = false;
  gb_heap_entry moved = heap->entry[--heap->count];
  uint32_t i = 0;
  for (uint32_t child; (child = 2 * i + 1) < heap->count; i = child) {
    if (child + 1 < heap->count && before(heap->entry[child + 1], heap->entry[child]))
      child++;
    if (!before(heap->entry[child], moved))
      break;
    heap->entry[i] = heap->entry[child];
  }
  heap->entry[i] = moved;
  return true;
}
