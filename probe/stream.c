/* What a path carries: one stream, as in streams.c. */
#include "probe/wire.h"

#include <math.h>

/* Long enough for the rate to settle: half a second, or 28 round trips, of which slow start takes up to
 * eight. */
static const double LEAST = 0.5, ROUND_TRIPS = 28;

/* While it is not known how much fills the path: streams that are short, the first with so many bytes under
 * way, the next with four times as many. */
static const double SHORT = 0.1, SHORT_TRIPS = 8, FIRST = 64e3, NEXT = 4;

enum { RUNS_MOST = 6 };            /* of full length with little under way */
static const double FASTER = 1.05; /* times the rate of the run before */

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

/* Sets what the path carries, about; 0: there is no time to find out. */
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

/* One direction; no samples if it would not end in time. With little under way no packets are lost, but TCP
 * may take a while until it fills the path: such a stream is run again as long as it gets faster. Then one
 * with much under way, for long paths. The fastest counts. */
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
