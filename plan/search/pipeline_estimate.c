/* What a tree over sites costs a message in segments, without a walk: what the search tries first.
 *
 * A relay sends segments on while more arrive, so a stage costs a segment's time, not the message's; a sender
 * goes round its children, so each gets segments no faster than the sender gets round.
 *
 *   round(u) = max(sum of delta(u,c), k Delta + local sends)   over the k children c of u
 *   first(v) = first(u) + sum of delta(u,c) + weight(u,v)
 *   pace(v)  = max(pace(u), round(u), gap(u,v))        gap: m / narrowest link of a segment
 *   time     = max over v of first(v) + (segments - 1) max(pace(v), round(v)) + home(v)               [s]
 *
 * delta counts the uplink (site_graph.c). All children are taken for the last one of their round, and links
 * that several senders share for each sender's own: an estimate, neither bound. The walk decides. */
#include "plan/search/pipeline_estimate.h"
#include "plan/core/core.h"
#include <stdlib.h>

int gb_estimate_new(const gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                    const gb_site_graph *whole, gb_estimate *stream, gbcast_error *err) {
  size_t n = graph->n;
  double *room = calloc(7 * n, sizeof *room);
  *stream = (gb_estimate){.graph = graph,
                          .whole = whole,
                          .pieces = (double)flow->bytes / (double)flow->segment,
                          .port = room,
                          .path = malloc(n * sizeof *stream->path)};
  if (!room || !stream->path) {
    gb_estimate_free(stream);
    return gb_no_memory(err);
  }
  stream->choice = room + n;
  stream->home = room + 2 * n;
  stream->wan = room + 3 * n;
  stream->round = room + 4 * n;
  stream->first = room + 5 * n;
  stream->pace = room + 6 * n;
  for (uint32_t s = 0; s < n; s++) {
    stream->port[s] = (double)flow->segment / pl->net.p->cluster[pl->plan->site[s].cluster].bandwidth;
    double tail = 0;
    for (uint32_t i = graph->local_start[s]; i < graph->local_start[s + 1]; i++) {
      stream->choice[s] += graph->local_delta[i];
      tail = gb_larger(tail, graph->local_tail[i]);
    }
    stream->home[s] = stream->choice[s] + tail;
  }
  return GBCAST_OK;
}

void gb_estimate_free(gb_estimate *stream) {
  free(stream->port); /* and what follows it */
  free(stream->path);
  *stream = (gb_estimate){0};
}

/* Seconds between segments that the way alone allows. */
static double gap(const gb_estimate *st, uint32_t u, uint32_t v) {
  size_t i = (size_t)u * st->graph->n + v;
  double one = st->graph->delta[i] + st->graph->weight[i];
  return st->pieces > 1 ? (st->whole->delta[i] + st->whole->weight[i] - one) / (st->pieces - 1) : 0;
}

static void reach(gb_estimate *st, uint32_t u, uint32_t v) {
  st->first[v] = st->first[u] + st->wan[u] + st->graph->weight[(size_t)u * st->graph->n + v];
  st->pace[v] = gb_larger(gb_larger(st->pace[u], st->round[u]), gap(st, u, v));
}

double gb_estimate_below(const gb_estimate *st, uint32_t u, uint32_t v) {
  size_t i = (size_t)u * st->graph->n + v;
  double first = st->first[u] + st->graph->delta[i] + st->graph->weight[i];
  return first + (st->pieces - 1) * gb_larger(st->pace[u], gap(st, u, v)) + st->home[v];
}

double gb_estimate_time(gb_estimate *st, const uint32_t *parent) {
  const gb_site_graph *g = st->graph;
  double time = 0;
  st->last = g->root;
  for (uint32_t v = 0; v < g->n; v++) {
    st->wan[v] = 0;
    st->round[v] = st->choice[v];
    st->first[v] = -1;
  }
  for (uint32_t v = 0; v < g->n; v++)
    if (v != g->root) {
      st->wan[parent[v]] += g->delta[(size_t)parent[v] * g->n + v];
      st->round[parent[v]] += st->port[parent[v]];
    }
  for (uint32_t v = 0; v < g->n; v++)
    st->round[v] = gb_larger(st->round[v], st->wan[v]);
  st->first[g->root] = st->pace[g->root] = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    uint32_t depth = 0, u = v;
    for (; st->first[u] < 0; u = parent[u])
      st->path[depth++] = u;
    for (; depth > 0; u = st->path[depth])
      reach(st, u, st->path[--depth]);
    double end = st->first[v] + (st->pieces - 1) * gb_larger(st->pace[v], st->round[v]) + st->home[v];
    if (end > time) {
      time = end;
      st->last = v;
    }
  }
  return time;
}
