/* A second predictor, written straight from the design's rules: every link of every way has a queue, every
 * segment is walked, the next send over all senders is found by looking at each. */
#ifndef GB_TESTS_PLAN_SIM_NAIVE_SIMULATION_H
#define GB_TESTS_PLAN_SIM_NAIVE_SIMULATION_H

#include "plan/build/build.h"
#include "plan/core/core.h"
#include "plan/sim/sim.h"
#include "tests/support/random_platform.h"
#include <math.h>

#define SEVERAL UINT32_MAX

typedef struct naive {
  const gbcast_plan *plan;
  bool meet; /* streams of several trees, between sites */
  uint32_t n;
  /* tree * n + endpoint */
  uint64_t *bytes; /* what its edge carries */
  double **at;     /* arrivals of its segments */
  uint32_t *known, *turn, *segment, *sent;
  uint32_t *streams;                     /* of each link */
  uint32_t *from;                        /* of each link: who sends over it, from 1; SEVERAL */
  double *port, *link, *wire;            /* wire: sender * n + receiver */
  double *begun, *taken;                 /* n: the first segment begins to come in; s on the own link */
  double *sent_inside, *received_inside; /* n: s on the own link, to and from other hosts of the site */
  double *inside;                        /* trees * n: the same, of the messages to each endpoint */
  gb_route route;
} naive;

static uint32_t children(const gb_tree *tree, uint32_t u) {
  return tree->child_start[u + 1] - tree->child_start[u];
}

static uint32_t pieces(const naive *w, uint32_t t, uint32_t v) {
  uint64_t bytes = w->bytes[t * w->n + v];
  return bytes ? (uint32_t)((bytes - 1) / w->plan->schedule.tree[t].segment + 1) : 0;
}

static uint64_t piece_bytes(const naive *w, uint32_t t, uint32_t v, uint32_t j) {
  uint64_t segment = w->plan->schedule.tree[t].segment, left = w->bytes[t * w->n + v] - (uint64_t)j * segment;
  return left < segment ? left : segment;
}

/* Bytes that lie before the blocks of child number i in u's stream. */
static uint64_t before(const naive *w, uint32_t t, uint32_t u, uint32_t i) {
  uint64_t sum = 0;
  const gb_tree *tree = &w->plan->schedule.tree[t];
  for (uint32_t k = 0; w->plan->operation == GBCAST_SCATTER && k < i; k++)
    sum += w->bytes[t * w->n + tree->child[tree->child_start[u] + k]];
  return sum;
}

static bool can_send(const naive *w, uint32_t t, uint32_t u, double *time) {
  const gb_tree *tree = &w->plan->schedule.tree[t];
  uint32_t i = t * w->n + u, count = children(tree, u);
  if (count == 0 || w->turn[i] >= count)
    return false;
  uint32_t v = tree->child[tree->child_start[u] + w->turn[i]];
  if (w->segment[i] >= pieces(w, t, v))
    return false;
  uint64_t end = before(w, t, u, w->turn[i]) + (uint64_t)w->segment[i] * tree->segment +
                 piece_bytes(w, t, v, w->segment[i]);
  uint32_t need = (uint32_t)((end - 1) / tree->segment);
  if (u != w->plan->schedule.root && need >= w->known[i])
    return false;
  double there = u == w->plan->schedule.root ? 0 : w->at[i][need];
  *time = w->port[u] > there ? w->port[u] : there;
  return true;
}

/* Whether u feeds another site in a tree. */
static bool is_far(const naive *w, uint32_t t, uint32_t u) {
  const gb_tree *tree = &w->plan->schedule.tree[t];
  bool far = false;
  for (uint32_t i = tree->child_start[u]; i < tree->child_start[u + 1]; i++)
    far |= gb_plan_level(w->plan, u, tree->child[i]) == GB_LEVEL_WAN;
  return far;
}

/* The tree that u serves next: the first that can be; of several one in which it feeds another site, then one
 * of the earliest turn, then the one with the smallest part done. */
static bool next_tree(const naive *w, uint32_t u, uint32_t *tree, double *time) {
  bool any = false;
  double part = 0;
  for (uint32_t t = 0; t < w->plan->schedule.tree_count; t++) {
    double from, done;
    if (!can_send(w, t, u, &from))
      continue;
    done = (double)w->sent[t * w->n + u] /
           ((double)pieces(w, t, w->plan->schedule.root) * children(&w->plan->schedule.tree[t], u));
    done += w->plan->schedule.tree[t].stage;
    done -= is_far(w, t, u) ? GB_TREES_MOST + 1 : 0; /* less than any that is not */
    if (any && (from > *time || (from == *time && done >= part)))
      continue;
    any = true;
    *tree = t;
    *time = from;
    part = done;
  }
  return any;
}

static bool feeds_hosts(const naive *w, uint32_t t, uint32_t u) {
  for (uint32_t v = 0; v < w->n; v++)
    if (w->plan->schedule.tree[t].parent[v] == u &&
        w->plan->schedule.endpoint[v].host != w->plan->schedule.endpoint[u].host)
      return true;
  return false;
}

/* What the edge from u to v gets of the links. */
static double room_below(const naive *w, uint32_t t, uint32_t u, uint32_t v) {
  if (w->bytes[t * w->n + v] <= w->plan->schedule.tree[t].segment &&
      (w->plan->operation != GBCAST_BCAST || w->plan->schedule.tree_count == 1))
    return 1;
  if (w->plan->operation != GBCAST_BCAST)
    return feeds_hosts(w, t, v) && !w->route.plogp ? gb_link_efficiency(false, w->route.wan) : 1;
  if (w->plan->schedule.tree_count == 1 &&
      (w->route.plogp || children(&w->plan->schedule.tree[t], u) == w->n - 1))
    return 1;
  return gb_link_efficiency(w->meet, w->route.wan);
}

static gb_cost narrowed(gb_route *r, double room, uint64_t m) {
  r->own_link *= room;
  r->narrowest *= room;
  for (uint32_t h = 0; h < r->hop_count; h++)
    r->hop[h].bandwidth *= room;
  gb_cost cost = gb_route_cost(r, m);
  if (r->plogp)
    return (gb_cost){cost.delta / room, cost.gap / room, cost.tail};
  return cost;
}

/* How long a message of m bytes takes a link on its way. No link is taken for longer than g; an end's own one
 * at least for os, or; inside a site for g. */
static double take(const gb_route *r, const gb_cost *cost, double room, uint32_t h, uint64_t m) {
  double busy = (double)m / r->hop[h].bandwidth;
  if (!r->plogp)
    return busy;
  double own = h == 0                  ? r->wan ? gb_plogp_send(r->plogp, m) / room : cost->gap
               : h + 1 == r->hop_count ? r->wan ? gb_plogp_receive(r->plogp, m) : cost->gap
                                       : 0;
  busy = busy > own ? busy : own;
  return busy < cost->gap ? busy : cost->gap;
}

static uint32_t parent_in(const naive *w, uint32_t t, uint32_t v) {
  return w->plan->schedule.tree[t].parent[v];
}

/* How many streams take each link: one for all trees in which one endpoint feeds the other. */
static void count_streams(naive *w) {
  for (uint32_t t = 0; t < w->plan->schedule.tree_count; t++)
    for (uint32_t v = 0; v < w->n; v++) {
      uint32_t u = parent_in(w, t, v), earlier = 0;
      while (earlier < t && parent_in(w, earlier, v) != u)
        earlier++;
      if (u == GB_NONE || earlier < t ||
          w->plan->schedule.endpoint[u].host == w->plan->schedule.endpoint[v].host)
        continue;
      cr_assert_eq(gb_route_between(w->plan->platform, w->plan->schedule.endpoint[u].host,
                                    w->plan->schedule.endpoint[v].host, NULL, &w->route, NULL),
                   GBCAST_OK);
      for (uint32_t h = 0; h < w->route.hop_count; h++) {
        const uint64_t link = w->route.hop[h].resource;
        w->from[link] = w->streams[link] == 0 || w->from[link] == u + 1 ? u + 1 : SEVERAL;
        w->streams[link]++;
      }
    }
}

/* Bytes that messages of m fill of a window: packet by packet. */
static double first_burst(double window, uint64_t m) {
  double sent = 0;
  if (isinf(window))
    return window;
  for (double left = window; left > 0;) {
    double message = (double)m;
    for (; left > 0 && message > 0; left -= 1448) {
      const double packet = fmin(fmin(1448, left), message);
      sent += packet;
      message -= packet;
    }
  }
  return sent;
}

/* s that the stream over w->route, which is narrowed, waits for answers before its window is large enough. */
static double waits(const naive *w, uint32_t t, uint32_t u, uint32_t v, double room) {
  const gb_route *r = &w->route;
  const uint64_t m = piece_bytes(w, t, v, 0);
  gb_cost cost = gb_route_cost(r, m);
  if (r->plogp)
    cost.gap /= room;
  double bytes = 0, sent = 0, lost = 0, burst = first_burst(r->initial_window, m),
         each = r->plogp ? cost.gap : (double)m / r->narrowest;
  for (uint32_t h = 0; w->plan->operation == GBCAST_BCAST && h < r->hop_count; h++)
    if (w->bytes[t * w->n + v] > m || w->from[r->hop[h].resource] == SEVERAL)
      each = fmax(each, w->streams[r->hop[h].resource] * take(r, &cost, room, h, m));
  for (uint32_t other = 0; other < w->plan->schedule.tree_count; other++)
    bytes += parent_in(w, other, v) == u ? (double)w->bytes[other * w->n + v] : 0;
  double answer = cost.tail;
  gb_route back = {0};
  if (gb_route_between(w->plan->platform, w->plan->schedule.endpoint[v].host,
                       w->plan->schedule.endpoint[u].host, NULL, &back, NULL) == GBCAST_OK)
    answer = gb_route_cost(&back, m).tail;
  gb_route_release(&back);
  for (;; burst *= 2) {
    double idle = cost.tail + answer - burst * each / (double)m;
    sent += burst;
    if (sent >= bytes || idle <= 0)
      return lost;
    lost += idle;
  }
}

/* Takes all links of w->route, which is narrowed; returns when the last one is done (s). */
static double take_links(naive *w, const gb_cost *cost, double room, uint64_t m, double from, double end) {
  for (uint32_t h = 0; h < w->route.hop_count; h++) {
    double *q = &w->link[w->route.hop[h].resource];
    *q = fmax(*q, from) + take(&w->route, cost, room, h, m);
    end = fmax(end, *q);
  }
  return end;
}

/* The way of the next segment that is under way to v in a tree. */
static gb_cost way_of(naive *w, uint32_t t, uint32_t v, double *room) {
  const uint32_t u = parent_in(w, t, v);
  cr_assert_eq(gb_route_between(w->plan->platform, w->plan->schedule.endpoint[u].host,
                                w->plan->schedule.endpoint[v].host, NULL, &w->route, NULL),
               GBCAST_OK);
  *room = room_below(w, t, u, v);
  return narrowed(&w->route, *room, piece_bytes(w, t, v, w->known[t * w->n + v]));
}

static void arrive(naive *w, uint32_t t, uint32_t v, double end, double tail) {
  const uint32_t i = t * w->n + v, j = w->known[i]++;
  w->at[i][j] = j && w->at[i][j - 1] > end + tail ? w->at[i][j - 1] : end + tail;
}

static uint32_t site_of(const naive *w, uint32_t e) {
  return w->plan->platform->host[w->plan->schedule.endpoint[e].host].cluster;
}

/* What u, or all ranks of its site, send to the site of v. */
static double weight_to(const naive *w, uint32_t u, bool all, uint32_t v) {
  double sum = 0;
  for (uint32_t t = 0; t < w->plan->schedule.tree_count; t++)
    for (uint32_t x = 0; x < w->n; x++) {
      const uint32_t up = parent_in(w, t, x);
      if (up != GB_NONE && site_of(w, x) == site_of(w, v) &&
          (all ? site_of(w, up) == site_of(w, u) : up == u))
        sum += w->plan->schedule.tree[t].weight;
    }
  return sum;
}

/* s that the stream from u to v takes for a segment of m bytes; w->route is narrowed. */
static double stream_time(const naive *w, uint32_t u, uint32_t v, const gb_cost *cost, double room,
                          uint64_t m) {
  const gb_schedule *schedule = &w->plan->schedule;
  const double alone = w->route.plogp ? cost->gap : (double)m / w->route.narrowest;
  const gb_link *link = gb_platform_link(w->plan->platform, site_of(w, u), site_of(w, v));
  if (!link || w->route.plogp || w->plan->operation != GBCAST_BCAST ||
      schedule->tree[schedule->tree_count - 1].stage > 0)
    return alone;
  const gb_cluster *from = &w->plan->platform->cluster[site_of(w, u)],
                   *to = &w->plan->platform->cluster[site_of(w, v)];
  const double rate = fmin(link->bandwidth, fmin(from->wan_bandwidth, to->wan_bandwidth));
  return fmax(alone, (double)m / (rate * room * weight_to(w, u, false, v) / weight_to(w, u, true, v)));
}

/* s that all messages to v in a tree keep links busy, if they come from a host of its site. */
static double inside_of(naive *w, uint32_t t, uint32_t v) {
  const uint32_t u = parent_in(w, t, v);
  double sum = 0;
  if (u == GB_NONE || gb_plan_level(w->plan, u, v) != GB_LEVEL_LAN)
    return 0;
  for (uint32_t j = 0; j < pieces(w, t, v); j++) {
    w->known[t * w->n + v] = j;
    double room;
    const gb_cost cost = way_of(w, t, v, &room);
    sum += take(&w->route, &cost, room, w->route.hop_count - 1, piece_bytes(w, t, v, j));
  }
  w->known[t * w->n + v] = 0;
  return sum;
}

/* What all endpoints send and receive inside their sites. */
static void add_up_inside(naive *w) {
  for (uint32_t t = 0; t < w->plan->schedule.tree_count; t++)
    for (uint32_t v = 0; v < w->n; v++) {
      const double into = w->inside[t * w->n + v] = inside_of(w, t, v);
      if (parent_in(w, t, v) != GB_NONE)
        w->sent_inside[parent_in(w, t, v)] += into;
      w->received_inside[v] += into;
    }
}

/* s that each message of the stream from u to v pauses; w->route is narrowed. */
static double pause_of(const naive *w, uint32_t tree, uint32_t u, uint32_t v, double room) {
  const uint64_t full = piece_bytes(w, tree, v, 0);
  const uint32_t last = w->route.hop_count - 1;
  const gb_tree *its = &w->plan->schedule.tree[tree];
  double sent = w->sent_inside[u];
  if (w->bytes[tree * w->n + v] <= 10 * GB_PACKET_BYTES)
    return 0;
  for (uint32_t i = its->child_start[u]; pieces(w, tree, v) == 1 && its->child[i] != v; i++)
    sent -= w->inside[tree * w->n + its->child[i]];
  double messages = 0;
  gb_cost cost = gb_route_cost(&w->route, full);
  if (w->route.plogp)
    cost = (gb_cost){cost.delta / room, cost.gap / room, cost.tail};
  for (uint32_t t = 0; t < w->plan->schedule.tree_count; t++)
    messages += parent_in(w, t, v) == u ? pieces(w, t, v) : 0;
  const double into = take(&w->route, &cost, room, last, full);
  const double rest = stream_time(w, u, v, &cost, room, full) - into;
  const double part = into > 0 ? fmax(0, 1 - GB_LEFT_BY_INSIDE * (rest + into) / into) : 0;
  const double pause = part * fmax(sent, w->received_inside[v]) / messages;
  return pieces(w, tree, v) == 1 ? fmin(pause, part / (1 - part) * fmax(0, rest)) : pause;
}

static void send(naive *w, uint32_t tree_number, uint32_t u, double t) {
  const gb_tree *tree = &w->plan->schedule.tree[tree_number];
  uint32_t i = tree_number * w->n + u, count = children(tree, u);
  uint32_t v = tree->child[tree->child_start[u] + w->turn[i]], j = w->segment[i];
  const uint32_t to = tree_number * w->n + v;
  uint64_t m = piece_bytes(w, tree_number, v, j);
  gb_cost cost;
  double end, into = 0, *wire = &w->wire[u * w->n + v];
  uint32_t hu = w->plan->schedule.endpoint[u].host, hv = w->plan->schedule.endpoint[v].host;
  if (hu == hv) {
    double busy = GB_NODE_OVERHEAD + (double)m / GB_NODE_BANDWIDTH;
    cost = (gb_cost){busy, busy, GB_NODE_OVERHEAD};
    double from = t + GB_NODE_OVERHEAD;
    *wire = (*wire > from ? *wire : from) + (double)m / GB_NODE_BANDWIDTH;
    end = t + busy > *wire ? t + busy : *wire;
  } else {
    cr_assert_eq(gb_route_between(w->plan->platform, hu, hv, NULL, &w->route, NULL), GBCAST_OK);
    const gb_route *r = &w->route;
    double room = room_below(w, tree_number, u, v);
    cost = narrowed(&w->route, room, m);
    double from = r->plogp ? t : t + r->overhead, alone = stream_time(w, u, v, &cost, room, m);
    alone += r->wan ? pause_of(w, tree_number, u, v, room) : 0;
    *wire = (*wire > from ? *wire : from) + alone;
    end = take_links(w, &cost, room, m, from, fmax(t + cost.gap, *wire));
    into = take(r, &cost, room, r->hop_count - 1, m);
    cost.tail += waits(w, tree_number, u, v, room);
  }
  arrive(w, tree_number, v, end, cost.tail);
  w->taken[v] += into;
  if (j == 0)
    w->begun[v] = fmin(w->begun[v], w->at[to][0] - into);
  w->port[u] = t + cost.delta;
  w->sent[i]++;
  if (w->plan->operation == GBCAST_BCAST) { /* the segment to the next child */
    if (++w->turn[i] == count) {
      w->turn[i] = 0;
      w->segment[i]++;
    }
  } else if (++w->segment[i] == pieces(w, tree_number, v)) { /* the next child's first */
    w->segment[i] = 0;
    w->turn[i]++;
  }
}

/* What each edge carries. Shares begin at the whole byte at or below their weight's part of the message. */
static void fill_bytes(naive *w) {
  const gbcast_plan *plan = w->plan;
  uint64_t weight = 0;
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    uint64_t begin = plan->bytes * weight / plan->schedule.weight_total;
    weight += plan->schedule.tree[t].weight;
    uint64_t share = plan->bytes * weight / plan->schedule.weight_total - begin;
    for (uint32_t v = 0; v < w->n; v++)
      if (plan->operation == GBCAST_BCAST)
        w->bytes[t * w->n + v] = share;
      else
        for (uint32_t a = v; a != GB_NONE; a = plan->schedule.tree[t].parent[a])
          w->bytes[t * w->n + a] += share;
    for (uint32_t v = 0; v < w->n; v++) {
      w->at[t * w->n + v] = calloc(pieces(w, t, v) + 1, sizeof **w->at);
    }
  }
}

static double naive_simulation(const gbcast_plan *plan, bool meet) {
  uint32_t n = plan->schedule.endpoint_count, all = n * plan->schedule.tree_count;
  naive w = {.plan = plan,
             .meet = meet,
             .n = n,
             .bytes = calloc(all, sizeof *w.bytes),
             .at = calloc(all, sizeof *w.at),
             .known = calloc(all, sizeof *w.known),
             .turn = calloc(all, sizeof *w.turn),
             .segment = calloc(all, sizeof *w.segment),
             .sent = calloc(all, sizeof *w.sent),
             .port = calloc(n, sizeof *w.port),
             .begun = calloc(n, sizeof *w.begun),
             .taken = calloc(n, sizeof *w.taken),
             .inside = calloc(all, sizeof *w.inside),
             .sent_inside = calloc(n, sizeof *w.sent_inside),
             .received_inside = calloc(n, sizeof *w.received_inside),
             .wire = calloc((size_t)n * n, sizeof *w.wire),
             .link = calloc(gb_resource_count(plan->platform), sizeof *w.link),
             .streams = calloc(gb_resource_count(plan->platform), sizeof *w.streams),
             .from = calloc(gb_resource_count(plan->platform), sizeof *w.from)};
  fill_bytes(&w);
  count_streams(&w);
  add_up_inside(&w);
  for (uint32_t v = 0; v < n; v++)
    w.begun[v] = INFINITY;
  for (;;) {
    uint32_t next = GB_NONE, tree = 0, candidate = 0;
    double first = 0, t = 0;
    for (uint32_t u = 0; u < n; u++)
      if (next_tree(&w, u, &candidate, &t) && (next == GB_NONE || t < first)) {
        next = u;
        tree = candidate;
        first = t;
      }
    if (next == GB_NONE)
      break;
    send(&w, tree, next, first);
  }
  double makespan = 0;
  for (uint32_t i = 0; i < all; i++) {
    uint32_t v = i % n;
    cr_assert(v == plan->schedule.root || w.known[i] == pieces(&w, i / n, v), "endpoint %u is left waiting",
              v);
    if (v != plan->schedule.root && w.known[i] > 0 && w.at[i][w.known[i] - 1] > makespan)
      makespan = w.at[i][w.known[i] - 1];
    free(w.at[i]);
  }
  for (uint32_t v = 0; plan->schedule.tree_count > 1 && v < n; v++)
    if (w.taken[v] > 0 && w.begun[v] + w.taken[v] > makespan)
      makespan = w.begun[v] + w.taken[v];
  gb_route_release(&w.route);
  free(w.begun), free(w.taken), free(w.inside), free(w.sent_inside), free(w.received_inside);
  free(w.bytes), free(w.at), free(w.known), free(w.turn), free(w.segment), free(w.sent), free(w.port),
      free(w.wire), free(w.link), free(w.streams), free(w.from);
  return makespan;
}

#endif
