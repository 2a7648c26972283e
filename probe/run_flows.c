/* Rank 0 has streams run at the same time. Each rank that takes part gets one order for all streams that it
 * sends and receives, and reports the rates of those that it has received. See streams.c. */
#include "probe/lead.h"

#include <math.h>
#include <stdlib.h>

/* Makes the order for a rank. False: it has none of the streams. What is in flight is by the round trip time
 * of each stream: on a short path it would fill the queues, and streams with longer paths would get little.
 */
static bool make_order(int rank, const gb_probe_flow *flow, uint32_t count, double part, double seconds,
                       gb_order *order) {
  *order = (gb_order){.kind = GB_ORDER_STREAMS, .seconds = seconds, .window = GB_STREAM_FIRST};
  for (int end = 0; end < 2; end++)
    for (uint32_t i = 0; i < count; i++) {
      if (flow[i].rank[end] != rank)
        continue;
      const uint32_t at = order->count + order->sources;
      order->peer[at] = flow[i].rank[1 - end];
      order->size[at] =
          gb_stream_fill(part * flow[i].alone, fmin(seconds, gb_stream_seconds(2 * flow[i].rough)));
      order->count += end == 0;
      order->sources += end == 1;
    }
  return order->count + order->sources > 0;
}

static void take_report(int rank, const gb_report *report, gb_probe_flow *flow, uint32_t count) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (flow[i].rank[1] != rank || at >= report->count)
      continue;
    flow[i].rate = report->rate[at++];
    flow[i].measured = true;
  }
}

int gb_lead_run_flows(gb_lead *l, gb_probe_flow *flow, uint32_t count, double part, double seconds) {
  gb_order order;
  gb_report report = {0};
  uint32_t others = 0;
  int rc = MPI_SUCCESS, source, last = 0;
  for (int r = 1; r < l->x->size && rc == MPI_SUCCESS; r++)
    if (make_order(r, flow, count, part, seconds, &order)) {
      rc = gb_send_order(l->x, r, &order);
      last = r;
      others++;
    }
  if (rc == MPI_SUCCESS && make_order(0, flow, count, part, seconds, &order)) {
    rc = gb_measure_at_once(l->x, &order, &report);
    take_report(0, &report, flow, count);
  }
  if (others > 0)
    gb_watchdog_expect(
        l->x->watch, gb_order_patience(seconds),
        "gbcast-probe: no answer: a rank that exchanges streams with others has died or cannot be reached; "
        "one of them is rank %d on %s",
        last, l->x->identity[last].name);
  for (; rc == MPI_SUCCESS && others > 0; others--) {
    rc = gb_lead_await_report(l, &report, &source);
    if (rc == MPI_SUCCESS)
      take_report(source, &report, flow, count);
  }
  gb_watchdog_rest(l->x->watch);
  return rc;
}
