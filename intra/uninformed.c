/* How long a region needs from the moment at which one of its hosts has the message: the least over the nodes
 * at which it could be entered. Entered at v, the region falls into pieces around v, and v's own hosts are
 * the inner nodes of a binary tree over the pieces:
 *
 *        v        entered(v) = least height of a tree of own[v] hosts over subtrees that need need(piece),
 *      / | \                   by joining the two soonest done first (Golomb's merging)
 *     p  p  p     need(piece) = least[its hosts] + extra * doublings(its switches)
 *
 * So v should split the region evenly and have enough hosts to serve the pieces. It is an estimate that looks
 * one step ahead; `extra` stands for what the cables further down cost. O(nodes of the region) when a region
 * changes. */
#include "intra/algorithms.h"
#include "intra/greedy.h"

#include <stdlib.h>
#include <string.h>

int gb_uninformed_new(const gb_residual *residual, const double *least, gb_uninformed *d, gbcast_error *err) {
  const gb_switch_order *order = residual->order;
  size_t nodes = order->node_count;
  *d = (gb_uninformed){.order = order, .residual = residual, .least = least};
  d->own = calloc(7 * nodes, sizeof *d->own);
  d->entered = malloc((5 * nodes + order->count) * sizeof *d->entered);
  if (d->own == NULL || d->entered == NULL) {
    gb_uninformed_free(d);
    return gb_no_memory(err);
  }
  d->region = d->own + nodes;
  d->list = d->region + nodes;
  d->above = d->list + nodes;
  d->below = d->above + nodes;
  d->switches = d->below + nodes;
  d->stamp = d->switches + nodes;
  d->lead = d->entered + nodes;
  d->need = d->lead + nodes;     /* each cable makes at most one region, each way */
  d->task = d->need + 2 * nodes; /* pieces of a region, and half of a node's hosts */
  memset(d->lead, 0, nodes * sizeof *d->lead);
  for (uint32_t i = 0; i < order->count; i++) {
    d->own[order->node[i]]++;
  }
  return GBCAST_OK;
}

void gb_uninformed_free(gb_uninformed *d) {
  free(d->own);
  free(d->entered);
  *d = (gb_uninformed){0};
}

static int rising(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Seconds for a tree of `hosts` inner nodes over the tasks. Spare hosts are tasks of their own; where there
 * are too few hosts, others have to help, a hop further away. */
static double join(const gb_uninformed *d, uint32_t tasks, uint32_t hosts) {
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

static double need_of(const gb_uninformed *d, uint32_t hosts, uint32_t switches) {
  return d->least[hosts] + d->extra * gb_floor_log2(switches);
}

/* What the region in `list` needs when it is entered at v. */
static double enter(const gb_uninformed *d, uint32_t v) {
  uint32_t all = d->list[0], tasks = 0;
  for (uint32_t y = gb_residual_neighbour(d->residual, v, GB_NONE); y != GB_NONE;
       y = gb_residual_neighbour(d->residual, v, y)) {
    if (d->region[y] == d->region[v] && d->above[y] == v && d->below[y] > 0) {
      d->task[tasks++] = need_of(d, d->below[y], d->switches[y]);
    }
  }
  if (d->below[all] > d->below[v]) {
    d->task[tasks++] = need_of(d, d->below[all] - d->below[v], d->switches[all] - d->switches[v]);
  }
  return join(d, tasks, d->own[v]);
}

/* Gives the nodes connected to `start` a region of their own. */
static void name_region(gb_uninformed *d, uint32_t start) {
  uint32_t id = d->regions++, old = d->region[start], count = 1;
  d->list[0] = start;
  d->above[start] = GB_NONE;
  d->region[start] = id;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t v = d->list[i];
    d->below[v] = d->own[v];
    d->switches[v] = d->own[v] > 0;
    for (uint32_t y = gb_residual_neighbour(d->residual, v, GB_NONE); y != GB_NONE;
         y = gb_residual_neighbour(d->residual, v, y)) {
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
  double lead = 0;
  d->need[id] = -1;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t v = d->list[i];
    if (d->own[v] > 0) {
      d->entered[v] = enter(d, v);
      d->need[id] = d->need[id] < 0 || d->entered[v] < d->need[id] ? d->entered[v] : d->need[id];
      lead = d->lead[v] > lead ? d->lead[v] : lead;
    }
  }
  d->need[id] += d->need[id] < 0 ? 0 : lead;
}

void gb_uninformed_inform(gb_uninformed *d, uint32_t node) {
  uint32_t old = d->region[node];
  if (old == GB_NONE) {
    return;
  }
  d->region[node] = GB_NONE;
  for (uint32_t y = gb_residual_neighbour(d->residual, node, GB_NONE); y != GB_NONE;
       y = gb_residual_neighbour(d->residual, node, y)) {
    if (d->region[y] == old) {
      name_region(d, y);
    }
  }
}

void gb_uninformed_start(gb_uninformed *d, double hop, double extra) {
  d->hop = hop;
  d->extra = extra;
  d->regions = 1;
  for (uint32_t v = 0; v < d->order->node_count; v++) {
    d->region[v] = 0;
  }
  gb_uninformed_inform(d, 0);
}

/* Whether the region around `start` has no hosts or can still be entered, once `informed` is informed. */
static bool has_entry(gb_uninformed *d, uint32_t start, uint32_t informed) {
  uint32_t region = d->region[start], count = 1, hosts = 0, entries = 0;
  d->list[0] = start;
  d->stamp[start] = d->now;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t v = d->list[i];
    hosts += d->own[v];
    for (uint32_t y = gb_residual_neighbour(d->residual, v, GB_NONE); y != GB_NONE;
         y = gb_residual_neighbour(d->residual, v, y)) {
      if (y == informed || d->region[y] == GB_NONE) {
        entries += gb_residual_left(d->residual, y, v);
      } else if (d->region[y] == region && d->stamp[y] != d->now) {
        d->stamp[y] = d->now;
        d->list[count++] = y;
      }
    }
  }
  return hosts == 0 || entries > 0;
}

bool gb_uninformed_safe(gb_uninformed *d, uint32_t node) {
  const gb_residual *c = d->residual;
  bool good = true;
  d->now++;
  for (uint32_t v = c->via[node]; good && v != GB_NONE; v = c->via[v]) {
    if (d->region[v] != GB_NONE && d->stamp[v] != d->now) {
      good = has_entry(d, v, node);
    }
  }
  for (uint32_t y = gb_residual_neighbour(c, node, GB_NONE); good && y != GB_NONE;
       y = gb_residual_neighbour(c, node, y)) {
    if (d->region[y] != GB_NONE && d->region[y] == d->region[node] && d->stamp[y] != d->now) {
      good = has_entry(d, y, node);
    }
  }
  return good;
}
