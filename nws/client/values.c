/* From series to live values. Forecasts are those that minimise the mean absolute error: their error is in
 * the unit of the value, which is what a live value carries, and a single outlier does not pull them; the
 * first measurement counts as an error as large as itself, so that values of short series come out as
 * uncertain. Each series gives a value of its own, as each has its own age. */
#include "nws/client/weather.h"

#include <math.h>
#include <stdlib.h>

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
