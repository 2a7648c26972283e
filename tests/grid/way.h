/* One direction of a wide-area link, without I/O:
 *
 *   in --> [ queue, drops what does not fit | rate ] --> ( delay ) --> out
 *
 * Times are ns on one clock. */
#ifndef GRID_WAY_H
#define GRID_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WAY_FOREVER UINT64_MAX

/* What an Ethernet header adds to a packet: counted as the shapers of the cables count it. */
enum { WAY_HEADER = 14 };

typedef struct packet {
  struct packet *next;
  uint64_t due; /* when it comes out */
  size_t length;
  unsigned char data[];
} packet;

typedef struct way_settings {
  uint64_t delay;       /* ns, of the last bit after it was sent */
  uint64_t bits;        /* a second, at least 1 */
  uint64_t queue_bytes; /* that may wait to be sent; one packet always may */
  uint32_t loss;        /* packets in a million that are lost on the way; 1000000: the link is down */
} way_settings;

typedef struct way { /* {0} and settings, and `random` not 0 */
  way_settings settings;
  uint64_t random;
  uint64_t sent_at; /* when all that was taken has been sent */
  packet *first, *last;
  uint64_t packets, bytes, dropped, lost;
} way;

/* Takes a packet at `now`. False: no memory; dropped and lost packets are counted. `now` never falls. */
bool way_take(way *w, const void *data, size_t length, uint64_t now);

/* When the next packet comes out, or WAY_FOREVER. */
uint64_t way_next(const way *w);

/* The next packet, whose time has come; the caller frees it. NULL: none. Packets stay in order, even where
 * the delay became shorter meanwhile. */
packet *way_give(way *w, uint64_t now);

#endif
