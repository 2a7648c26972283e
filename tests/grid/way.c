#include "way.h"

#include <stdlib.h>
#include <string.h>

/* xorshift64: the same losses in every run. */
static bool is_lost(way *w) {
  w->random ^= w->random << 13;
  w->random ^= w->random >> 7;
  w->random ^= w->random << 17;
  return w->random % 1000000 < w->settings.loss;
}

static uint64_t time_to_send(const way *w, uint64_t bytes) {
  return (uint64_t)(8e9 * (double)bytes / (double)w->settings.bits);
}

bool way_take(way *w, const void *data, size_t length, uint64_t now) {
  uint64_t start = w->sent_at > now ? w->sent_at : now;
  if (start > now && start - now + time_to_send(w, length) > time_to_send(w, w->settings.queue_bytes)) {
    w->dropped++;
    return true;
  }
  w->sent_at = start + time_to_send(w, length + WAY_HEADER);
  if (is_lost(w)) { /* after it was sent: it took its time on the link */
    w->lost++;
    return true;
  }
  packet *p = malloc(sizeof *p + length);
  if (p == NULL)
    return false;
  uint64_t due = w->sent_at + w->settings.delay;
  *p = (packet){.due = w->last != NULL && w->last->due > due ? w->last->due : due, .length = length};
  memcpy(p->data, data, length);
  if (w->last != NULL)
    w->last->next = p;
  else
    w->first = p;
  w->last = p;
  return true;
}

uint64_t way_next(const way *w) {
  return w->first != NULL ? w->first->due : WAY_FOREVER;
}

packet *way_give(way *w, uint64_t now) {
  packet *p = w->first;
  if (p == NULL || p->due > now)
    return NULL;
  w->first = p->next;
  if (w->first == NULL)
    w->last = NULL;
  w->packets++;
  w->bytes += p->length;
  return p;
}
