/* What the sites of an all-to-all send each other. A site transfer is all that goes from one site to another.
 * It has lanes, as many as there are streams to fill its path; in a lane one host at a time sends its blocks
 * to the hosts over there. What one host sends in a lane is a slot:
 *
 *   lane 0   a0 ==> b0 b1 b2 b3, then a1 ==> b0 b1
 *   lane 1   a1 ==> b2 b3, then a2 ==> b0 b1 b2 b3
 *
 * Lanes are as long as each other: a host at the border of two begins the one and ends the other (McNaughton,
 * Scheduling with deadlines and loss functions, 1959). At any time they have different receivers, if there
 * are as many.
 *
 * Transfers of one site follow each other where all at once would be more than what they share can carry,
 * such as its uplink; a track is such a sequence. */
#ifndef GB_PLAN_ALLTOALL_SITE_TRANSFERS_H
#define GB_PLAN_ALLTOALL_SITE_TRANSFERS_H

#include "plan/core/core.h"

typedef struct gb_lane_slot {
  uint32_t machine;      /* of the sending site */
  uint32_t first, count; /* receivers, counted around */
  uint32_t before;       /* messages before it in the lane */
} gb_lane_slot;

typedef struct gb_site_transfer {
  uint32_t from, to; /* sites */
  uint32_t lanes;
  uint32_t *lane; /* lanes + 1: into slot */
  gb_lane_slot *slot;
  bool paced;     /* one message begins after the other, and a host signals the next one at its last */
  uint32_t early; /* a host signals the next one so many messages before its last, if it has so many */
  uint32_t ahead; /* so many messages of a host may be under way when it begins another */
  uint32_t track; /* of the hosts of `from`, as in gb_exchange: from 1 */
  uint32_t previous, next; /* transfers on it, or GB_NONE */
  double pairs;            /* of ranks */
  double alone;            /* s from the first byte that leaves to the last with nothing else on its path */
  double extra;            /* s more, if its lanes nearly fill its path */
  double tail;             /* s from then on until all has arrived */
  double start, end;       /* s: of its first byte and of its last, as planned */
  bool streams;            /* its lanes cannot fill its path */
} gb_site_transfer;

/* What a transfer takes of a link or of a site's WAN traffic (a resource). */
typedef struct gb_transfer_use {
  uint32_t resource;
  double share; /* of it, while the transfer goes as fast as it does alone */
} gb_transfer_use;

typedef struct gb_transfer_resource {
  uint64_t id;           /* of the platform, see platform/route.h */
  double seconds_a_byte; /* of block: what it needs at least for all transfers over it */
} gb_transfer_resource;

typedef struct gb_site_transfers {
  uint32_t count;             /* sites x (sites - 1) */
  gb_site_transfer *transfer; /* by from, then to */
  size_t *first_use;          /* count + 1 */
  gb_transfer_use *use;
  uint32_t resource_count;
  gb_transfer_resource *resource;
  uint32_t *tracks;    /* per site: of its hosts, that inside the site among them */
  double *signal_time; /* per site: s for a synchronisation message from host to host */
  uint32_t *lane;      /* what the transfers' lanes and slots are in */
  gb_lane_slot *slot;
  uint64_t bytes; /* of a block, for which the times are */
} gb_site_transfers;

static inline const gb_site_transfer *gb_transfer_between(const gb_site_transfers *transfers, uint32_t sites,
                                                          uint32_t from, uint32_t to) {
  return &transfers->transfer[from * (sites - 1) + to - (to > from)];
}

/* By what the transfers' times are to be multiplied for blocks of another size: overheads, which are not in
 * proportion to bytes, are hardly less for a size of the same class. */
static inline double gb_transfers_scale(const gb_site_transfers *transfers, uint64_t bytes) {
  return transfers->bytes > 0 ? (double)bytes / (double)transfers->bytes : 0;
}

/* s for blocks of about the size that the transfers were planned for: when a transfer's first byte leaves,
 * when all of it has arrived, and when everything has. Empty blocks are not sent at all. */
static inline double gb_transfer_start(const gb_site_transfers *transfers, const gb_site_transfer *transfer,
                                       uint64_t bytes) {
  return transfer->start * gb_transfers_scale(transfers, bytes);
}

static inline double gb_transfer_arrival(const gb_site_transfers *transfers, const gb_site_transfer *transfer,
                                         uint64_t bytes) {
  return bytes > 0 ? transfer->end * gb_transfers_scale(transfers, bytes) + transfer->tail : 0;
}

double gb_transfers_time(const gb_site_transfers *transfers, uint64_t bytes);

#endif
