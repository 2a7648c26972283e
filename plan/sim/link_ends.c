/* Lower limits for the end of a simulation of several trees: a link that all trees share is busy for the sum
 * of their work. The simulation takes links from the start of a send on, and
 * extrapolates from the pace of the first segments, so it may end a little too early. */
#include "plan/sim/link_ends.h"
#include "plan/core/core.h"
#include <math.h>

double gb_receiver_end(const gb_simulator *sim, uint32_t v) {
  double from = INFINITY, work = 0;
  for (uint32_t t = 0; t < sim->schedule->tree_count; t++) {
    const gb_pipe *pipe = &sim->pipe[t];
    const gb_edge *edge = &pipe->edge[v];
    const gb_progress *progress = gb_simulator_progress(sim, pipe, v);
    if (progress->known == 0)
      continue;
    const double begun = sim->at[progress->first] - edge->into[pipe->segments > 1 ? 0 : 1];
    from = begun < from ? begun : from;
    const uint64_t segments = !gb_carries_blocks(pipe->flow.operation) ? pipe->segments : edge->segments;
    work += (double)(segments - 1) * edge->into[0] + edge->into[1];
  }
  return sim->schedule->tree_count > 1 && work > 0 ? from + work : 0;
}

double gb_shared_links_end(gb_simulator *sim) {
  const gb_schedule *schedule = sim->schedule;
  const gb_traffic *traffic = sim->traffic;
  double end = 0;
  for (uint32_t q = 0; q < traffic->link_count; q++) {
    sim->link_free[q] = 0;
    sim->least[q] = INFINITY;
  }
  for (size_t i = 0; i < (size_t)schedule->endpoint_count * schedule->tree_count; i++) {
    const gb_pipe *pipe = &sim->pipe[i / schedule->endpoint_count];
    const gb_edge *edge = &pipe->edge[i % schedule->endpoint_count];
    const bool sent = i % schedule->endpoint_count != schedule->root && pipe->segments > 0;
    for (uint32_t k = edge->use_start; sent && k < edge->use_start + edge->use_count; k++) {
      const gb_link_use *use = &traffic->use[k];
      const double tail = edge->cost[0].tail < edge->cost[1].tail ? edge->cost[0].tail : edge->cost[1].tail;
      sim->link_free[use->link] += (double)(pipe->segments - 1) * use->busy[0] + use->busy[1];
      sim->least[use->link] = tail < sim->least[use->link] ? tail : sim->least[use->link];
    }
  }
  for (uint32_t q = 0; q < traffic->link_count; q++)
    if (sim->link_free[q] > 0)
      end = gb_larger(end, sim->link_free[q] + sim->least[q]);
  return end;
}
