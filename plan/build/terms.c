/* The parts of a predicted time, after section 5.4 of Patarasuk, Yuan and Faraj. There X segments of s bytes
 * in a tree of height H and degree D take
 *
 *     D X T(s)  +  D (H - 1) T(s)        the pipeline term and the delay term
 *
 * and X T(s) - T(m) of each T is what more start-ups than one message's add. In the simulation of any tree,
 * the pipeline is what works longest:
 *
 *     a sender       Delta of all that it sends         D X Delta(s)
 *     an edge        its narrowest link, all segments   X s / B, X g(s) if measured
 *     a shared link  all segments of all its edges
 *
 * each over all trees.
 *
 *     |<- delay ->|<--- start-up + pipeline --->|<-- delay -->|
 *     root ...... the busiest works ............ last host has it
 *
 *   start-up  its work minus that of one message for each edge; 0 if nothing is cut
 *   pipeline  the rest of its work: fewer bytes there, or a wider link, are what helps
 *   delay     the rest of the predicted time: the path of the first segment to the busiest, of the last one
 *             from it, latencies, waits
 *
 * All in seconds. No schedule of these trees ends before its busiest part has done its work, so no term is
 * negative. */
#include "plan/build/build.h"
#include "plan/sim/sim.h"
#include <stdlib.h>

enum gb_busy { GB_SENDER, GB_EDGE, GB_SHARED };

typedef struct gb_busiest {
  double work;
  enum gb_busy kind;
  uint32_t which; /* the sender, or gb_edge.stream */
  bool measured;  /* the edge has measured costs */
} gb_busiest;

/* The work of all segments of an edge; the last one may be short. */
static double over_all(const gb_edge *edge, double full, double last) {
  if (edge->bytes == 0)
    return 0;
  if (edge->bytes <= edge->full)
    return last;
  uint64_t before_last = (edge->bytes - 1) / edge->full;
  return (double)before_last * full + last;
}

static void consider(gb_busiest *b, double work, enum gb_busy kind, uint32_t which, bool measured) {
  if (work > b->work)
    *b = (gb_busiest){work, kind, which, measured};
}

static int find_busiest(const gb_schedule *schedule, const gb_traffic *traffic, gb_busiest *b,
                        gbcast_error *err) {
  const size_t n = schedule->endpoint_count, edges = n * schedule->tree_count;
  double *sender = calloc(schedule->endpoint_count + edges + traffic->link_count + 1, sizeof *sender);
  if (!sender)
    return gb_no_memory(err);
  double *stream = sender + schedule->endpoint_count, *shared = stream + edges;
  for (size_t i = 0; i < edges; i++) {
    const uint32_t tree = (uint32_t)(i / n), to = (uint32_t)(i % n);
    const gb_edge *edge = &traffic->edge[tree][to];
    uint32_t from = schedule->tree[tree].parent[to];
    if (from == GB_NONE)
      continue;
    sender[from] += over_all(edge, edge->cost[0].delta, edge->cost[1].delta);
    stream[edge->stream] += over_all(edge, edge->busy[0], edge->busy[1]);
    consider(b, stream[edge->stream], GB_EDGE, edge->stream, edge->measured);
    for (uint32_t u = edge->use_start; u < edge->use_start + edge->use_count; u++)
      shared[traffic->use[u].link] += over_all(edge, traffic->use[u].busy[0], traffic->use[u].busy[1]);
  }
  for (uint32_t u = 0; u < schedule->endpoint_count; u++)
    consider(b, sender[u], GB_SENDER, u, false);
  for (uint32_t q = 0; q < traffic->link_count; q++)
    consider(b, shared[q], GB_SHARED, q, false);
  free(sender);
  return GBCAST_OK;
}

/* Sets *seconds to what the messages of the busiest part cost more than one message for each edge: Delta of a
 * sender, g of an edge. */
static int excess(gb_planner *pl, const gb_composed *c, const gb_busiest *b, double *seconds,
                  gbcast_error *err) {
  const gb_schedule *schedule = &c->schedule;
  const size_t n = schedule->endpoint_count;
  int status = GBCAST_OK;
  for (size_t i = 0; status == GBCAST_OK && i < n * schedule->tree_count; i++) {
    const uint32_t tree = (uint32_t)(i / n), to = (uint32_t)(i % n), from = schedule->tree[tree].parent[to];
    const gb_edge *edge = &c->traffic.edge[tree][to];
    bool its = from != GB_NONE && (b->kind == GB_SENDER ? from == b->which : edge->stream == b->which);
    if (!its || edge->bytes <= edge->full)
      continue;
    gb_cost whole;
    status = gb_edge_cost(&pl->net, schedule->endpoint[from], schedule->endpoint[to], edge->bytes,
                          edge->efficiency, &whole, err);
    if (status == GBCAST_OK)
      *seconds += b->kind == GB_SENDER
                      ? over_all(edge, edge->cost[0].delta, edge->cost[1].delta) - whole.delta
                      : over_all(edge, edge->busy[0], edge->busy[1]) - whole.gap;
  }
  return status;
}

int gb_terms_of(gb_planner *pl, const gb_composed *c, gb_terms *terms, gbcast_error *err) {
  gb_busiest b = {0};
  double more = 0;
  int status = find_busiest(&c->schedule, &c->traffic, &b, err);
  if (status == GBCAST_OK && b.work > 0 && (b.kind == GB_SENDER || (b.kind == GB_EDGE && b.measured)))
    status = excess(pl, c, &b, &more, err);
  double end = gb_composed_time(pl->plan, c),
         work = b.work < end ? b.work : end;       /* a long pipeline's pace is an estimate */
  more = more < 0 ? 0 : more < work ? more : work; /* measured gaps may grow faster than the size */
  *terms = (gb_terms){.start_up = more, .pipeline = work - more, .delay = end - work};
  return status;
}
