/* What a region needs, from one host of it having the message: the best over the nodes at which it could be
 * entered. Entered at v, the region falls into pieces around v, and v's own hosts are the inner nodes of a
 * binary tree over the pieces:
 *
 *        v        entered(v) = least height of a tree of own[v] hosts over subtrees that need need(piece),
 *      / | \                   by joining the two soonest done first (Golomb's merging)
 *     p  p  p     need(piece) = least[its hosts] + extra * doublings(its switches)
 *
 * So v should split the region evenly and have hosts enough to serve the pieces. It is an estimate, one step
 * deep; `extra` stands for what cables cost further down. O(nodes of the region) when a region changes. */
#include "intra/algorithms.h"
#include "intra/greedy.h"

#include <stdlib.h>
#include <string.h>

int gb_dark_new(const gb_cables *cables, const double *least, gb_dark *d, gbcast_error *err) {
  const gb_switch_walk *walk = cables->walk;
  size_t nodes = walk->node_count;
  *d = (gb_dark){.walk = walk, .cables = cables, .least = least};
  d->own = calloc(7 * nodes, sizeof *d->own);
  d->entered = malloc((5 * nodes + walk->count) * sizeof *d->entered);
  if (d->own == NULL || d->entered == NULL) {
    gb_dark_free(d);
    return gb_no_memory(err);
  }
  d->region = d->own + nodes;
  d->list = d->region + nodes;
  d->above = d->list + nodes;
  d->below = d->above + nodes;
  d->switches = d->below + nodes;
  d->stamp = d->switches + nodes;
  d->ahead = d->entered + nodes;
  d->need = d->ahead + nodes;    /* each cable makes at most one region, each way */
  d->task = d->need + 2 * nodes; /* pieces of a region, and half of a node's hosts */
  memset(d->ahead, 0, nodes * sizeof *d->ahead);
  for (uint32_t i = 0; i < walk->count; i++) {
    d->own[walk->node[i]]++;
  }
  return GBCAST_OK;
}

void gb_dark_free(gb_dark *d) {
  free(d->own);
  free(d->entered);
  *d = (gb_dark){0};
}

static int rising(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Seconds for a tree of `hosts` inner nodes over the tasks. Spare hosts are tasks of their own; where hosts
 * are too few, others have to help, a hop further away. */
static double join(const gb_dark *d, uint32_t tasks, uint32_t hosts) {
  uint32_t spare = hosts + 1 > tasks ? (hosts + 1 - tasks) / 2 : 0, used = spare;
  double *task = d->task;
  if (tasks == 0) {
    return d->least[hosts];
  }
  for (uint32_t i = 0; i < spare; i++) {
    task[tasks + i] = 0;
  }
  uint32_t count = tasks + spare, first = 0, made = 0, done = 0;
  qsort(task, count, sizeof *task, rising);
  while (count - first + made - done >
         1) { /* joined ones come out rising: a queue in the part that is free */
    double later = 0;
    for (int two = 0; two < 2; two++) {
      later = first < count && (done == made || task[first] <= task[done]) ? task[first++] : task[done++];
    }
    task[made++] = later + d->hop * (used++ < hosts ? 1 : 2);
  }
  double last = first < count ? task[first] : task[done];
  return used < hosts ? last + d->hop : last;
}

static double need_of(const gb_dark *d, uint32_t hosts, uint32_t switches) {
  return d->least[hosts] + d->extra * gb_floor_log2(switches);
}

/* What the region in `list` needs when it is entered at v. */
static double enter(const gb_dark *d, uint32_t v) {
  uint32_t all = d->list[0], tasks = 0;
  for (uint32_t y = gb_cables_neighbour(d->cables, v, GB_NONE); y != GB_NONE;
       y = gb_cables_neighbour(d->cables, v, y)) {
    if (d->region[y] == d->region[v] && d->above[y] == v && d->below[y] > 0) {
      d->task[tasks++] = need_of(d, d->below[y], d->switches[y]);
    }
  }
  if (d->below[all] > d->below[v]) {
    d->task[tasks++] = need_of(d, d->below[all] - d->below[v], d->switches[all] - d->switches[v]);
  }
  return join(d, tasks, d->own[v]);
}

/* Makes a region of its own of what is connected to `start`. */
static void name_region(gb_dark *d, uint32_t start) {
  uint32_t id = d->regions++, old = d->region[start], count = 1;
  d->list[0] = start;
  d->above[start] = GB_NONE;
  d->region[start] = id;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t v = d->list[i];
    d->below[v] = d->own[v];
    d->switches[v] = d->own[v] > 0;
    for (uint32_t y = gb_cables_neighbour(d->cables, v, GB_NONE); y != GB_NONE;
         y = gb_cables_neighbour(d->cables, v, y)) {
      if (d->region[y] == old) {
        d->region[y] = id;
        d->above[y] = v;
        d->list[count++] = y;
      }
    }
  }
  for (uint32_t i = count; i-- > 1;) {
    uint32_t v = d->list[i];
    d->below[d->above[v]] += d->below[v];
    d->switches[d->above[v]] += d->switches[v];
  }
  double ahead = 0;
  d->need[id] = -1;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t v = d->list[i];
    if (d->own[v] > 0) {
      d->entered[v] = enter(d, v);
      d->need[id] = d->need[id] < 0 || d->entered[v] < d->need[id] ? d->entered[v] : d->need[id];
      ahead = d->ahead[v] > ahead ? d->ahead[v] : ahead;
    }
  }
  d->need[id] += d->need[id] < 0 ? 0 : ahead;
}

void gb_dark_light(gb_dark *d, uint32_t node) {
  uint32_t old = d->region[node];
  if (old == GB_NONE) {
    return;
  }
  d->region[node] = GB_NONE;
  for (uint32_t y = gb_cables_neighbour(d->cables, node, GB_NONE); y != GB_NONE;
       y = gb_cables_neighbour(d->cables, node, y)) {
    if (d->region[y] == old) {
      name_region(d, y);
    }
  }
}

void gb_dark_start(gb_dark *d, double hop, double extra) {
  d->hop = hop;
  d->extra = extra;
  d->regions = 1;
  for (uint32_t v = 0; v < d->walk->node_count; v++) {
    d->region[v] = 0;
  }
  gb_dark_light(d, 0);
}

/* Whether what stays dark around `start` has no hosts or a way in, once `lit` is lit. */
static bool has_way_in(gb_dark *d, uint32_t start, uint32_t lit) {
  uint32_t region = d->region[start], count = 1, hosts = 0, ways = 0;
  d->list[0] = start;
  d->stamp[start] = d->now;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t v = d->list[i];
    hosts += d->own[v];
    for (uint32_t y = gb_cables_neighbour(d->cables, v, GB_NONE); y != GB_NONE;
         y = gb_cables_neighbour(d->cables, v, y)) {
      if (y == lit || d->region[y] == GB_NONE) {
        ways += gb_cables_left(d->cables, y, v);
      } else if (d->region[y] == region && d->stamp[y] != d->now) {
        d->stamp[y] = d->now;
        d->list[count++] = y;
      }
    }
  }
  return hosts == 0 || ways > 0;
}

bool gb_dark_safe(gb_dark *d, uint32_t node) {
  const gb_cables *c = d->cables;
  bool good = true;
  d->now++;
  for (uint32_t v = c->via[node]; good && v != GB_NONE; v = c->via[v]) {
    if (d->region[v] != GB_NONE && d->stamp[v] != d->now) {
      good = has_way_in(d, v, node);
    }
  }
  for (uint32_t y = gb_cables_neighbour(c, node, GB_NONE); good && y != GB_NONE;
       y = gb_cables_neighbour(c, node, y)) {
    if (d->region[y] != GB_NONE && d->region[y] == d->region[node] && d->stamp[y] != d->now) {
      good = has_way_in(d, y, node);
    }
  }
  return good;
}
