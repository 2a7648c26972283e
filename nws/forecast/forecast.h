/* Forecasts of one series of measurements, by the rules of the Network Weather Service: 18 primary methods,
 * 16 selectors among them, and two final forecasts, one by mean absolute and one by mean squared error. */
#ifndef GB_NWS_FORECAST_FORECAST_H
#define GB_NWS_FORECAST_FORECAST_H

#include <stdbool.h>
#include <stdint.h>

#define GB_FORECAST_METHODS 18u

typedef struct gb_forecast {
  double value;    /* for the next measurement, in the unit of the series */
  double error;    /* of such forecasts until now: mean absolute error, or mean squared error (its square) */
  uint32_t method; /* index of the primary method */
} gb_forecast;

typedef struct gb_forecaster gb_forecaster;

gb_forecaster *gb_forecaster_new(void); /* NULL: out of memory */
void gb_forecaster_free(gb_forecaster *f);

/* Takes the next measurement, oldest first, in a time that is bounded by the windows (at most 51 values),
 * however many came before. Allocates nothing. What is not finite is no measurement: it is ignored. */
void gb_forecaster_add(gb_forecaster *f, double value);

/* After at least one measurement; false before. */
bool gb_forecaster_get(const gb_forecaster *f, gb_forecast *mae, gb_forecast *mse);

/* "Median Window 31"; NULL for an index that is none. */
const char *gb_forecast_method(uint32_t index);

#endif
