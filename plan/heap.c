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

bool gb_heap_has(const gb_heap *heap, uint32_t sender) {
  return heap->place[sender] != 0;
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

bool gb_heap_pop(gb_heap *heap, uint32_t *sender, double *time) {
  if (heap->count == 0)
    return false;
  *sender = heap->entry[0].sender;
  *time = heap->entry[0].time;
  heap->place[*sender] = 0;
  gb_heap_entry moved = heap->entry[--heap->count];
  if (heap->count == 0)
    return true;
  uint32_t i = 0;
  for (uint32_t child; (child = 2 * i + 1) < heap->count; i = child) {
    if (child + 1 < heap->count && before(heap->entry[child + 1], heap->entry[child]))
      child++;
    if (!before(heap->entry[child], moved))
      break;
    put(heap, i, heap->entry[child]);
  }
  put(heap, i, moved);
  return true;
}
