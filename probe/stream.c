/* What a path carries: one stream, as in streams.c. */
#include "probe/wire.h"

#include <math.h>

/* Long enough for the rate to settle: half a second, or 28 round trips, of which slow start takes up to
 * eight. Shorter ones show whether what is under way is too little to fill the path. */
static const double LEAST = 0.5, ROUND_TRIPS = 28, SHORT = 0.1, SHORT_TRIPS = 8;

/* Bytes under way: of the first stream, and times those of the one before. A queue may hold no more than half
 * of what the path does: then packets are lost with 1.5 times as much as the path holds. */
static const double FIRST = 64e3, MORE = 1.25;

/* More than this part of what is under way in each round trip: all of it is on its way, none waits in queues.
 * What short streams get includes more of their slow start. */
static const double LIMITED = 0.8, SHORT_LIMITED = 0.7;

static const double TRIP_LEAST =
    10e-3;                         /* s: on shorter paths messages are large, so that few show the rate */
static const double FASTER = 1.05; /* times the rate of the run before */
enum { RUNS_MOST = 48, NO_FASTER = 2 }; /* runs in a row after which the rate has settled */

double gb_stream_seconds(double rtt) {
  return fmax(LEAST, ROUND_TRIPS * rtt);
}

/* To the peer (direction 0), or from it. */
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

/* One direction; no samples if it would not end in time. With too much under way, packets are lost, and TCP
 * is slow for seconds after that: it begins with little. Short streams are enough as long as all that is
 * under way arrives in each round trip. Then, with a step less, come streams of full length, until they get
 * no faster, neither with more under way nor with the same again. The fastest counts. */
static int measure(const gb_probe_peer *m, int direction, gb_median *rate) {
  const double trip = fmax(m->empty, TRIP_LEAST);
  double seconds = fmax(SHORT, SHORT_TRIPS * m->empty), under_way = FIRST, before = 0;
  bool full = false;
  int rc = MPI_SUCCESS, settled = 0;
  *rate = (gb_median){0};
  for (int k = 0;
       rc == MPI_SUCCESS && k < RUNS_MOST && settled < NO_FASTER && MPI_Wtime() + 1.25 * seconds < m->until;
       k++) {
    gb_median found;
    rc = run(m, direction, seconds, (uint64_t)(under_way / GB_STREAM_CREDIT), &found);
    const bool limited = found.value > (full ? LIMITED : SHORT_LIMITED) * under_way / trip &&
                         MORE * under_way < (double)GB_STREAM_CREDIT * GB_STREAM_MESSAGE_MOST;
    if (full) {
      settled = limited || found.value > FASTER * before ? 0 : settled + 1;
      before = found.value;
      *rate = found.value > rate->value ? found : *rate;
    }
    if (limited) {
      under_way *= MORE;
    } else if (!full) {
      full = true;
      seconds = gb_stream_seconds(m->empty);
      under_way = fmax(FIRST, under_way / MORE);
    }
  }
  return rc;
}

int gb_measure_streams(gb_probe_peer *m, gb_probe_table *table) {
  gb_probe_peer half = *m;
  half.until = (MPI_Wtime() + m->until) / 2;
  const int rc = measure(&half, 0, &table->rate[0]);
  return rc != MPI_SUCCESS ? rc : measure(m, 1, &table->rate[1]);
}
