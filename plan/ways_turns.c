/* When each way between clusters begins and ends.
 *
 * Where all ways at full pace are no more than what each resource can carry they begin at once, and nothing
 * is to be decided. Others wait for their turn; whenever something has become free,
 *
 *   1. ways that are under way go on faster, the first to begin first,
 *   2. those that wait begin, in the order of their labels, with what is free, but not with less than a
 *      quarter of what they could use: that would take too long to the end of it all.
 *
 *   uplink    |== to lyon ==|= to delft =|= to rome ...
 *   downlink         ...    |= to delft =|...                 both have to be free
 *
 * So nothing is idle that somebody could use, and nothing carries more than it can.
 *
 * A label is what is left to do once the way has begun: all that its most loaded resource has to carry, and
 * the latency. Between the same labels, and between all in a second try, who sends to the next site comes
 * first, then who sends to the one after that: with sites alike, each then has another receiver. The try that
 * ends first is taken. */
#include "plan/ways.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_PACE 0.25
#define ROUNDING 1e-9

typedef struct timing {
  gb_ways *ways;
  uint32_t sites;
  double *load;                /* by resource: s at full pace; 0 where there is enough for all */
  double *used;                /* by resource: the part of it that is taken */
  double *label, *left, *pace; /* by way: s; s at full pace; part of full pace */
  double *start, *end;         /* by way: of the try so far */
  uint32_t *waiting, *running, waits, runs;
} timing;

typedef struct rank {
  double label;
  uint32_t turn, way;
} rank;

static int earlier(const void *left, const void *right) {
  const rank *a = left, *b = right;
  if (a->label > b->label || a->label < b->label) {
    return a->label > b->label ? -1 : 1;
  }
  if (a->turn != b->turn) {
    return a->turn < b->turn ? -1 : 1;
  }
  return (a->way > b->way) - (a->way < b->way);
}

/* Loads of the resources that not all can use at once, and by them the labels. */
static void weigh(timing *t) {
  const gb_ways *ways = t->ways;
  for (uint32_t w = 0; w < ways->count; w++) {
    for (size_t i = ways->first_use[w]; i < ways->first_use[w + 1]; i++) {
      t->used[ways->use[i].resource] += ways->use[i].share;
      t->load[ways->use[i].resource] += ways->use[i].share * ways->way[w].alone;
    }
  }
  for (uint32_t r = 0; r < ways->resource_count; r++) {
    t->load[r] = t->used[r] > 1 + ROUNDING ? t->load[r] : 0;
  }
  for (uint32_t w = 0; w < ways->count; w++) {
    t->label[w] = 0;
    for (size_t i = ways->first_use[w]; i < ways->first_use[w + 1]; i++) {
      const double load = t->load[ways->use[i].resource];
      t->label[w] = load > t->label[w] ? load : t->label[w];
    }
  }
}

/* Those that have to take turns, in the order in which they may begin. */
static int queue_up(timing *t, bool by_label, gbcast_error *err) {
  rank *list = malloc(t->ways->count * sizeof *list);
  if (list == NULL) {
    return gb_no_memory(err);
  }
  t->waits = t->runs = 0;
  for (uint32_t w = 0; w < t->ways->count; w++) {
    const gb_way *way = &t->ways->way[w];
    t->start[w] = 0;
    t->end[w] = t->left[w] = way->alone;
    if (t->label[w] > 0) {
      list[t->waits++] = (rank){.label = by_label ? t->label[w] + way->tail : 0,
                                .turn = (way->to + t->sites - way->from) % t->sites,
                                .way = w};
    }
  }
  qsort(list, t->waits, sizeof *list, earlier);
  for (uint32_t i = 0; i < t->waits; i++) {
    t->waiting[i] = list[i].way;
  }
  free(list);
  return GBCAST_OK;
}

/* The pace at which a way can go, at most 1, with what is free. */
static double possible(const timing *t, uint32_t w) {
  double pace = 1;
  for (size_t i = t->ways->first_use[w]; i < t->ways->first_use[w + 1]; i++) {
    const gb_way_use *use = &t->ways->use[i];
    if (t->load[use->resource] > 0 && t->used[use->resource] + use->share * pace > 1) {
      pace = (1 - t->used[use->resource]) / use->share;
    }
  }
  return pace;
}

static void take(timing *t, uint32_t w, double pace) {
  t->pace[w] = pace;
  for (size_t i = t->ways->first_use[w]; i < t->ways->first_use[w + 1]; i++) {
    t->used[t->ways->use[i].resource] += t->ways->use[i].share * pace;
  }
}

static void share_out(timing *t, double now) {
  for (uint32_t r = 0; r < t->ways->resource_count; r++) {
    t->used[r] = 0;
  }
  for (uint32_t i = 0; i < t->runs; i++) {
    take(t, t->running[i], t->pace[t->running[i]]);
  }
  for (uint32_t i = 0; i < t->runs; i++) {
    const uint32_t w = t->running[i];
    const double had = t->pace[w];
    take(t, w, -had);
    const double can = possible(t, w);
    take(t, w, can > had ? can : had);
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->waits; i++) {
    const uint32_t w = t->waiting[i];
    const double pace = possible(t, w);
    if (pace < LEAST_PACE) {
      t->waiting[kept++] = w;
      continue;
    }
    take(t, w, pace);
    t->start[w] = now;
    t->running[t->runs++] = w;
  }
  t->waits = kept;
}

/* Until the next of them ends. */
static double go_on(timing *t, double now) {
  double step = INFINITY;
  for (uint32_t i = 0; i < t->runs; i++) {
    const uint32_t w = t->running[i];
    const double time = t->left[w] / t->pace[w];
    step = time < step ? time : step;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->runs; i++) {
    const uint32_t w = t->running[i];
    t->left[w] -= step * t->pace[w];
    if (t->left[w] <= ROUNDING * t->ways->way[w].alone) {
      t->end[w] = now + step;
    } else {
      t->running[kept++] = w;
    }
  }
  t->runs = kept;
  return now + step;
}

/* s until everything is there */
static int try_order(timing *t, bool by_label, double *time, gbcast_error *err) {
  const int status = queue_up(t, by_label, err);
  double now = 0;
  *time = 0;
  while (status == GBCAST_OK && t->waits + t->runs > 0) {
    share_out(t, now);
    now = go_on(t, now);
  }
  for (uint32_t w = 0; w < t->ways->count; w++) {
    const double there = t->end[w] + t->ways->way[w].tail;
    *time = there > *time ? there : *time;
  }
  return status;
}

static void keep(timing *t) {
  for (uint32_t w = 0; w < t->ways->count; w++) {
    t->ways->way[w].start = t->start[w];
    t->ways->way[w].end = t->end[w];
  }
}

int gb_ways_time_turns(gb_ways *ways, uint32_t sites, gbcast_error *err) {
  const size_t n = ways->count, resources = ways->resource_count;
  double *number = calloc(2 * resources + 5 * n, sizeof *number);
  uint32_t *list = calloc(n, 2 * sizeof *list);
  int status = number != NULL && list != NULL ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    double *way = number + 2 * resources, labelled, around;
    timing t = {.ways = ways,
                .sites = sites,
                .load = number,
                .used = number + resources,
                .label = way,
                .left = way + n,
                .pace = way + 2 * n,
                .start = way + 3 * n,
                .end = way + 4 * n,
                .waiting = list,
                .running = list + n};
    weigh(&t);
    status = try_order(&t, true, &labelled, err);
    if (status == GBCAST_OK) {
      keep(&t);
      status = try_order(&t, false, &around, err);
    }
    if (status == GBCAST_OK && around < labelled) {
      keep(&t);
    }
  }
  free(number);
  free(list);
  return status;
}
