/* Hosts are served in the order in which they get the first segment. Each may send twice, and each send goes
 *
 *   1. to the dark region that must be entered first, if it would be too late after one more hop: at the node
 *      from which the region is covered soonest,
 *   2. else to another host on the same switch: that makes more senders and uses no cable,
 *   3. else to a dark region all the same, else to the switch with the most hosts waiting.
 *
 * A region must be entered at target - need (intra/dark.c). Each send takes half of the links on its way, the
 * only send of a host all of them. So that nobody is left out,
 *
 *   - a send is refused when a dark region would be left without a way in,
 *   - the last host of a switch that can still send keeps one send for the others there,
 *   - a switch with no more sends than dark regions next to it sends nowhere else while it can.
 *
 * That is not always enough: a run may end with hosts left. The next run enters what was left out, or was
 * late, sooner. O(hosts x nodes) a run, more where sends are refused. */
#include "intra/greedy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The order of time is that of a queue for each kind of child, merged. */
static void fill_least(const gb_spread *s) {
  double *at = s->least;
  uint32_t one = 1, two = 1;
  at[0] = at[1] = 0;
  for (uint32_t k = 2; k <= s->walk->count; k++) {
    double a = at[one] + s->latency + s->gap, b = at[two] + s->latency + 2 * s->gap;
    at[k] = a <= b ? a : b;
    one += a <= b;
    two += a > b;
  }
}

int gb_spread_new(const gb_switch_walk *walk, double latency, double gap, gb_spread *s, gbcast_error *err) {
  size_t nodes = walk->node_count, count = walk->count;
  *s = (gb_spread){.walk = walk, .latency = latency, .gap = gap};
  s->least = malloc((2 * count + 1) * sizeof *s->least);
  s->taken = malloc((7 * nodes + 2 * count) * sizeof *s->taken);
  int status = s->least != NULL && s->taken != NULL ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    s->time = s->least + count + 1;
    s->pending = s->taken + nodes;
    s->refused = s->pending + nodes;
    s->queue[0] = s->refused + nodes;
    s->queue[1] = s->queue[0] + count;
    s->way = s->queue[1] + count; /* two of them */
    s->beside = s->way + 2 * nodes;
    memset(s->refused, 0, nodes * sizeof *s->refused);
    memset(s->beside, 0, 2 * nodes * sizeof *s->beside);
    fill_least(s);
    status = gb_cables_new(walk, &s->cables, err);
  }
  if (status == GBCAST_OK) {
    status = gb_dark_new(&s->cables, s->least, &s->dark, err);
  }
  if (status != GBCAST_OK) {
    gb_spread_free(s);
  }
  return status;
}

void gb_spread_free(gb_spread *s) {
  gb_dark_free(&s->dark);
  gb_cables_free(&s->cables);
  free(s->least);
  free(s->taken);
  *s = (gb_spread){0};
}

static uint32_t waiting(const gb_spread *s, uint32_t node) {
  return s->dark.own[node] - s->taken[node];
}

/* Whether the dark regions next to a node are as many as the sends that it has left, and marks these regions.
 */
static bool short_of_sends(gb_spread *s, uint32_t node, uint32_t rest) {
  uint32_t regions = 0, sends = rest + 2 * s->pending[node] + waiting(s, node);
  for (uint32_t y = gb_cables_neighbour(&s->cables, node, GB_NONE); y != GB_NONE;
       y = gb_cables_neighbour(&s->cables, node, y)) {
    uint32_t region = s->dark.region[y];
    if (region != GB_NONE && s->dark.need[region] >= 0 && s->beside[region] != s->choices) {
      s->beside[region] = s->choices;
      regions++;
    }
  }
  return regions >= sends;
}

/* The best node that was not refused, among those of the last look. */
static uint32_t best_node(const gb_spread *s, uint32_t from, double arrival, bool stay, bool beside) {
  const gb_dark *d = &s->dark;
  uint32_t dark = GB_NONE, lit = GB_NONE;
  double due = INFINITY, hop = s->latency + s->gap;
  if (stay && waiting(s, from) > 0) {
    return from;
  }
  for (uint32_t i = 0; i < s->cables.seen_count; i++) {
    uint32_t v = s->cables.seen[i], region = d->region[v];
    if (waiting(s, v) == 0 || s->refused[v] == s->choices ||
        (beside && v != from && (region == GB_NONE || s->beside[region] != s->choices))) {
      continue;
    }
    if (region == GB_NONE) {
      lit = v != from && (lit == GB_NONE || waiting(s, v) > waiting(s, lit)) ? v : lit;
      continue;
    }
    double deadline = s->rule.target - d->need[region];
    if (deadline < due || (deadline <= due && d->entered[v] < d->entered[dark])) {
      due = deadline;
      dark = v;
    }
  }
  if (dark != GB_NONE && due < arrival + hop * (1 + s->rule.margin)) {
    return dark;
  }
  return waiting(s, from) > 0 ? from : dark != GB_NONE ? dark : lit;
}

/* Adds to what is left of the links of a way. */
static void change(gb_spread *s, const uint32_t *way, uint32_t links, int halves) {
  for (uint32_t i = 0; i < links; i++) {
    s->cables.halves[way[i]] += (uint32_t)halves;
  }
}

/* The node for the next send, half of the links on the way taken; GB_NONE when there is none. */
static uint32_t choose(gb_spread *s, uint32_t from, double arrival, uint32_t rest, uint32_t halves) {
  bool stay = rest == 1 && s->pending[from] == 0;
  gb_cables_look(&s->cables, from, halves);
  s->choices++;
  bool beside = short_of_sends(s, from, rest);
  for (;;) {
    uint32_t node = best_node(s, from, arrival, stay, beside);
    if (node == GB_NONE && beside) {
      beside = false;
      continue;
    }
    s->links = 0;
    if (node == GB_NONE || node == from) {
      return node;
    }
    s->links = gb_cables_way(&s->cables, node, s->way);
    change(s, s->way, s->links, -1);
    if (gb_dark_safe(&s->dark, node)) {
      return node;
    }
    change(s, s->way, s->links, 1);
    s->refused[node] = s->choices;
  }
}

static uint32_t inform(gb_spread *s, uint32_t node, uint32_t sender, double time, uint32_t *parent) {
  uint32_t place = s->walk->first[node] + s->taken[node]++;
  parent[place] = sender;
  s->time[place] = time;
  s->pending[node]++;
  gb_dark_light(&s->dark, node);
  return place;
}

/* Both sends of a host, one, or none: the places that they go to. Returns how many. A first send that might
 * stay the only one, with nobody waiting on the same switch, gets whole links, and gives half of them back.
 */
static uint32_t serve(gb_spread *s, uint32_t sender, uint32_t *parent, uint32_t *place) {
  uint32_t node = s->walk->node[sender], *way = s->way + s->walk->node_count;
  double time = s->time[sender] + s->latency + s->gap;
  s->pending[node]--;
  bool alone = waiting(s, node) == 0;
  uint32_t one = choose(s, node, time, 2, alone ? GB_HALVES : 1), links = s->links;
  if (one == GB_NONE) {
    return 0;
  }
  memcpy(way, s->way, links * sizeof *way);
  place[0] = inform(s, one, sender, time, parent);
  uint32_t two = choose(s, node, time + s->gap, 1, 1);
  if (two == GB_NONE) {
    change(s, way, links, -1);
    return 1;
  }
  place[1] = inform(s, two, sender, time + s->gap, parent);
  return 2;
}

/* For the next run: a switch that got nothing is to be entered two hops sooner, one that got it too late by
 * so much, at most a hop. */
static void learn(gb_spread *s) {
  double hop = s->latency + s->gap;
  for (uint32_t v = 0; v < s->walk->node_count; v++) {
    double late = s->taken[v] > 0 ? s->time[s->walk->first[v] + s->taken[v] - 1] - s->rule.target : 0;
    late = late < 0 ? 0 : late < hop ? late : hop;
    s->dark.ahead[v] += waiting(s, v) > 0 ? 2 * hop : late;
  }
}

void gb_spread_forget(gb_spread *s) {
  memset(s->dark.ahead, 0, s->walk->node_count * sizeof *s->dark.ahead);
}

bool gb_spread_run(gb_spread *s, const gb_spread_rule *rule, uint32_t *parent) {
  uint32_t in[2] = {0, 0}, out[2] = {0, 0}, place[2] = {0, 0}, informed = 1;
  s->rule = *rule;
  memset(s->taken, 0, s->walk->node_count * sizeof *s->taken);
  memset(s->pending, 0, s->walk->node_count * sizeof *s->pending);
  gb_cables_reset(&s->cables);
  gb_dark_start(&s->dark, s->latency + s->gap, rule->extra);
  s->queue[0][in[0]++] = inform(s, 0, GB_NONE, 0, parent);
  while (informed < s->walk->count && (out[0] < in[0] || out[1] < in[1])) {
    int second =
        out[0] == in[0] || (out[1] < in[1] && s->time[s->queue[1][out[1]]] < s->time[s->queue[0][out[0]]]);
    uint32_t sends = serve(s, s->queue[second][out[second]++], parent, place);
    for (uint32_t u = 0; u < sends; u++) {
      s->queue[u][in[u]++] = place[u];
    }
    informed += sends;
  }
  learn(s);
  return informed == s->walk->count;
}
