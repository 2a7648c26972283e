/* Messages between the thread that reads or writes files and the one that calls MPI: buffers that go round.
 *
 *      filled by one thread ->  [ ][x][x][x][ ][ ]  -> emptied by the other, in the same order
 */
#ifndef GB_TOOLS_CP_RING_H
#define GB_TOOLS_CP_RING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GB_CP_SLOTS = 8 };

typedef struct gb_cp_slot {
  unsigned char *data;
  size_t length; /* bytes of the message */
} gb_cp_slot;

typedef struct gb_cp_ring {
  gb_cp_slot slot[GB_CP_SLOTS]; /* message i is in slot i % GB_CP_SLOTS */
  uint64_t filled, emptied;     /* messages, so far */
  bool closed;                  /* no more come */
  pthread_mutex_t lock;
  pthread_cond_t changed;
} gb_cp_ring;

/* Slots of `bytes` each. false: no memory. */
bool gb_cp_ring_open(gb_cp_ring *ring, size_t bytes);
void gb_cp_ring_free(gb_cp_ring *ring);

/* Makes an idle ring ready for the next messages, from number 0. */
void gb_cp_ring_restart(gb_cp_ring *ring);

/* Who fills: waits for the slot of the next message; hands it over; says that there are no more. */
gb_cp_slot *gb_cp_ring_free_slot(gb_cp_ring *ring);
void gb_cp_ring_fill(gb_cp_ring *ring);
void gb_cp_ring_close(gb_cp_ring *ring);

/* Who empties: waits for the next message, NULL if there are no more; gives its slot back. */
gb_cp_slot *gb_cp_ring_next(gb_cp_ring *ring);
void gb_cp_ring_empty(gb_cp_ring *ring);

/* Without waiting: how many messages were filled, how many emptied, and whether no more come. */
void gb_cp_ring_look(gb_cp_ring *ring, uint64_t *filled, uint64_t *emptied, bool *closed);

#endif
