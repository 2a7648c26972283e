/* What a rank does when rank 0 orders it to measure: a table or the rate of a stream against one peer, or the
 * latencies to several peers.
 *
 * A table has a limit in seconds. Each size gets a share of what is left; larger sizes get larger shares. Of
 * its share, 30 % are for round trips, 25 % for floods in each direction (including the one that opens TCP's
 * window on a long path), and 10 % at each end for the overhead of a message. If there is no time for enough
 * samples of a size, the table ends before it. An exchange that has begun is finished, so the measurement may
 * end late by one exchange. */
#include "probe/wire.h"

#include <math.h>

/* On a connection that was idle TCP sends ten packets of at least a kilobyte, and then twice what was
 * acknowledged. So a flood of more than FIRST_FLIGHT bytes spends additional round trips in slow start. If a
 * round trip takes more than FAR (s), a flood that does not count goes first. */
static const double FIRST_FLIGHT = 10e3, FAR = 1e-3;

enum { FLOODS = 9, SLOW = 5, TRIPS = GB_PROBE_SAMPLES - SLOW - 1, FLOOD_LEAST = 4 };
enum { TRIPS_LEAST = 3, FLOODS_LEAST = 3 }; /* with fewer samples there is no value */
/* A host with a latency above GB_PROBE_NEAR may only be busy, so it is measured again, up to NEAR_TRIES
 * times. From NEAR_MOST (s) on it is certainly far. */
enum { NEAR_TRIES = 5 };
static const double NEAR_MOST = 3e-3;

static const double STREAMS_LEAST = 10;    /* s; a table that has less gets no streams */
static const double TABLE_MOST = 60;       /* s that a table may take if there is no budget */
static const double FLOOD_BYTES = 1 << 20; /* in a flood, at most, if that is eight messages or more */

/* Called before each exchange, so that nobody waits for a peer that has died. Connecting may take seconds. */
static void expect_peer(const gb_probe_peer *m) {
  gb_watchdog_expect(
      m->x->watch, 10 + 2 * m->share,
      "gbcast-probe: no answer: rank %d on %s, which rank %d on %s was measuring, has died or cannot be "
      "reached",
      m->peer, m->x->identity[m->peer].name, m->x->rank, m->x->identity[m->x->rank].name);
}

static int ping(const gb_probe_peer *m, uint64_t bytes, const gb_ping_series *series, gb_pings *out) {
  gb_order order = {.kind = GB_ORDER_PING, .bytes = bytes};
  expect_peer(m);
  int rc = gb_prober_reserve(m->x, bytes);
  if (rc == MPI_SUCCESS)
    rc = gb_send_order(m->x, m->peer, &order);
  return rc != MPI_SUCCESS ? rc : gb_ping(m->x, m->peer, bytes, series, out);
}

/* Round trips of empty messages; they have one byte, which marks the last. */
static int ping_empty(const gb_probe_peer *m, gb_pings *out) {
  gb_ping_series series = {.least = 4, .most = 9, .seconds = 10e-3, .until = m->until};
  return ping(m, 1, &series, out);
}

static int release(const gb_probe_peer *m) {
  gb_order order = {.kind = GB_ORDER_RELEASE};
  return gb_send_order(m->x, m->peer, &order);
}

/* Measures the overheads of the peer. */
static int ping_back(const gb_probe_peer *m, double seconds, gb_probe_point *point) {
  gb_order order = {.kind = GB_ORDER_PING_BACK, .bytes = point->bytes, .count = SLOW, .seconds = seconds};
  gb_pings pings = {.rtt = {0}};
  expect_peer(m);
  int rc = gb_send_order(m->x, m->peer, &order);
  if (rc == MPI_SUCCESS)
    rc = gb_answer_pings(m->x, m->peer, point->bytes);
  if (rc == MPI_SUCCESS)
    rc = MPI_Recv(&pings, (int)sizeof pings, MPI_BYTE, m->peer, GB_TAG_RESULT, m->x->comm, MPI_STATUS_IGNORE);
  if (rc == MPI_SUCCESS) {
    point->send[1] = pings.send;
    point->receive[1] = pings.receive;
  }
  return rc;
}

int gb_flood_peer(const gb_probe_peer *m, int direction, uint64_t bytes, uint32_t count, uint32_t window,
                  gb_flooded *out) {
  gb_order order = {.kind = direction == 0 ? GB_ORDER_FLOOD : GB_ORDER_FLOOD_BACK,
                    .bytes = bytes,
                    .count = count,
                    .window = window};
  expect_peer(m);
  int rc = gb_send_order(m->x, m->peer, &order);
  if (rc == MPI_SUCCESS)
    rc = gb_prober_reserve(m->x, bytes * (direction == 0 ? 1 : window));
  if (rc == MPI_SUCCESS && direction == 0)
    return gb_flood(m->x, m->peer, &order, out);
  if (rc == MPI_SUCCESS)
    rc = gb_receive_flood(m->x, m->peer, &order);
  if (rc == MPI_SUCCESS)
    rc = MPI_Recv(out, (int)sizeof *out, MPI_BYTE, m->peer, GB_TAG_RESULT, m->x->comm, MPI_STATUS_IGNORE);
  return rc;
}

static bool is_cold(const gb_probe_peer *m, uint64_t bytes, uint32_t count) {
  return m->empty > FAR && (double)bytes * count > FIRST_FLIGHT;
}

/* Floods in one direction, within `share` seconds. `guess` is a rough g(m) in seconds. */
static int floods(const gb_probe_peer *m, int direction, double guess, double share, uint64_t bytes,
                  gb_flood_times *out) {
  double total[FLOODS], sending[FLOODS], fixed = 2 * m->empty;
  uint32_t most = gb_probe_clamp(FLOOD_BYTES / (double)bytes, 8, GB_FLOOD_MOST), taken = 0;
  out->count = gb_probe_clamp((share / 3 - fixed) / guess, FLOOD_LEAST, most);
  double each = out->count * guess + fixed;
  uint32_t wanted = gb_probe_clamp(share / each, FLOODS_LEAST, FLOODS);
  int rc = MPI_SUCCESS;
  if (is_cold(m, bytes,
              out->count)) { /* first a flood that is not timed, of what a round trip has in flight */
    const uint32_t few = gb_probe_clamp(m->empty / guess + 1, 1, out->count);
    rc = gb_flood_peer(m, direction, bytes, few, gb_flood_window(bytes, few), &(gb_flooded){0});
    wanted = wanted > FLOODS_LEAST ? wanted - 1 : FLOODS_LEAST;
  }
  while (rc == MPI_SUCCESS && taken < wanted && (taken == 0 || MPI_Wtime() + each < m->until)) {
    gb_flooded flooded = {0};
    double start = MPI_Wtime();
    rc = gb_flood_peer(m, direction, bytes, out->count, gb_flood_window(bytes, out->count), &flooded);
    each = fmax(each, MPI_Wtime() - start);
    total[taken] = flooded.total;
    sending[taken++] = flooded.sending;
  }
  out->total = gb_median_of(total, taken);
  out->sending = gb_median_of(sending, taken).value;
  return rc;
}

/* Measures one size. `before` is g of the previous size times the ratio of the sizes. *fits: the time was
 * enough. */
static int measure_size(const gb_probe_peer *m, double before, gb_probe_point *point, bool *fits) {
  gb_ping_series series = {.least = TRIPS_LEAST,
                           .most = TRIPS,
                           .seconds = 0.3 * m->share,
                           .slow = SLOW,
                           .slow_seconds = 0.1 * m->share};
  gb_pings pings = {.rtt = {0}};
  gb_flood_times times[2] = {{0}};
  series.until = m->until;
  int rc = ping(m, point->bytes, &series, &pings);
  const double rtt = pings.rtt.value;
  point->rtt = pings.rtt;
  point->send[0] = pings.send;
  point->receive[0] = pings.receive;
  const double guess = fmax(fmax(rtt - m->empty, 0), fmin(before, rtt)) / 2 + 1e-6;
  const double each = FLOOD_LEAST * guess + 2 * m->empty;
  *fits = rtt > 0 && pings.rtt.samples >= TRIPS_LEAST &&
          MPI_Wtime() + 2 * (FLOODS_LEAST + is_cold(m, point->bytes, FLOOD_LEAST)) * each < m->until;
  for (int direction = 0; rc == MPI_SUCCESS && *fits && direction < 2; direction++)
    rc = floods(m, direction, guess, 0.25 * m->share, point->bytes, &times[direction]);
  *fits = *fits && times[0].total.samples >= FLOODS_LEAST && times[1].total.samples >= FLOODS_LEAST;
  if (rc != MPI_SUCCESS || !*fits)
    return rc;
  gb_probe_gaps(times, rtt, m->empty, point->gap);
  const bool time_for_back = 0.1 * m->share > 3 * rtt && MPI_Wtime() + 4 * rtt < m->until;
  return time_for_back ? ping_back(m, 0.1 * m->share, point) : rc;
}

/* Returns the seconds that a size needs at the rate of the path (bytes/s): 4 round trips and 3 floods of 4
 * messages in each direction are 32 messages; 48 leave some margin. */
static double need(const gb_probe_peer *m, double rate, uint64_t bytes) {
  return 0.5 + 48 * (double)bytes / rate + 60 * m->empty;
}

/* The same for all sizes from `first` on. */
static double need_from(const gb_probe_peer *m, const gb_order *order, uint32_t first, double rate) {
  double sum = 0;
  for (uint32_t i = first; i < order->count; i++)
    sum += need(m, rate, order->size[i]);
  return sum;
}

/* The rate of the slower direction (bytes/s); if the rates were not measured, 1 Gbit/s. */
static double slower_rate(const gb_probe_table *table) {
  const bool known = table->rate[0].samples > 0 && table->rate[1].samples > 0;
  return known ? fmin(table->rate[0].value, table->rate[1].value) : 125e6;
}

/* Measures the sizes in order, until there is no time for enough samples of the next one. */
static int measure_table(gb_probe_peer *m, const gb_order *order, gb_probe_table *table) {
  double last = m->empty, before = 20e-6, rate = slower_rate(table);
  bool fits = true;
  int rc = MPI_SUCCESS;
  for (uint32_t i = 0; rc == MPI_SUCCESS && fits && i < order->count; i++) {
    gb_probe_point *point = &table->point[i];
    *point = (gb_probe_point){.bytes = order->size[i]};
    double ratio = i == 0 ? 1 : (double)order->size[i] / (double)order->size[i - 1];
    double expected = TRIPS_LEAST * 2 * (m->empty + fmax(last - m->empty, 0) * ratio),
           left = m->until - MPI_Wtime();
    fits = expected < left;
    m->share = left * need(m, rate, order->size[i]) / need_from(m, order, i, rate);
    if (fits)
      rc = measure_size(m, before * ratio, point, &fits);
    if (rc == MPI_SUCCESS && fits)
      table->count = i + 1;
    last = fits ? point->rtt.value : last;
    before = fits ? fmax(point->gap[0].value, point->gap[1].value) : before;
  }
  gb_probe_make_monotone(table);
  return rc;
}

/* Measures only an empty message. Between sites latency and rate say how long a message takes; larger ones
 * would only show what the MPI library adds. The shortest trip counts: in longer ones the message has waited
 * for other packets or for a processor. */
static int measure_trip(const gb_probe_peer *m, gb_probe_table *table) {
  gb_ping_series series = {.least = TRIPS_LEAST, .most = TRIPS, .seconds = 0.5, .until = m->until};
  gb_probe_point *point = &table->point[0];
  gb_pings pings = {.rtt = {0}};
  int rc = ping(m, 1, &series, &pings);
  *point = (gb_probe_point){.bytes = 1, .rtt = pings.rtt, .send[0] = pings.send};
  point->rtt.value = pings.least;
  table->count = pings.rtt.samples >= TRIPS_LEAST;
  return rc;
}

int gb_measure_pair(gb_prober *x, const gb_order *order, gb_probe_table *table) {
  gb_probe_peer m = {.x = x, .peer = order->peer[0], .until = MPI_Wtime() + order->seconds};
  gb_pings pings = {.rtt = {0}};
  *table = (gb_probe_table){0};
  int rc = ping_empty(&m, &pings);
  m.empty = pings.rtt.value;
  if (rc == MPI_SUCCESS && order->kind == GB_ORDER_STREAM) /* before the streams, which fill queues */
    rc = measure_trip(&m, table);
  if (rc == MPI_SUCCESS && (order->kind == GB_ORDER_STREAM || order->seconds > STREAMS_LEAST)) {
    gb_probe_peer streams = m;
    if (order->kind == GB_ORDER_MEASURE) /* half of the time is for the table */
      streams.until = (MPI_Wtime() + m.until) / 2;
    rc = gb_measure_streams(&streams, table);
  }
  if (isinf(order->seconds))
    m.until = MPI_Wtime() + fmin(TABLE_MOST, need_from(&m, order, 0, slower_rate(table)));
  if (rc == MPI_SUCCESS && order->kind == GB_ORDER_MEASURE)
    rc = measure_table(&m, order, table);
  return rc != MPI_SUCCESS ? rc : release(&m);
}

int gb_measure_near(gb_prober *x, const gb_order *order, gb_report *report) {
  double until = MPI_Wtime() + order->seconds;
  int rc = MPI_SUCCESS;
  report->count = 0;
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < order->count && (i == 0 || MPI_Wtime() < until); i++) {
    gb_probe_peer m = {.x = x, .peer = order->peer[i], .until = until};
    double latency = INFINITY;
    bool again = true;
    for (int k = 0; rc == MPI_SUCCESS && again && k < NEAR_TRIES; k++) {
      gb_pings pings = {.rtt = {0}};
      rc = ping_empty(&m, &pings);
      latency = fmin(latency, pings.least / 2);
      again = latency >= GB_PROBE_NEAR && latency < NEAR_MOST;
    }
    if (rc == MPI_SUCCESS)
      rc = release(&m);
    report->near[report->count++] = latency;
    if (latency < order->below || latency >= order->above)
      break;
  }
  return rc;
}
