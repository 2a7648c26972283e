/* A heap of senders by the time of their next send; senders with equal times leave in the order of their
 * numbers. */
#ifndef GB_PLAN_SIM_HEAP_H
#define GB_PLAN_SIM_HEAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct gb_heap_entry {
  double time;
  uint32_t sender;
} gb_heap_entry;

typedef struct gb_heap {
  gb_heap_entry *entry;
  uint32_t *place; /* per sender: the position of its entry, from 1; 0: not in the heap */
  uint32_t count;
} gb_heap;

bool gb_heap_new(gb_heap *heap, uint32_t senders); /* false: out of memory; nothing is allocated */
void gb_heap_release(gb_heap *heap);
void gb_heap_push(gb_heap *heap, uint32_t sender,
                  double time); /* moves a sender that is in the heap if the time is earlier */
bool gb_heap_first(const gb_heap *heap, uint32_t *sender); /* false: empty */
void gb_heap_put_off(gb_heap *heap, double time);          /* moves the first to a time that is not earlier */
void gb_heap_pop(gb_heap *heap);                           /* removes the first */

#endif
