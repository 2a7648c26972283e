/* Exchanges of blocks among the hosts of a site: the part of one rank.
 *
 *   all ranks   | wait for each other | a block to each other rank, all at once | wait for each other | ...
 *                                     |<------------- is timed -------------->|
 *
 * It waits inside MPI, which spins, and not as gb_machine_await() does: an exchange can be over before a
 * sleeping rank has woken up. */
#include "probe/wire.h"

/* Dissemination: after the step with distance d, a rank knows that the 2 d - 1 ranks before it have arrived.
 */
static int wait_for_all(gb_prober *x, const gb_order *order, uint32_t own) {
  const uint32_t n = order->count;
  int rc = MPI_SUCCESS;
  for (uint32_t d = 1; d < n && rc == MPI_SUCCESS; d *= 2)
    rc = MPI_Sendrecv(NULL, 0, MPI_BYTE, order->peer[(own + d) % n], GB_TAG_READY, NULL, 0, MPI_BYTE,
                      order->peer[(own + n - d) % n], GB_TAG_READY, x->streams, MPI_STATUS_IGNORE);
  return rc;
}

/* The blocks that arrive lie one behind the other in x->buffer, behind the one that is sent. After an error
 * the requests are not waited for, since the job is aborted. */
static int exchange(gb_prober *x, const gb_order *order, uint32_t own) {
  const uint32_t n = order->count;
  const int bytes = (int)order->bytes;
  MPI_Request request[2 * GB_NEAR_MOST];
  uint32_t count = 0;
  int rc = MPI_SUCCESS;
  for (uint32_t i = 1; i < n && rc == MPI_SUCCESS; i++)
    rc = MPI_Irecv(x->buffer + i * order->bytes, bytes, MPI_BYTE, order->peer[(own + n - i) % n], GB_TAG_DATA,
                   x->streams, &request[count++]);
  for (uint32_t i = 1; i < n && rc == MPI_SUCCESS; i++)
    rc = MPI_Isend(x->buffer, bytes, MPI_BYTE, order->peer[(own + i) % n], GB_TAG_DATA, x->streams,
                   &request[count++]);
  for (uint32_t i = 0; i < count && rc == MPI_SUCCESS; i++)
    rc = MPI_Wait(&request[i], MPI_STATUS_IGNORE);
  return rc; // NOLINT(clang-analyzer-optin.mpi.MPI-Checker)
}

int gb_measure_exchange(gb_prober *x, const gb_order *order, gb_report *report) {
  uint32_t own = 0;
  while (order->peer[own] != x->rank)
    own++;
  gb_watchdog_expect(x->watch, gb_order_patience(order->seconds),
                     "gbcast-probe: no answer: a rank that exchanges blocks with rank %d on %s has died or "
                     "cannot be reached",
                     x->rank, x->identity[x->rank].name);
  int rc = gb_prober_reserve(x, order->count * order->bytes);
  for (int i = -1; i < GB_EXCHANGES && rc == MPI_SUCCESS; i++) { /* the first one makes the connections */
    rc = wait_for_all(x, order, own);
    const double begin = MPI_Wtime();
    if (rc == MPI_SUCCESS)
      rc = exchange(x, order, own);
    if (i >= 0)
      report->exchange[i] = MPI_Wtime() - begin;
  }
  return rc;
}
