/* How rank 0 has other ranks measure, and learns what they have found. */
#include "probe/lead.h"

double gb_lead_elapsed(const gb_lead *l) {
  return MPI_Wtime() - l->start;
}

int gb_lead_near(gb_lead *l, int rank, gb_order *order, gb_report *report) {
  gb_prober *x = l->x;
  gb_watchdog_expect(
      x->watch, 2 * order->seconds + 5,
      "gbcast-probe: no answer: rank %d on %s, or one of the %u ranks that it measures, beginning with %d on "
      "%s, has died or cannot be reached",
      rank, x->identity[rank].name, (unsigned)order->count, order->peer[0], x->identity[order->peer[0]].name);
  int rc = rank == 0 ? gb_measure_near(x, order, report) : gb_send_order(x, rank, order);
  for (bool is_report = rank == 0; rc == MPI_SUCCESS && !is_report;) {
    gb_order half; /* if rank 0 is one of the peers, it does its half */
    int source;
    rc = gb_await(x, &half, report, &is_report, &source);
    if (rc == MPI_SUCCESS && !is_report)
      rc = gb_serve(x, source, &half);
  }
  gb_watchdog_rest(x->watch);
  return rc;
}

int gb_lead_await_report(const gb_lead *l, gb_report *report, int *source) {
  gb_order order;
  bool is_report;
  const int rc = gb_await(l->x, &order, report, &is_report, source);
  return rc == MPI_SUCCESS && !is_report ? MPI_ERR_OTHER : rc;
}
