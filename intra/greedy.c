/* A binary tree grown greedily. Hosts send in the order in which they get the first segment. Each may send
 * twice, and each send goes
 *
 *   1. to the uninformed region that must be entered first, if one more hop would be too late: to the node
 *      from which the region is covered soonest,
 *   2. else to another host on the same switch: that makes more senders and uses no cable,
 *   3. else to an uninformed region all the same, else to the switch where most hosts wait.
 *
 * A region must be entered at target - need (intra/uninformed.c). Each send takes half of the links on its
 * path; the only send of a host takes all of them. So that no host is left out,
 *
 *   - a send is refused when it would leave an uninformed region without an entry,
 *   - the last host of a switch that can still send keeps one send for the others there,
 *   - a switch with no more sends than uninformed regions next to it sends nowhere else while it can.
 *
 * That is not always enough: a run may end with hosts left. The next run enters sooner what was left out or
 * was late. O(hosts x nodes) a run, more where sends are refused. */
#include "intra/greedy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The order of time is that of a queue for each kind of child, merged. */
static void fill_least(const gb_greedy *s) {
  double *at = s->least;
  uint32_t one = 1, two = 1;
  at[0] = at[1] = 0;
  for (uint32_t k = 2; k <= s->order->count; k++) {
    double a = at[one] + s->latency + s->gap, b = at[two] + s->latency + 2 * s->gap;
    at[k] = a <= b ? a : b;
    one += a <= b;
    two += a > b;
  }
}

int gb_greedy_new(const gb_switch_order *order, double latency, double gap, gb_greedy *s, gbcast_error *err) {
  size_t nodes = order->node_count, count = order->count;
  *s = (gb_greedy){.order = order, .latency = latency, .gap = gap};
  s->least = malloc((2 * count + 1) * sizeof *s->least);
  s->taken = malloc((7 * nodes + 2 * count) * sizeof *s->taken);
  int status = s->least != NULL && s->taken != NULL ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    s->time = s->least + count + 1;
    s->pending = s->taken + nodes;
    s->refused = s->pending + nodes;
    s->queue[0] = s->refused + nodes;
    s->queue[1] = s->queue[0] + count;
    s->path = s->queue[1] + count; /* two of them */
    s->adjacent = s->path + 2 * nodes;
    memset(s->refused, 0, nodes * sizeof *s->refused);
    memset(s->adjacent, 0, 2 * nodes * sizeof *s->adjacent);
    fill_least(s);
    status = gb_residual_new(order, &s->residual, err);
  }
  if (status == GBCAST_OK) {
    status = gb_uninformed_new(&s->residual, s->least, &s->uninformed, err);
  }
  if (status != GBCAST_OK) {
    gb_greedy_free(s);
  }
  return status;
}

void gb_greedy_free(gb_greedy *s) {
  gb_uninformed_free(&s->uninformed);
  gb_residual_free(&s->residual);
  free(s->least);
  free(s->taken);
  *s = (gb_greedy){0};
}

static uint32_t waiting(const gb_greedy *s, uint32_t node) {
  return s->uninformed.own[node] - s->taken[node];
}

/* Whether a node has no more sends left than uninformed regions next to it; marks these regions. */
static bool short_of_sends(gb_greedy *s, uint32_t node, uint32_t rest) {
  uint32_t regions = 0, sends = rest + 2 * s->pending[node] + waiting(s, node);
  for (uint32_t y = gb_residual_neighbour(&s->residual, node, GB_NONE); y != GB_NONE;
       y = gb_residual_neighbour(&s->residual, node, y)) {
    uint32_t region = s->uninformed.region[y];
    if (region != GB_NONE && s->uninformed.need[region] >= 0 && s->adjacent[region] != s->choices) {
      s->adjacent[region] = s->choices;
      regions++;
    }
  }
  return regions >= sends;
}

/* The best node that was not refused, among those of the last search. */
static uint32_t best_node(const gb_greedy *s, uint32_t from, double arrival, bool stay, bool adjacent) {
  const gb_uninformed *d = &s->uninformed;
  uint32_t urgent = GB_NONE, busiest = GB_NONE;
  double due = INFINITY, hop = s->latency + s->gap;
  if (stay && waiting(s, from) > 0) {
    return from;
  }
  for (uint32_t i = 0; i < s->residual.seen_count; i++) {
    uint32_t v = s->residual.seen[i], region = d->region[v];
    if (waiting(s, v) == 0 || s->refused[v] == s->choices ||
        (adjacent && v != from && (region == GB_NONE || s->adjacent[region] != s->choices))) {
      continue;
    }
    if (region == GB_NONE) {
      busiest = v != from && (busiest == GB_NONE || waiting(s, v) > waiting(s, busiest)) ? v : busiest;
      continue;
    }
    double deadline = s->rule.target - d->need[region];
    if (deadline < due || (deadline <= due && d->entered[v] < d->entered[urgent])) {
      due = deadline;
      urgent = v;
    }
  }
  if (urgent != GB_NONE && due < arrival + hop * (1 + s->rule.margin)) {
    return urgent;
  }
  return waiting(s, from) > 0 ? from : urgent != GB_NONE ? urgent : busiest;
}

/* Adds to the halves that are left on the links of a path. */
static void adjust(gb_greedy *s, const uint32_t *path, uint32_t links, int halves) {
  for (uint32_t i = 0; i < links; i++) {
    s->residual.halves[path[i]] += (uint32_t)halves;
  }
}

/* The node for the next send, half of the links on the path taken; GB_NONE when there is none. */
static uint32_t choose(gb_greedy *s, uint32_t from, double arrival, uint32_t rest, uint32_t halves) {
  bool stay = rest == 1 && s->pending[from] == 0;
  gb_residual_search(&s->residual, from, halves);
  s->choices++;
  bool adjacent = short_of_sends(s, from, rest);
  for (;;) {
    uint32_t node = best_node(s, from, arrival, stay, adjacent);
    if (node == GB_NONE && adjacent) {
      adjacent = false;
      continue;
    }
    s->links = 0;
    if (node == GB_NONE || node == from) {
      return node;
    }
    s->links = gb_residual_path(&s->residual, node, s->path);
    adjust(s, s->path, s->links, -1);
    if (gb_uninformed_safe(&s->uninformed, node)) {
      return node;
    }
    adjust(s, s->path, s->links, 1);
    s->refused[node] = s->choices;
  }
}

static uint32_t inform(gb_greedy *s, uint32_t node, uint32_t sender, double time, uint32_t *parent) {
  uint32_t position = s->order->first[node] + s->taken[node]++;
  parent[position] = sender;
  s->time[position] = time;
  s->pending[node]++;
  gb_uninformed_inform(&s->uninformed, node);
  return position;
}

/* Both sends of a host, one, or none: the positions that they go to. Returns how many. A first send that
 * might stay the only one, with nobody waiting on the same switch, gets whole links, and gives half of them
 * back.
 */
static uint32_t serve(gb_greedy *s, uint32_t sender, uint32_t *parent, uint32_t *position) {
  uint32_t node = s->order->node[sender], *path = s->path + s->order->node_count;
  double time = s->time[sender] + s->latency + s->gap;
  s->pending[node]--;
  bool alone = waiting(s, node) == 0;
  uint32_t one = choose(s, node, time, 2, alone ? GB_HALVES : 1), links = s->links;
  if (one == GB_NONE) {
    return 0;
  }
  memcpy(path, s->path, links * sizeof *path);
  position[0] = inform(s, one, sender, time, parent);
  uint32_t two = choose(s, node, time + s->gap, 1, 1);
  if (two == GB_NONE) {
    adjust(s, path, links, -1);
    return 1;
  }
  position[1] = inform(s, two, sender, time + s->gap, parent);
  return 2;
}

/* For the next run: a switch that got nothing is to be entered two hops sooner, one that got it too late by
 * so much, at most a hop. */
static void learn(gb_greedy *s) {
  double hop = s->latency + s->gap;
  for (uint32_t v = 0; v < s->order->node_count; v++) {
    double late = s->taken[v] > 0 ? s->time[s->order->first[v] + s->taken[v] - 1] - s->rule.target : 0;
    late = late < 0 ? 0 : late < hop ? late : hop;
    s->uninformed.lead[v] += waiting(s, v) > 0 ? 2 * hop : late;
  }
}

void gb_greedy_forget(gb_greedy *s) {
  memset(s->uninformed.lead, 0, s->order->node_count * sizeof *s->uninformed.lead);
}

bool gb_greedy_run(gb_greedy *s, const gb_greedy_rule *rule, uint32_t *parent) {
  uint32_t in[2] = {0, 0}, out[2] = {0, 0}, position[2] = {0, 0}, informed = 1;
  s->rule = *rule;
  memset(s->taken, 0, s->order->node_count * sizeof *s->taken);
  memset(s->pending, 0, s->order->node_count * sizeof *s->pending);
  gb_residual_reset(&s->residual);
  gb_uninformed_start(&s->uninformed, s->latency + s->gap, rule->extra);
  s->queue[0][in[0]++] = inform(s, 0, GB_NONE, 0, parent);
  while (informed < s->order->count && (out[0] < in[0] || out[1] < in[1])) {
    int second =
        out[0] == in[0] || (out[1] < in[1] && s->time[s->queue[1][out[1]]] < s->time[s->queue[0][out[0]]]);
    uint32_t sends = serve(s, s->queue[second][out[second]++], parent, position);
    for (uint32_t u = 0; u < sends; u++) {
      s->queue[u][in[u]++] = position[u];
    }
    informed += sends;
  }
  learn(s);
  return informed == s->order->count;
}
