/* Orders and reports. See wire.h. */
#include "probe/wire.h"

#include <stdlib.h>
#include <string.h>

int gb_prober_reserve(gb_prober *x, size_t bytes) {
  if (bytes <= x->capacity)
    return MPI_SUCCESS;
  free(x->buffer);
  x->capacity = 0;
  x->buffer = malloc(bytes);
  if (x->buffer == NULL)
    return MPI_ERR_NO_MEM;
  memset(x->buffer, 0, bytes); /* the system provides all pages now, not while something is timed */
  x->capacity = bytes;
  return MPI_SUCCESS;
}

int gb_send_order(const gb_prober *x, int rank, const gb_order *order) {
  return MPI_Send(order, (int)sizeof *order, MPI_BYTE, rank, GB_TAG_ORDER, x->comm);
}

int gb_await(const gb_prober *x, gb_order *order, gb_report *report, bool *is_report, int *source) {
  MPI_Status status;
  int rc = gb_machine_await(x->comm, &status);
  if (rc != MPI_SUCCESS)
    return rc;
  *source = status.MPI_SOURCE;
  *is_report = status.MPI_TAG == GB_TAG_REPORT;
  if (*is_report)
    return MPI_Recv(report, (int)sizeof *report, MPI_BYTE, *source, GB_TAG_REPORT, x->comm,
                    MPI_STATUS_IGNORE);
  return MPI_Recv(order, (int)sizeof *order, MPI_BYTE, *source, GB_TAG_ORDER, x->comm, MPI_STATUS_IGNORE);
}

/* Rank 0 comes here, too, if another rank measures against it. */
int gb_serve(gb_prober *x, int source, const gb_order *first) {
  gb_order order = *first;
  int rc = MPI_SUCCESS;
  while (rc == MPI_SUCCESS && order.kind != GB_ORDER_RELEASE) {
    size_t wanted = order.bytes * (order.kind == GB_ORDER_FLOOD ? order.window : 1);
    rc = gb_prober_reserve(x, wanted);
    if (rc != MPI_SUCCESS)
      break;
    if (order.kind == GB_ORDER_PING) {
      rc = gb_answer_pings(x, source, order.bytes);
    } else if (order.kind == GB_ORDER_PING_BACK) {
      gb_pings pings = {.rtt = {0}};
      gb_ping_series series = {.least = 1, .most = 1, .slow = order.count, .slow_seconds = order.seconds};
      series.until = MPI_Wtime() + 2 * order.seconds;
      rc = gb_ping(x, source, order.bytes, &series, &pings);
      if (rc == MPI_SUCCESS)
        rc = MPI_Send(&pings, (int)sizeof pings, MPI_BYTE, source, GB_TAG_RESULT, x->comm);
    } else if (order.kind == GB_ORDER_FLOOD) {
      rc = gb_receive_flood(x, source, &order);
    } else if (order.kind == GB_ORDER_FLOOD_BACK) {
      gb_flooded flooded = {0};
      rc = gb_flood(x, source, &order, &flooded);
      if (rc == MPI_SUCCESS)
        rc = MPI_Send(&flooded, (int)sizeof flooded, MPI_BYTE, source, GB_TAG_RESULT, x->comm);
    } else if (order.kind == GB_ORDER_STREAMS) {
      gb_report report = {0};
      rc = gb_measure_at_once(x, &order, &report);
      gb_watchdog_rest(x->watch); /* rank 0 or the peer notices if this rank waits in vain */
      if (rc == MPI_SUCCESS && order.sources > 0)
        rc = MPI_Send(&report.rate[0], (int)sizeof report.rate[0], MPI_BYTE, source, GB_TAG_RESULT, x->comm);
    }
    if (rc == MPI_SUCCESS)
      rc = MPI_Recv(&order, (int)sizeof order, MPI_BYTE, source, GB_TAG_ORDER, x->comm, MPI_STATUS_IGNORE);
  }
  return rc;
}
