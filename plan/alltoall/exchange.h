/* One host's part of an all-to-all: what it sends and receives, in which order, whose signals it waits for
 * and whom it signals. Plain data for what runs it or writes it as a program. A signal is a synchronisation
 * message of no bytes.
 *
 *   send     to b ----> to c ----> (c') to d --> ...    one after the other; some wait for a signal first,
 *   receive  from d --> from b --> ...                  and some are followed by one
 *
 * There is such a track for the host's own cluster, and more for the others. Tracks run side by side, and
 * begin in their order. All hosts of a cluster have as many, and signals go between tracks of the same
 * number: there, from one host to another, they come in the order in which they are waited for. Blocks do not
 * need to be told apart by tracks: but for dummies, a host sends to each other one once.
 *
 * In groups there are two tracks of one cluster, and what the one brings the other passes on. There, each
 * host has one rank. In all else a host stands for its ranks: each of them sends its own blocks to all ranks
 * of the peer, and signals all ranks of the host that is signalled. */
#ifndef GB_PLAN_ALLTOALL_EXCHANGE_H
#define GB_PLAN_ALLTOALL_EXCHANGE_H

#include "plan/core/core.h"

struct gb_alltoall;

typedef struct gb_exchange_step {
  uint32_t peer;  /* host of the platform */
  uint32_t phase; /* to or from another cluster: how many go before it in its lane */
  uint32_t ahead; /* of a send: so many before it may be under way when it begins; 0 inside a cluster */
  /* Of a send: s a byte of block until the next on its track begins, or that of a host that is signalled;
   * those are signalled when it begins. 0: when it is over; the next one begins when it may. */
  double pace;
  bool dummy; /* as many bytes, but nobody's: gb_alltoall_dummies */
  /* In gb_exchange.signal_host: the first and the number of hosts whose signals a send waits for, and of
   * those that are signalled when this step, and all before it on its track, is over. */
  uint32_t wait, waits;
  uint32_t signal, signals;
} gb_exchange_step;

typedef struct gb_exchange_track {
  uint32_t blocks; /* in one message: 1 but in groups */
  uint32_t send_count, receive_count;
  gb_exchange_step *send, *receive; /* in the order in which they are planned */
} gb_exchange_track;

typedef struct gb_exchange {
  uint32_t track_count; /* at least 1; the first is that of its own cluster */
  gb_exchange_track *track;
  uint32_t *signal_host; /* of the platform */
  /* In groups (plan/alltoall/groups.c): hosts, of which each `group` in a row are one, and which this one is.
   * The first track goes inside its group, the second across, when all of the first has come. 0: no groups.
   */
  uint32_t group, mine, places;
  uint32_t *place;
  /* With barriers: after every `block` phases all hosts wait until all have come so far. */
  uint32_t barriers, block;
} gb_exchange;

/* host: of the platform, one of those that take part. GBCAST_EMEMORY. */
int gb_exchange_new(const struct gb_alltoall *a, uint32_t host, gb_exchange *out, gbcast_error *err);
void gb_exchange_free(gb_exchange *exchange);

#endif
