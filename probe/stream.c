/* Measures what one stream carries over a path. streams.c says how a stream runs. */
#include "probe/wire.h"

#include <math.h>

/* A stream runs long enough for its rate to settle: half a second or 28 round trips, whichever is longer.
 * Slow start takes up to eight round trips. */
static const double LEAST = 0.5, ROUND_TRIPS = 28;

/* Short streams find out how many bytes in flight fill the path: FIRST in the first stream, NEXT times as
 * many in each further one. A stream runs for SHORT seconds or SHORT_TRIPS round trips, whichever is
 * longer. */
static const double SHORT = 0.1, SHORT_TRIPS = 8, FIRST = 64e3, NEXT = 4;

enum { RUNS_MOST = 6 };            /* of full length with little data in flight */
static const double FASTER = 1.05; /* a run that is faster than the one before by this factor is repeated */

double gb_stream_seconds(double rtt) {
  return fmax(LEAST, ROUND_TRIPS * rtt);
}

/* Runs one stream to the peer (direction 0), or from it. `message`: bytes of each message. */
static int run(const gb_probe_peer *m, int direction, double seconds, uint64_t message, gb_median *rate) {
  gb_order mine = {.kind = GB_ORDER_STREAMS, .seconds = seconds, .peer = {m->peer}, .size = {message}};
  gb_order theirs = {.kind = GB_ORDER_STREAMS, .seconds = seconds, .peer = {m->x->rank}, .size = {message}};
  gb_report report = {0};
  mine.count = theirs.sources = direction == 0;
  mine.sources = theirs.count = direction == 1;
  int rc = gb_send_order(m->x, m->peer, &theirs);
  if (rc == MPI_SUCCESS)
    rc = gb_measure_at_once(m->x, &mine, &report);
  *rate = report.rate[0];
  if (rc == MPI_SUCCESS && direction == 0)
    rc = MPI_Recv(rate, (int)sizeof *rate, MPI_BYTE, m->peer, GB_TAG_RESULT, m->x->comm, MPI_STATUS_IGNORE);
  return rc;
}

/* Sets *about to roughly what the path carries (bytes/s); 0: there is no time to find out. */
static int find_about(const gb_probe_peer *m, int direction, double *about) {
  const double seconds = fmax(SHORT, SHORT_TRIPS * m->empty);
  double under_way = FIRST;
  int rc = MPI_SUCCESS;
  *about = 0;
  while (rc == MPI_SUCCESS && MPI_Wtime() + 2 * seconds < m->until) {
    const uint64_t message = (uint64_t)(under_way / GB_STREAM_CREDIT);
    gb_median rate;
    rc = run(m, direction, seconds, message, &rate);
    *about = rate.value;
    if (rate.value < under_way / m->empty / 2 || message >= GB_STREAM_MESSAGE_MOST)
      break;
    under_way *= NEXT;
  }
  return rc;
}

/* Measures one direction; *rate has no samples if there is no time. With little data in flight no packets are
 * lost, but TCP may need a while to fill the path, so such a stream is repeated as long as it gets faster.
 * Then comes a stream with much data in flight, which long paths need. The fastest one counts. */
static int measure(const gb_probe_peer *m, int direction, gb_median *rate) {
  const double seconds = gb_stream_seconds(m->empty);
  double about, before = 0;
  int rc = find_about(m, direction, &about);
  bool last = about <= 0;
  *rate = (gb_median){0};
  for (int k = 0; rc == MPI_SUCCESS && !last && MPI_Wtime() + 1.25 * seconds < m->until; k++) {
    gb_median found;
    last = k > 0 && (rate->value < FASTER * before || k == RUNS_MOST);
    before = rate->value;
    rc = run(m, direction, seconds, gb_stream_message(last ? about : GB_STREAM_LITTLE * about, seconds),
             &found);
    *rate = found.value > rate->value ? found : *rate;
    about = fmax(about, rate->value);
  }
  return rc;
}

int gb_measure_streams(gb_probe_peer *m, gb_probe_table *table) {
  gb_probe_peer half = *m;
  half.until = (MPI_Wtime() + m->until) / 2;
  const int rc = measure(&half, 0, &table->rate[0]);
  return rc != MPI_SUCCESS ? rc : measure(m, 1, &table->rate[1]);
}
