/* From series to live values. Forecasts are those that minimise the mean absolute error: their error is in
 * the unit of the value, which is what a live value carries, and a single outlier does not pull them; the
 * first measurement counts as an error as large as itself, so that values of short series come out as
 * uncertain. Each series gives a value of its own, as each has its own age. */
#include "nws/client/weather.h"

#include <math.h>
#include <stdlib.h>

/* A new connection sends w_0 bytes, waits for their acknowledgement, sends w_1 = 2 w_0, and so on, up to the
 * socket's buffer:
 *
 *   sender    |w_0|.....|= w_1 =|...|====== w_2 ======|              close
 *                  \   /         \ /                   \            /
 *   receiver        ack          ack                    last byte -'
 *             |<---- R ---->|<---- R ---->|<-- rest / C -->|<-- R -->|
 *
 * With K bursts for B bytes, a round trip R and a bandwidth C, until the close has come back,
 *
 *   t(C) = R + B / C + sum over k < K - 1 of max(0, R - w_k / C)
 *
 * which falls as C grows. Where the first q of the waits are above 0,
 *
 *   C = (B - w_0 - ... - w_(q-1)) / s,    s = t - (1 + q) R
 *
 * Nobody knows the sender: today's begins with 10 segments (RFC 6928) and doubles, an old one begins with 3
 * (RFC 3390) and grows by half, as its receiver acknowledges every second segment. The first waits least, so
 * its C is the bandwidth at least; what the other's C is above it is the error. When that is as large as the
 * value, nothing is known: round trips alone may have taken so long.
 *
 * Source: Kurose and Ross, "Computer Networking", the delay of TCP with a dynamic window. */
static const double segment = 1460;

typedef struct solution {
  double rate; /* C; INFINITY when waits alone explain the time */
  double time; /* s */
  double round_trips;
} solution;

static solution solve(const gb_burst *b, double first_window, double growth) {
  double t = b->bytes / b->rate, left = b->bytes, window = fmin(first_window, b->window);
  for (solution found = {.round_trips = 1};; found.round_trips++) {
    found.time = t - found.round_trips * b->round_trip;
    found.rate = found.time > 0 ? left / found.time : INFINITY;
    if (window >= b->round_trip * found.rate || window >= left)
      return found;
    left -= window; /* this window means a wait */
    window = fmin(growth * window, b->window);
  }
}

bool gb_burst_bandwidth(const gb_burst *b, double *bandwidth, double *error) {
  *bandwidth = b->rate;
  *error = b->rate_error;
  if (b->bytes >= GB_BURST_LONG)
    return true;
  if (!(b->round_trip >= 0 && b->bytes >= segment && b->window >= segment))
    return false;
  solution now = solve(b, 10 * segment, 2), old = solve(b, 3 * segment, 1.5);
  double measuring = b->bytes / b->rate * b->rate_error / b->rate; /* s */
  double round_trips = now.round_trips * fmax(b->error, 0);
  if (!(old.rate < 2 * now.rate && round_trips < now.time))
    return false;
  *bandwidth = now.rate;
  *error = old.rate - now.rate + now.rate * (measuring + round_trips) / now.time;
  return true;
}

/* ---- Values of series ---- */

/* Queues lengthen round trips. On a congested link bursts are slow and round trips long for the same reason;
 * a burst's waits priced by these round trips would explain all of its time. So the waits are priced by the
 * shortest of the last few round trips, which met no queue. */
#define CLEAR 12u

typedef struct estimate {
  double value, error; /* in s or bytes/s */
} estimate;

/* The forecast of a series, times `unit`; negative: no valid forecast. */
static estimate forecast(const gb_nws_series *series, double unit) {
  gb_forecast mae, mse;
  if (series == NULL || !gb_forecaster_get(series->forecaster, &mae, &mse))
    return (estimate){-1, -1};
  estimate r = {mae.value * unit, mae.error * unit};
  return r.value > 0 && isfinite(r.value) && isfinite(r.error) ? r : (estimate){-1, -1};
}

static gb_live_value live_value(const gb_nws_series *series, const gb_nws_series *latency, double clock) {
  gb_live_value v = {.from = series->from,
                     .to = series->to,
                     .latency = -1,
                     .latency_error = -1,
                     .bandwidth = -1,
                     .bandwidth_error = -1,
                     .age = fmax(0, clock - series->newest)};
  if (series->kind == GB_SERIES_LATENCY) {
    estimate one_way = forecast(series, 0.5e-3); /* half of a round trip in ms */
    v.latency = one_way.value;
    v.latency_error = one_way.error;
    return v;
  }
  estimate round_trip = forecast(latency, 1e-3), rate = forecast(series, 1e6 / 8);
  if (round_trip.value > 0)
    round_trip.value = fmin(round_trip.value, 1e-3 * gb_nws_series_least(latency, CLEAR));
  gb_burst burst = {series->bytes, series->window,   rate.value,
                    rate.error,    round_trip.value, round_trip.error};
  if (rate.value <= 0 || !gb_burst_bandwidth(&burst, &v.bandwidth, &v.bandwidth_error))
    v.bandwidth = v.bandwidth_error = -1;
  return v;
}

int gb_nws_weather_values(const gb_survey *survey, double clock, gb_live *live, gbcast_error *err) {
  const gb_nws_series **list = NULL;
  uint32_t count = 0;
  if (!gb_survey_current(survey, &list, &count))
    return gb_no_memory(err);
  const gb_nws_series *latency = NULL; /* of the present pair */
  int status = GBCAST_OK;
  for (uint32_t i = 0; i < count && status == GBCAST_OK; i++) {
    const gb_nws_series *series = list[i];
    if (latency == NULL || gb_nws_series_pair(latency, series) != 0)
      latency = series->kind == GB_SERIES_LATENCY ? series : NULL;
    gb_live_value v = live_value(series, latency, clock);
    if (v.latency > 0 || v.bandwidth > 0)
      status = gb_live_add(live, &v, err);
  }
  free(list);
  return status;
}
