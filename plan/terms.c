/* Where a predicted time goes, after section 5.4 of Patarasuk, Yuan and Faraj: there X segments of s bytes in
 * a tree of height H and degree D take
 *
 *     D X T(s)  +  D (H - 1) T(s)        the pipeline term and the delay term
 *
 * and X T(s) - T(m) of each T is what more start-ups than one message's add. In a walk of any tree the
 * pipeline is what works longest:
 *
 *     a sender       Delta of all that it sends         D X Delta(s)
 *     an edge        its narrowest link, all segments   X s / B, X g(s) where measured
 *     a shared link  all segments of all its edges
 *
 *     |<- delay ->|<--- start-up + pipeline --->|<-- delay -->|
 *     root ...... the busiest works ............ last host has it
 *
 *   start-up  its work less the same with one message for each edge; 0 where nothing is cut
 *   pipeline  the rest of its work: fewer bytes there, or a wider link, are what helps
 *   delay     the rest of the predicted time: the way of the first segment to the busiest, of the last one
 *             from it, latencies, waits
 *
 * All in seconds. No schedule of this tree ends before its busiest part has done its work, so that no term is
 * negative. */
#include "plan/terms.h"
#include "plan/edges.h"
#include <stdlib.h>

enum gb_part { GB_SENDER, GB_EDGE, GB_SHARED };

typedef struct gb_busiest {
  double work;
  enum gb_part part;
  uint32_t node; /* the sender, or the receiver of the edge */
} gb_busiest;

/* Over all segments of an edge: the last one may be short. */
static double over_all(const gb_edge *edge, double full, double last) {
  if (edge->bytes <= edge->full)
    return last;
  uint64_t before_last = (edge->bytes - 1) / edge->full;
  return (double)before_last * full + last;
}

static void consider(gb_busiest *b, double work, enum gb_part part, uint32_t node) {
  if (work > b->work)
    *b = (gb_busiest){work, part, node};
}

static int find_busiest(const gb_shape *shape, const gb_edges *edges, gb_busiest *b, gbcast_error *err) {
  double *sender = calloc((size_t)shape->n + edges->queue_count + 1, sizeof *sender);
  if (!sender)
    return gb_no_memory(err);
  double *shared = sender + shape->n;
  for (uint32_t v = 0; v < shape->n; v++) {
    const gb_edge *edge = &edges->edge[v];
    if (shape->parent[v] == GB_NONE)
      continue;
    sender[shape->parent[v]] += over_all(edge, edge->cost[0].delta, edge->cost[1].delta);
    consider(b, over_all(edge, edge->busy[0], edge->busy[1]), GB_EDGE, v);
    for (uint32_t i = edge->use_start; i < edge->use_start + edge->use_count; i++)
      shared[edges->use[i].queue] += over_all(edge, edges->use[i].busy[0], edges->use[i].busy[1]);
  }
  for (uint32_t u = 0; u < shape->n; u++)
    consider(b, sender[u], GB_SENDER, u);
  for (uint32_t q = 0; q < edges->queue_count; q++)
    consider(b, shared[q], GB_SHARED, GB_NONE);
  free(sender);
  return GBCAST_OK;
}

/* What the messages to v cost more than a single one would: Delta of the sender, or g of the edge. */
static int excess(gb_planner *pl, const gb_composed *c, uint32_t v, bool sender, double *seconds,
                  gbcast_error *err) {
  const gb_edge *edge = &c->edges.edge[v];
  if (edge->bytes <= edge->full)
    return GBCAST_OK;
  gb_cost whole;
  int status =
      gb_edge_cost(pl, c->shape.endpoint[c->shape.parent[v]], c->shape.endpoint[v], edge->bytes, &whole, err);
  *seconds += sender ? over_all(edge, edge->cost[0].delta, edge->cost[1].delta) - whole.delta
                     : over_all(edge, edge->busy[0], edge->busy[1]) - whole.gap;
  return status;
}

int gb_terms_of(gb_planner *pl, const gb_composed *c, gb_terms *terms, gbcast_error *err) {
  gb_busiest b = {0};
  double more = 0;
  int status = find_busiest(&c->shape, &c->edges, &b, err);
  if (status == GBCAST_OK && b.work > 0 && b.part == GB_EDGE && c->edges.edge[b.node].measured)
    status = excess(pl, c, b.node, false, &more, err);
  if (b.work > 0 && b.part == GB_SENDER)
    for (uint32_t i = c->shape.child_start[b.node];
         status == GBCAST_OK && i < c->shape.child_start[b.node + 1]; i++)
      status = excess(pl, c, c->shape.child[i], true, &more, err);
  double work = b.work < c->makespan ? b.work : c->makespan; /* a long pipeline's pace is an estimate */
  more = more < 0 ? 0 : more < work ? more : work;           /* measured gaps may grow faster than the size */
  *terms = (gb_terms){.start_up = more, .pipeline = work - more, .delay = c->makespan - work};
  return status;
}
