/* Round trips and floods between two ranks. Times are intervals on the clock of one rank, so the clocks need
 * not agree. */
#include "platform/text/text.h"
#include "probe/wire.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* Sleeps, since the peer may need this processor. */
static void rest(double seconds) {
  struct timespec nap = {.tv_sec = (time_t)seconds};
  nap.tv_nsec = (long)((seconds - (double)nap.tv_sec) * 1e9);
  (void)nanosleep(&nap, NULL);
}

/* The first round trip does not count, unless there is time for no other. */
int gb_ping(gb_prober *x, int peer, uint64_t bytes, const gb_ping_series *series, gb_pings *out) {
  double trip[GB_PROBE_SAMPLES], send[GB_PROBE_SAMPLES], receive[GB_PROBE_SAMPLES];
  uint32_t done = 0, slow = 0, count = 2,
           waits = 0; /* after the first, `count` trips; the last `slow` wait */
  double rtt = 0;
  int rc = MPI_SUCCESS;
  for (bool last = false; rc == MPI_SUCCESS && !last; done++) {
    bool wait = done > count - slow;
    double start = MPI_Wtime();
    last = (done > 0 && done == count) || start + (wait ? 4 : 2) * rtt > series->until;
    x->buffer[0] = last ? 1 : 0;
    rc = MPI_Send(x->buffer, (int)bytes, MPI_BYTE, peer, GB_TAG_DATA, x->comm);
    double sent = MPI_Wtime();
    if (wait)
      rest(1.5 * rtt + 50e-6);
    double before = MPI_Wtime();
    if (rc == MPI_SUCCESS)
      rc = MPI_Recv(x->buffer, (int)bytes, MPI_BYTE, peer, GB_TAG_DATA, x->comm, MPI_STATUS_IGNORE);
    double end = MPI_Wtime();
    if (done == 0) {
      rtt = fmax(end - start, GB_LEAST_TIME);
      slow = gb_probe_clamp(series->slow_seconds / (3 * rtt), 0, series->slow);
      count = gb_probe_clamp(series->seconds / rtt, series->least, series->most) + slow;
    }
    uint32_t at = done == 0 ? 0 : done - 1; /* the second takes the place of the first */
    send[at] = sent - start;
    if (wait)
      receive[waits++] = end - before;
    else
      trip[at] = end - start;
  }
  uint32_t kept = done > 1 ? done - 1 : 1;
  out->least = trip[0];
  for (uint32_t i = 1; i < kept - waits; i++)
    out->least = trip[i] < out->least ? trip[i] : out->least;
  out->rtt = gb_median_of(trip, kept - waits);
  out->send = gb_median_of(send, kept);
  out->receive = gb_median_of(receive, waits);
  return rc;
}

int gb_answer_pings(gb_prober *x, int peer, uint64_t bytes) {
  int rc;
  do {
    rc = MPI_Recv(x->buffer, (int)bytes, MPI_BYTE, peer, GB_TAG_DATA, x->comm, MPI_STATUS_IGNORE);
    if (rc == MPI_SUCCESS)
      rc = MPI_Send(x->buffer, (int)bytes, MPI_BYTE, peer, GB_TAG_DATA, x->comm);
  } while (rc == MPI_SUCCESS && x->buffer[0] == 0);
  return rc;
}

/* 8 MiB in flight, or three messages: enough to fill any path. */
uint32_t gb_flood_window(uint64_t bytes, uint32_t count) {
  uint64_t window = ((uint64_t)8 << 20) / bytes;
  window = window < 3 ? 3 : window;
  window = window < count ? window : count;
  return window > 0 ? (uint32_t)window : 1;
}

int gb_flood(gb_prober *x, int peer, const gb_order *flood, gb_flooded *out) {
  MPI_Request request[GB_FLOOD_MOST];
  const uint32_t window = flood->window > 0 ? flood->window : 1, count = flood->count;
  int rc = MPI_Recv(NULL, 0, MPI_BYTE, peer, GB_TAG_READY, x->comm, MPI_STATUS_IGNORE);
  double start = MPI_Wtime();
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < count + window; i++) {
    if (i >= window)
      rc = MPI_Wait(&request[i % window], MPI_STATUS_IGNORE);
    if (rc == MPI_SUCCESS && i < count) /* one buffer for all: sends only read it */
      rc =
          MPI_Isend(x->buffer, (int)flood->bytes, MPI_BYTE, peer, GB_TAG_DATA, x->comm, &request[i % window]);
  }
  double sent = MPI_Wtime();
  if (rc == MPI_SUCCESS)
    rc = MPI_Recv(NULL, 0, MPI_BYTE, peer, GB_TAG_READY, x->comm, MPI_STATUS_IGNORE);
  out->total = MPI_Wtime() - start;
  out->sending = sent - start;
  return rc;
}

int gb_receive_flood(gb_prober *x, int peer, const gb_order *flood) {
  MPI_Request request[GB_FLOOD_MOST];
  const uint32_t window = flood->window > 0 ? flood->window : 1, count = flood->count;
  const uint64_t bytes = flood->bytes;
  int rc = MPI_SUCCESS;
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < count + window; i++) {
    if (i >= window)
      rc = MPI_Wait(&request[i % window], MPI_STATUS_IGNORE);
    if (rc == MPI_SUCCESS && i < count)
      rc = MPI_Irecv(x->buffer + i % window * bytes, (int)bytes, MPI_BYTE, peer, GB_TAG_DATA, x->comm,
                     &request[i % window]);
    if (rc == MPI_SUCCESS && i + 1 == window) /* every message that can be in flight has its receive */
      rc = MPI_Send(NULL, 0, MPI_BYTE, peer, GB_TAG_READY, x->comm);
  }
  return rc != MPI_SUCCESS ? rc : MPI_Send(NULL, 0, MPI_BYTE, peer, GB_TAG_READY, x->comm);
}
