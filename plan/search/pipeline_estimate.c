/* Estimates what a tree over sites takes for a message in segments, without a simulation, to decide what to
 * simulate first.
 *
 * A relay passes segments on while more arrive, so each level costs the time of a segment, not of the
 * message. A sender serves its children in rounds, so each child gets segments no faster than the rounds:
 *
 *   round(u) = max(sum of delta(u,c), k Delta + local sends)   over the k children c of u
 *   first(v) = first(u) + sum of delta(u,c) + weight(u,v)
 *   pace(v)  = max(pace(u), round(u), gap(u,v))        gap: m / narrowest link of a segment
 *   time     = max over v of first(v) + (segments - 1) max(pace(v), round(v)) + home(v)               [s]
 *
 * delta includes the uplink (site_graph.c). All children count as the last of their round, and links that
 * several senders share as each sender's own, so this is an estimate, and no bound. */
#include "plan/search/pipeline_estimate.h"
#include "plan/core/core.h"
#include <stdlib.h>

int gb_estimate_new(const gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                    const gb_site_graph *whole, gb_estimate *e, gbcast_error *err) {
  size_t n = graph->n;
  double *block = calloc(7 * n, sizeof *block);
  *e = (gb_estimate){.graph = graph,
                     .whole = whole,
                     .segments = (double)flow->bytes / (double)flow->segment,
                     .port = block,
                     .path = malloc(n * sizeof *e->path)};
  if (!block || !e->path) {
    gb_estimate_free(e);
    return gb_no_memory(err);
  }
  e->local_sends = block + n;
  e->home = block + 2 * n;
  e->wan = block + 3 * n;
  e->round = block + 4 * n;
  e->first = block + 5 * n;
  e->pace = block + 6 * n;
  for (uint32_t s = 0; s < n; s++) {
    e->port[s] = (double)flow->segment / pl->net.p->cluster[pl->plan->site[s].cluster].bandwidth;
    double tail = 0;
    for (uint32_t i = graph->local_start[s]; i < graph->local_start[s + 1]; i++) {
      e->local_sends[s] += graph->local_delta[i];
      tail = gb_larger(tail, graph->local_tail[i]);
    }
    e->home[s] = e->local_sends[s] + tail;
  }
  return GBCAST_OK;
}

void gb_estimate_free(gb_estimate *e) {
  free(e->port); /* and the arrays behind it */
  free(e->path);
  *e = (gb_estimate){0};
}

/* Seconds between segments that the path alone allows. */
static double gap(const gb_estimate *e, uint32_t u, uint32_t v) {
  size_t i = (size_t)u * e->graph->n + v;
  double one = e->graph->delta[i] + e->graph->weight[i];
  return e->segments > 1 ? (e->whole->delta[i] + e->whole->weight[i] - one) / (e->segments - 1) : 0;
}

static void reach(gb_estimate *e, uint32_t u, uint32_t v) {
  e->first[v] = e->first[u] + e->wan[u] + e->graph->weight[(size_t)u * e->graph->n + v];
  e->pace[v] = gb_larger(gb_larger(e->pace[u], e->round[u]), gap(e, u, v));
}

double gb_estimate_below(const gb_estimate *e, uint32_t u, uint32_t v) {
  size_t i = (size_t)u * e->graph->n + v;
  double first = e->first[u] + e->graph->delta[i] + e->graph->weight[i];
  return first + (e->segments - 1) * gb_larger(e->pace[u], gap(e, u, v)) + e->home[v];
}

double gb_estimate_time(gb_estimate *e, const uint32_t *parent) {
  const gb_site_graph *g = e->graph;
  double time = 0;
  e->last = g->root;
  for (uint32_t v = 0; v < g->n; v++) {
    e->wan[v] = 0;
    e->round[v] = e->local_sends[v];
    e->first[v] = -1;
  }
  for (uint32_t v = 0; v < g->n; v++)
    if (v != g->root) {
      e->wan[parent[v]] += g->delta[(size_t)parent[v] * g->n + v];
      e->round[parent[v]] += e->port[parent[v]];
    }
  for (uint32_t v = 0; v < g->n; v++)
    e->round[v] = gb_larger(e->round[v], e->wan[v]);
  e->first[g->root] = e->pace[g->root] = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    uint32_t depth = 0, u = v;
    for (; e->first[u] < 0; u = parent[u])
      e->path[depth++] = u;
    for (; depth > 0; u = e->path[depth])
      reach(e, u, e->path[--depth]);
    double end = e->first[v] + (e->segments - 1) * gb_larger(e->pace[v], e->round[v]) + e->home[v];
    if (end > time) {
      time = end;
      e->last = v;
    }
  }
  return time;
}
