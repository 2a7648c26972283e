/* Finds the shared links for which it matters that bytes reach them later than the start of the transfer.
 *
 * The simulation takes all links of a path to another site from the start of the transfer on, though bytes
 * reach the links near the receiver one latency later. Where all streams that share a link arrive with the
 * same delay, this moves all of them by the same time and changes nothing. But a site may receive from a far
 * site in one tree and from a near one in another. Then bytes that left at different times compete for the
 * link:
 *
 *   from far    |1|2|3|4|- - - - - - - - ->|1|2|3|4|
 *   from near                       |5|6|7|- ->|5|6|7|       waits until 4 has passed
 *
 * Uses of such links stay delayed: they are served in the order in which bytes arrive (sender_group.c). All
 * other uses, and those of streams from inside the site, count from the start of the transfer. */
#include "plan/sim/arrival_order.h"
#include "plan/sim/sim.h"
#include <math.h>
#include <stdlib.h>

typedef struct gb_span { /* of the delays of the streams that share a link */
  double least, most;
} gb_span;

static void find_spans(const gb_traffic *traffic, gb_span *span) {
  for (uint32_t q = 0; q < traffic->link_count; q++)
    span[q].least = INFINITY;
  for (uint32_t i = 0; i < traffic->use_count; i++) {
    const gb_link_use *use = &traffic->use[i];
    gb_span *its = &span[use->link];
    if (use->delay > 0 && use->delay < its->least)
      its->least = use->delay;
    its->most = use->delay > its->most ? use->delay : its->most;
  }
}

/* Moves the uses that stay delayed to the end of the edge's list. Returns the least of their delays, INFINITY
 * if there are none. */
static double sort_uses(gb_traffic *traffic, const gb_span *span, gb_edge *edge) {
  double first = INFINITY;
  edge->at_once = 0;
  for (uint32_t i = edge->use_start; i < edge->use_start + edge->use_count; i++) {
    const gb_link_use use = traffic->use[i];
    if (use.delay > 0 && span[use.link].least < span[use.link].most) {
      first = use.delay < first ? use.delay : first;
      continue;
    }
    const uint32_t to = edge->use_start + edge->at_once++;
    traffic->use[i] = traffic->use[to];
    traffic->use[to] = use;
  }
  return first;
}

int gb_arrival_order_find(const gb_schedule *schedule, gb_traffic *traffic, gbcast_error *err) {
  gb_span *span = calloc(traffic->link_count + (size_t)1, sizeof *span);
  free(traffic->delayed);
  traffic->delayed = malloc((traffic->use_count + (size_t)1) * sizeof *traffic->delayed);
  traffic->delayed_count = 0;
  if (!span || !traffic->delayed) {
    free(span);
    return gb_no_memory(err);
  }
  find_spans(traffic, span);
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    for (uint32_t v = 0; v < schedule->endpoint_count; v++) {
      gb_edge *edge = &traffic->edge[t][v];
      const double delay = sort_uses(traffic, span, edge);
      edge->delayed = 0;
      if (delay == INFINITY)
        continue;
      traffic->delayed[traffic->delayed_count++] = (gb_delayed_edge){t, v, delay};
      edge->delayed = traffic->delayed_count;
    }
  free(span);
  return GBCAST_OK;
}
