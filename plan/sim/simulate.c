/* The predictor. In each tree a sender works down a fixed list of sends: segment by segment to its children
 * in order (broadcast), or child by child (scatter). A send that starts at t
 *
 *   - keeps the sender's port until t + Delta, whatever the tree,
 *   - queues from t + o on every link that it shares: link free at max(free, t + o) + m / B, and alike on
 *     the narrowest link between the two, so that links are never idle while bytes wait and sends that
 *     overlap share them,
 *   - arrives at max(t + g, the latest of those) + L + o.
 *
 *   port    |D1|D2|D3|          one sender, children 1 2 3
 *   link      |==1==|==2==|     1 and 2 share a slow link: 2 waits for it, the port does not
 *
 * Which tree a sender serves next: of the sends that could start first, one in a tree in which it feeds other
 * sites, as the way is longer there; then the one in the tree of the earliest turn, of whose sends it has
 * done the smallest part, then the lower tree. So trees of one turn are served in proportion to their shares,
 * and one whose segments are late holds nobody up.
 *
 *   shares 2 : 1     tree 0 |0|  |1|2|  |3|4|  ...
 *                    tree 1    |0|    |1|      ...
 *
 * Senders are walked in groups (groups.c), a group in the order of time by a heap of its next sends. Sharing
 * is counted from the start of a send, as if bytes reached a link at once, or where that matters from when
 * they get there (late.c). Long pipelines are not walked to their end (periodic.c). */
#include "plan/core/core.h"
#include "plan/sim/link_ends.h"
#include "plan/sim/sender_group.h"
#include "plan/sim/sim.h"

static void simulate_all(gb_simulator *w) {
  const gb_traffic *traffic = w->traffic;
  for (uint32_t i = 0, end; i < traffic->sender_count; i = end) {
    for (end = i + 1; end < traffic->sender_count; end++)
      if (traffic->group[traffic->sender[end]] != traffic->group[traffic->sender[i]])
        break;
    gb_simulate_group(w, traffic->sender + i, end - i);
  }
}

int gb_simulate(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow, double *makespan,
                gbcast_error *err) {
  gb_simulator w;
  *makespan = 0;
  int status = gb_simulator_new(schedule, traffic, flow, &w, err);
  if (status != GBCAST_OK)
    return status;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    gb_update_ready(&w, &w.pipe[t], gb_simulator_progress(&w, &w.pipe[t], schedule->root));
  simulate_all(&w);
  for (uint32_t v = 0; v < schedule->endpoint_count; v++) {
    double last = 0;
    uint32_t latest = 0;
    for (uint32_t t = 0; t < schedule->tree_count; t++) {
      const gb_progress *at_end = gb_simulator_progress(&w, &w.pipe[t], v);
      const double end = gb_periodic_end(&w.pipe[t], w.at + at_end->first, at_end->known);
      if (schedule->tree[t].arrival)
        schedule->tree[t].arrival[v] = end;
      if (end > last) {
        last = end;
        latest = t;
      }
    }
    const double taken = v == schedule->root ? 0 : gb_receiver_end(&w, v);
    if (taken > last && schedule->tree[latest].arrival)
      schedule->tree[latest].arrival[v] = taken;
    *makespan = gb_larger(*makespan, gb_larger(last, taken));
  }
  if (flow->operation == GBCAST_BCAST && schedule->tree_count > 1)
    *makespan = gb_larger(*makespan, gb_shared_links_end(&w));
  gb_simulator_free(&w);
  return GBCAST_OK;
}
