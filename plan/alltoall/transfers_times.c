/* When each transfer between clusters begins and ends.
 *
 * Where all transfers at full pace are no more than what each resource can carry they begin at once, and
 * nothing is to be decided. Others wait; whenever a resource has become free,
 *
 *   1. transfers that are under way go on faster, the first to begin first,
 *   2. those that wait begin, in the order of their labels, with what is free, but not with less than a
 *      quarter of what they could use: the last of it would come too late.
 *
 *   uplink    |== to lyon ==|= to delft =|= to rome ...
 *   downlink         ...    |= to delft =|...                 both have to be free
 *
 * So nothing is idle that somebody could use, and nothing carries more than it can.
 *
 * A label is what is left to do from then on: what its resources have to carry for transfers that have not
 * begun, and its latency. With sites alike that leads to rounds that do not fit each other, so a second try
 * takes the time of the transfer alone, and of equal ones that which leads to the next site first, then to
 * the one after that: then each site has another receiver in each round. The try that ends first is taken. */
#include "plan/alltoall/make.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_PACE 0.25
#define ROUNDING 1e-9

typedef struct timing {
  const gb_site_transfers *transfers;
  uint32_t sites;
  bool around;         /* the second try */
  bool *tight;         /* by resource: not all can use it at full pace */
  double *used;        /* by resource: the part of it that is taken */
  double *load;        /* by resource: s at full pace of transfers that have not begun */
  double *left, *pace; /* by transfer: s at full pace; part of full pace */
  double *start, *end; /* by transfer: s */
  uint32_t *waiting, *running, waits, runs;
} timing;

static void find_tight(timing *t) {
  const gb_site_transfers *transfers = t->transfers;
  for (size_t i = 0; i < transfers->first_use[transfers->count]; i++) {
    t->used[transfers->use[i].resource] += transfers->use[i].share;
  }
  for (uint32_t r = 0; r < transfers->resource_count; r++) {
    t->tight[r] = t->used[r] > 1 + ROUNDING;
  }
}

/* Those that have to wait for others; all else begins and ends at once. */
static void queue_up(timing *t) {
  for (uint32_t r = 0; r < t->transfers->resource_count; r++) {
    t->load[r] = 0;
  }
  for (uint32_t w = 0; w < t->transfers->count; w++) {
    const double alone = t->transfers->transfer[w].alone;
    bool waits = false;
    for (size_t i = t->transfers->first_use[w]; i < t->transfers->first_use[w + 1]; i++) {
      const gb_transfer_use *use = &t->transfers->use[i];
      waits |= t->tight[use->resource];
      t->load[use->resource] += use->share * alone;
    }
    t->start[w] = 0;
    t->end[w] = t->left[w] = alone;
    if (waits) {
      t->waiting[t->waits++] = w;
    }
  }
}

/* The pace at which a transfer can go, at most 1, with what is free. */
static double possible(const timing *t, uint32_t w) {
  double pace = 1;
  for (size_t i = t->transfers->first_use[w]; i < t->transfers->first_use[w + 1]; i++) {
    const gb_transfer_use *use = &t->transfers->use[i];
    if (t->tight[use->resource] && t->used[use->resource] + use->share * pace > 1) {
      pace = (1 - t->used[use->resource]) / use->share;
    }
  }
  return pace;
}

static void take(timing *t, uint32_t w, double pace) {
  for (size_t i = t->transfers->first_use[w]; i < t->transfers->first_use[w + 1]; i++) {
    t->used[t->transfers->use[i].resource] += t->transfers->use[i].share * pace;
  }
}

static double label(const timing *t, uint32_t w) {
  double sum = t->transfers->transfer[w].tail;
  for (size_t i = t->transfers->first_use[w]; i < t->transfers->first_use[w + 1]; i++) {
    const uint32_t r = t->transfers->use[i].resource;
    sum += t->tight[r] ? t->load[r] : 0;
  }
  return t->around ? t->transfers->transfer[w].alone : sum;
}

/* How many sites further on it leads. */
static uint32_t distance(const timing *t, uint32_t w) {
  return (t->transfers->transfer[w].to + t->sites - t->transfers->transfer[w].from) % t->sites;
}

/* The place in `waiting` of the one to begin next, or their number. */
static uint32_t next_to_begin(const timing *t) {
  uint32_t best = t->waits;
  double highest = 0;
  for (uint32_t i = 0; i < t->waits; i++) {
    const uint32_t w = t->waiting[i];
    if (possible(t, w) < LEAST_PACE) {
      continue;
    }
    const double own = label(t, w);
    if (best == t->waits || own > highest ||
        (own >= highest && distance(t, w) < distance(t, t->waiting[best]))) {
      best = i;
      highest = own;
    }
  }
  return best;
}

static void begin(timing *t, uint32_t place, double now) {
  const uint32_t w = t->waiting[place];
  t->waiting[place] = t->waiting[--t->waits];
  t->start[w] = now;
  t->pace[w] = possible(t, w);
  take(t, w, t->pace[w]);
  t->running[t->runs++] = w;
  for (size_t i = t->transfers->first_use[w]; i < t->transfers->first_use[w + 1]; i++) {
    t->load[t->transfers->use[i].resource] -= t->transfers->use[i].share * t->transfers->transfer[w].alone;
  }
}

static void share_out(timing *t, double now) {
  for (uint32_t r = 0; r < t->transfers->resource_count; r++) {
    t->used[r] = 0;
  }
  for (uint32_t i = 0; i < t->runs; i++) {
    take(t, t->running[i], t->pace[t->running[i]]);
  }
  for (uint32_t i = 0; i < t->runs; i++) {
    const uint32_t w = t->running[i];
    take(t, w, -t->pace[w]);
    const double can = possible(t, w);
    t->pace[w] = can > t->pace[w] ? can : t->pace[w];
    take(t, w, t->pace[w]);
  }
  for (uint32_t place; (place = next_to_begin(t)) < t->waits;) {
    begin(t, place, now);
  }
}

/* Until the next of them ends. */
static double go_on(timing *t, double now) {
  double step = INFINITY;
  for (uint32_t i = 0; i < t->runs; i++) {
    const double time = t->left[t->running[i]] / t->pace[t->running[i]];
    step = time < step ? time : step;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->runs; i++) {
    const uint32_t w = t->running[i];
    t->left[w] -= step * t->pace[w];
    if (t->left[w] <= ROUNDING * t->transfers->transfer[w].alone) {
      t->end[w] = now + step;
    } else {
      t->running[kept++] = w;
    }
  }
  t->runs = kept;
  return now + step;
}

/* s until everything is there */
static double try_once(timing *t, bool around) {
  double now = 0, last = 0;
  t->around = around;
  queue_up(t);
  while (t->waits + t->runs > 0) {
    share_out(t, now);
    now = go_on(t, now);
  }
  for (uint32_t w = 0; w < t->transfers->count; w++) {
    const double there = t->end[w] + t->transfers->transfer[w].tail;
    last = there > last ? there : last;
  }
  return last;
}

static void keep(gb_site_transfers *transfers, const timing *t) {
  for (uint32_t w = 0; w < transfers->count; w++) {
    const double full = transfers->transfer[w].paced ? GB_PACED_FULL : 1;
    transfers->transfer[w].start = t->start[w] / full;
    transfers->transfer[w].end = t->end[w] / full;
  }
}

int gb_transfers_set_times(gb_site_transfers *transfers, uint32_t sites, gbcast_error *err) {
  const size_t n = transfers->count, resources = transfers->resource_count;
  double *number = calloc(2 * resources + 4 * n, sizeof *number);
  uint32_t *list = calloc(n, 2 * sizeof *list);
  bool *tight = calloc(resources, sizeof *tight);
  const bool enough = number != NULL && list != NULL && tight != NULL;
  if (enough) {
    double *by_transfer = number + 2 * resources;
    timing t = {.transfers = transfers,
                .sites = sites,
                .tight = tight,
                .used = number,
                .load = number + resources,
                .left = by_transfer,
                .pace = by_transfer + n,
                .start = by_transfer + 2 * n,
                .end = by_transfer + 3 * n,
                .waiting = list,
                .running = list + n};
    find_tight(&t);
    const double labelled = try_once(&t, false);
    keep(transfers, &t);
    if (try_once(&t, true) < labelled) {
      keep(transfers, &t);
    }
  }
  free(number);
  free(list);
  free(tight);
  return enough ? GBCAST_OK : gb_no_memory(err);
}
