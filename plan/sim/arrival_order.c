/* Which shared links bytes reach later than others.
 *
 * A walk takes the links on the way to another site from the start of the transfer on, though bytes reach
 * those near the receiver a latency later. Where all that meet on a link are as late, all of it is as much
 * too early, and nothing changes. But a site may hear from one that is far, in one tree, and from one that is
 * near in another: what left at different times may be there at the same time.
 *
 *   from far    |1|2|3|4|- - - - - - - - ->|1|2|3|4|
 *   from near                       |5|6|7|- ->|5|6|7|       not before 4 has passed
 *
 * Uses of such links stay late, and wait for their turn when bytes get there (walk.c). The others are taken
 * from the start on, and so is what comes from inside the site. */
#include "plan/sim/arrival_order.h"
#include "plan/sim/sim.h"
#include <math.h>
#include <stdlib.h>

typedef struct gb_span { /* of the latencies that meet at a link */
  double least, most;
} gb_span;

static void look_at_uses(const gb_traffic *traffic, gb_span *span) {
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

/* Those that stay late, to the end of the edge's; returns after how long the first of them is, INFINITY when
 * there is none. */
static double keep_late(gb_traffic *traffic, const gb_span *span, gb_edge *edge) {
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
  look_at_uses(traffic, span);
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    for (uint32_t v = 0; v < schedule->endpoint_count; v++) {
      gb_edge *edge = &traffic->edge[t][v];
      const double late = keep_late(traffic, span, edge);
      edge->delayed = 0;
      if (late == INFINITY)
        continue;
      traffic->delayed[traffic->delayed_count++] = (gb_delayed_edge){t, v, late};
      edge->delayed = traffic->delayed_count;
    }
  free(span);
  return GBCAST_OK;
}
