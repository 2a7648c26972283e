/* Measures what one stream carries over a path. streams.c says how a stream runs. */
#include "probe/wire.h"

#include <math.h>

/* Long enough for the rate to settle: half a second, or 28 round trips, of which slow start takes up to
 * eight. Shorter ones show whether the bytes in flight are too few to fill the path. */
static const double LEAST = 0.5, ROUND_TRIPS = 28, SHORT = 0.1, SHORT_TRIPS = 8;

/* Bytes in flight: FIRST in the first stream, SHORT_MORE times as many in each further short one, and MORE
 * times in those of full length. If the queue holds half as much as the path, packets are lost once 1.5 times
 * the content of the path is in flight. */
static const double FIRST = 16 << 10, SHORT_MORE = 1.5, MORE = 1.25;

/* Bytes in flight of the first stream of full length, at least: 32 packets, which any queue holds. */
static const double FULL_FIRST = 48e3;

/* If more than this part of the bytes in flight arrives in each round trip, none of them wait in a queue: the
 * path may hold more. Less is asked of short streams, of which slow start is a larger part. */
static const double LIMITED = 0.8, SHORT_LIMITED = 0.7;

/* s: on shorter paths messages are as large as on such a path, so that their number does not limit the rate
 */
static const double TRIP_LEAST = 10e-3;

enum { RUNS_MOST = 48 };

double gb_stream_seconds(double rtt) {
  return fmax(LEAST, ROUND_TRIPS * rtt);
}

/* Runs one stream to the peer (direction 0), or from it. `first`: messages in flight at its start, at most.
 */
static int run(const gb_probe_peer *m, int direction, double seconds, uint64_t in_flight, uint32_t first,
               gb_median *rate) {
  gb_order mine = {.kind = GB_ORDER_STREAMS, .seconds = seconds, .window = first, .size = {in_flight}};
  gb_order theirs = mine;
  mine.peer[0] = m->peer;
  theirs.peer[0] = m->x->rank;
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

/* Measures one direction; no samples if there is no time for it. The search begins with few bytes in flight:
 * too many are lost, and TCP is slow for seconds after that. Short streams find out how many fill the path.
 * Streams of full length follow, first with a step less, until they get no faster, neither with more bytes in
 * flight nor with the same again. If messages arrive in bunches, none of them fills the path: the last one
 * has much in flight from its start (gb_stream_fill). The fastest counts. */
static int measure(const gb_probe_peer *m, int direction, gb_median *rate) {
  const double trip = fmax(m->empty, TRIP_LEAST);
  double seconds = fmax(SHORT, SHORT_TRIPS * m->empty), in_flight = FIRST, before = 0;
  bool full = false;
  int rc = MPI_SUCCESS, settled = 0;
  *rate = (gb_median){0};
  for (int k = 0; rc == MPI_SUCCESS && k < RUNS_MOST && settled < GB_STREAM_SETTLED &&
                  MPI_Wtime() + 1.25 * seconds < m->until;
       k++) {
    gb_median found;
    rc = run(m, direction, seconds, (uint64_t)in_flight, GB_STREAM_FIRST, &found);
    const bool limited = found.value > (full ? LIMITED : SHORT_LIMITED) * in_flight / trip &&
                         SHORT_MORE * in_flight < GB_STREAM_IN_FLIGHT_MOST;
    const bool faster = found.value > GB_STREAM_FASTER * before;
    if (full) {
      settled = limited || faster ? 0 : settled + 1;
      before = found.value;
      *rate = found.value > rate->value ? found : *rate;
      in_flight *= limited || faster ? MORE : 1;
    } else if (limited) {
      in_flight *= SHORT_MORE;
    } else {
      full = true;
      seconds = gb_stream_seconds(m->empty);
      in_flight = fmax(FULL_FIRST, in_flight / SHORT_MORE);
    }
  }
  if (rc == MPI_SUCCESS && full && MPI_Wtime() + 1.25 * seconds < m->until) {
    gb_median found;
    rc = run(m, direction, seconds, gb_stream_fill(rate->value, seconds), GB_STREAM_SLOTS, &found);
    *rate = found.value > rate->value ? found : *rate;
  }
  return rc;
}

int gb_measure_streams(gb_probe_peer *m, gb_probe_table *table) {
  gb_probe_peer half = *m;
  half.until = (MPI_Wtime() + m->until) / 2;
  const int rc = measure(&half, 0, &table->rate[0]);
  return rc != MPI_SUCCESS ? rc : measure(m, 1, &table->rate[1]);
}
