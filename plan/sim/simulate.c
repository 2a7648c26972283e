/* The simulation. In each tree a sender has a fixed list of sends: segment by segment to its children in
 * order (broadcast), or child by child (scatter). A send that starts at t
 *
 *   - keeps the sender's port busy until t + Delta, whatever the tree,
 *   - takes every shared link of its path from max(free, t + o) until that plus m / B, where free is when the
 *     link has carried earlier sends; and in the same way the narrowest link between the two endpoints. So a
 *     link is never idle while bytes wait for it, and sends that overlap share it,
 *   - arrives at max(t + g, the latest of those times) + L + o.
 *
 *   port    |D1|D2|D3|          one sender, children 1 2 3
 *   link      |==1==|==2==|     1 and 2 share a slow link: 2 waits for it, the port does not
 *
 * A sender with several trees takes the send that can start first; of equal ones a send in a tree in which it
 * feeds other sites, because those paths are longer; then the tree of the earliest stage of whose sends it
 * has done the smallest part; then the first tree. So the trees of one stage are served in proportion to
 * their shares, and a tree whose segments have not arrived holds up no other.
 *
 *   shares 2 : 1     tree 0 |0|  |1|2|  |3|4|  ...
 *                    tree 1    |0|    |1|      ...
 *
 * Senders are simulated in groups (groups.c), a group in the order of time with a heap of its next sends. A
 * shared link counts from the start of a send, as if bytes reached it at once. Long pipelines are not
 * simulated to their end (periodic.c). */
#include "plan/core/core.h"
#include "plan/sim/link_ends.h"
#include "plan/sim/sender_group.h"
#include "plan/sim/sim.h"

static void simulate_all(gb_simulator *sim) {
  const gb_traffic *traffic = sim->traffic;
  for (uint32_t i = 0, end; i < traffic->sender_count; i = end) {
    for (end = i + 1; end < traffic->sender_count; end++)
      if (traffic->group[traffic->sender[end]] != traffic->group[traffic->sender[i]])
        break;
    gb_simulate_group(sim, traffic->sender + i, end - i);
  }
}

int gb_simulate(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow, double *makespan,
                gbcast_error *err) {
  gb_simulator sim;
  *makespan = 0;
  int status = gb_simulator_new(schedule, traffic, flow, &sim, err);
  if (status != GBCAST_OK)
    return status;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    gb_update_ready(&sim, &sim.pipe[t], gb_simulator_progress(&sim, &sim.pipe[t], schedule->root));
  simulate_all(&sim);
  for (uint32_t v = 0; v < schedule->endpoint_count; v++) {
    double last = 0;
    uint32_t latest = 0;
    for (uint32_t t = 0; t < schedule->tree_count; t++) {
      const gb_progress *at_end = gb_simulator_progress(&sim, &sim.pipe[t], v);
      const double end = gb_periodic_end(&sim.pipe[t], sim.at + at_end->first, at_end->known);
      if (schedule->tree[t].arrival)
        schedule->tree[t].arrival[v] = end;
      if (end > last) {
        last = end;
        latest = t;
      }
    }
    const double taken = v == schedule->root ? 0 : gb_receiver_end(&sim, v);
    if (taken > last && schedule->tree[latest].arrival)
      schedule->tree[latest].arrival[v] = taken;
    *makespan = gb_larger(*makespan, gb_larger(last, taken));
  }
  if (!gb_carries_blocks(flow->operation) && schedule->tree_count > 1)
    *makespan = gb_larger(*makespan, gb_shared_links_end(&sim));
  gb_simulator_free(&sim);
  return GBCAST_OK;
}
