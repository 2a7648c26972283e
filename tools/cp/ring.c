#include "tools/cp/ring.h"

#include <stdlib.h>

bool gb_cp_ring_open(gb_cp_ring *ring, size_t bytes) {
  *ring = (gb_cp_ring){0};
  bool good = true;
  for (size_t i = 0; i < GB_CP_SLOTS; i++) {
    ring->slot[i].data = malloc(bytes);
    good = good && ring->slot[i].data != NULL;
  }
  good = pthread_mutex_init(&ring->lock, NULL) == 0 && good;
  return pthread_cond_init(&ring->changed, NULL) == 0 && good;
}

void gb_cp_ring_free(gb_cp_ring *ring) {
  for (size_t i = 0; i < GB_CP_SLOTS; i++)
    free(ring->slot[i].data);
  (void)pthread_cond_destroy(&ring->changed);
  (void)pthread_mutex_destroy(&ring->lock);
}

void gb_cp_ring_restart(gb_cp_ring *ring) {
  ring->filled = ring->emptied = 0;
  ring->closed = false;
}

gb_cp_slot *gb_cp_ring_free_slot(gb_cp_ring *ring) {
  (void)pthread_mutex_lock(&ring->lock);
  while (ring->filled - ring->emptied == GB_CP_SLOTS)
    (void)pthread_cond_wait(&ring->changed, &ring->lock);
  gb_cp_slot *slot = &ring->slot[ring->filled % GB_CP_SLOTS];
  (void)pthread_mutex_unlock(&ring->lock);
  return slot;
}

static void change(gb_cp_ring *ring, uint64_t filled, uint64_t emptied, bool closed) {
  (void)pthread_mutex_lock(&ring->lock);
  ring->filled += filled;
  ring->emptied += emptied;
  ring->closed = ring->closed || closed;
  (void)pthread_cond_signal(&ring->changed);
  (void)pthread_mutex_unlock(&ring->lock);
}

void gb_cp_ring_fill(gb_cp_ring *ring) {
  change(ring, 1, 0, false);
}

void gb_cp_ring_close(gb_cp_ring *ring) {
  change(ring, 0, 0, true);
}

void gb_cp_ring_empty(gb_cp_ring *ring) {
  change(ring, 0, 1, false);
}

gb_cp_slot *gb_cp_ring_next(gb_cp_ring *ring) {
  (void)pthread_mutex_lock(&ring->lock);
  while (ring->filled == ring->emptied && !ring->closed)
    (void)pthread_cond_wait(&ring->changed, &ring->lock);
  gb_cp_slot *slot = ring->filled == ring->emptied ? NULL : &ring->slot[ring->emptied % GB_CP_SLOTS];
  (void)pthread_mutex_unlock(&ring->lock);
  return slot;
}

void gb_cp_ring_look(gb_cp_ring *ring, uint64_t *filled, uint64_t *emptied, bool *closed) {
  (void)pthread_mutex_lock(&ring->lock);
  *filled = ring->filled;
  *emptied = ring->emptied;
  *closed = ring->closed;
  (void)pthread_mutex_unlock(&ring->lock);
}
