/* What an all-to-all sends between clusters. A way leads from one site to another. It has lanes, as many as
 * there are streams to fill it; in a lane one host at a time sends its blocks to the hosts over there:
 *
 *   lane 0   a0 ==> b0 b1 b2 b3, then a1 ==> b0 b1
 *   lane 1   a1 ==> b2 b3, then a2 ==> b0 b1 b2 b3
 *
 * Lanes are as long as each other: a host at the border of two begins the one and ends the other (McNaughton,
 * Scheduling with deadlines and loss functions, 1959). At any time they have different receivers, if there
 * are as many.
 *
 * Ways of one site take turns where they would be more than what they share can carry, such as its uplink;
 * those on one track follow each other. */
#ifndef GB_PLAN_ALLTOALL_TRANSFERS_H
#define GB_PLAN_ALLTOALL_TRANSFERS_H

#include "plan/core/core.h"

struct gb_alltoall;

/* Paced messages take this part of what links are said to carry: the rest is for what networks add to data,
 * and for what was late to catch up. */
#define GB_PACED_FULL (19.0 / 20)

typedef struct gb_turn {
  uint32_t machine;      /* of the sending site */
  uint32_t first, count; /* receivers, counted around */
  uint32_t slot;         /* messages before it in the lane */
} gb_turn;

typedef struct gb_way {
  uint32_t from, to; /* sites */
  uint32_t lanes;
  uint32_t *lane; /* lanes + 1: into turn */
  gb_turn *turn;
  bool paced;              /* one message begins after the other, and a host tells the next at its last */
  uint32_t early;          /* so many messages before its last a host tells the next, if it has so many */
  uint32_t ahead;          /* so many messages of a host may be under way when it begins another */
  uint32_t track;          /* of the hosts of `from`, as in gb_exchange: from 1 */
  uint32_t previous, next; /* ways on it, or GB_NONE */
  double pairs;            /* of ranks */
  double alone;            /* s from the first byte that leaves to the last with nothing else on the way */
  double extra;            /* s more, if its lanes nearly fill it */
  double tail;             /* s from then on until all is there */
  double start, end;       /* s: of its first byte and of its last, as planned */
  bool streams;            /* its lanes cannot fill it */
} gb_way;

/* What a way takes of a link or of a site's WAN traffic (a resource). */
typedef struct gb_way_use {
  uint32_t resource;
  double share; /* of it, while the way goes as fast as it does alone */
} gb_way_use;

typedef struct gb_way_resource {
  uint64_t id;           /* of the platform, see platform/cost/cost.h */
  double seconds_a_byte; /* of block: what it needs at least for all ways over it */
} gb_way_resource;

typedef struct gb_ways {
  uint32_t count;    /* sites x (sites - 1) */
  gb_way *way;       /* by from, then to */
  size_t *first_use; /* count + 1 */
  gb_way_use *use;
  uint32_t resource_count;
  gb_way_resource *resource;
  uint32_t *tracks; /* per site: of its hosts, that inside the site among them */
  double *word;     /* per site: s for a word from host to host */
  uint32_t *lane;   /* what the ways' lanes and turns are in */
  gb_turn *turn;
  uint64_t bytes; /* of a block, for which the times are */
} gb_ways;

/* Of an all-to-all whose sites are there, with blocks of plan->class_bytes; zeros for one site. */
int gb_ways_make(gbcast_plan *plan, struct gb_alltoall *a, gbcast_error *err);
void gb_ways_free(gb_ways *ways);
/* GBCAST_EINPUT unless each host sends to each of another site once, lanes have hosts that do not get in each
 * other's way, and each way is on one track. */
int gb_ways_check(const struct gb_alltoall *a, gbcast_error *err);

static inline const gb_way *gb_way_between(const gb_ways *ways, uint32_t sites, uint32_t from, uint32_t to) {
  return &ways->way[from * (sites - 1) + to - (to > from)];
}

/* By what the ways' times are to be multiplied for blocks of another size: overheads, which are not in
 * proportion to bytes, are hardly less for a size of the same class. */
static inline double gb_ways_scale(const gb_ways *ways, uint64_t bytes) {
  return ways->bytes > 0 ? (double)bytes / (double)ways->bytes : 0;
}

/* s for blocks of about the size that the ways were made for: when a way's first byte goes, when all of it is
 * there, and when everything is. Empty blocks are not sent at all. */
static inline double gb_way_start(const gb_ways *ways, const gb_way *way, uint64_t bytes) {
  return way->start * gb_ways_scale(ways, bytes);
}

static inline double gb_way_arrival(const gb_ways *ways, const gb_way *way, uint64_t bytes) {
  return bytes > 0 ? way->end * gb_ways_scale(ways, bytes) + way->tail : 0;
}

double gb_ways_time(const gb_ways *ways, uint64_t bytes);

/* The steps of gb_ways_make. Senders and receivers over lanes: the turns; way->lanes may become less, and
 * returns what the longest lane has of all. */
double gb_ways_deal(const struct gb_alltoall *a, gb_way *way, uint32_t shift);
/* When each way begins and ends. */
int gb_ways_time_turns(gb_ways *ways, uint32_t sites, gbcast_error *err);
/* On which track of its site. */
int gb_ways_lay_tracks(gb_ways *ways, uint32_t sites, gbcast_error *err);

#endif
