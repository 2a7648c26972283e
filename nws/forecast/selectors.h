/* Which method forecasts best: 16 selectors look at the methods' past errors, by square or amount, over
 * windows of several lengths; the errors of the selectors themselves tell which of them to believe. */
#ifndef GB_NWS_FORECAST_SELECTORS_H
#define GB_NWS_FORECAST_SELECTORS_H

#include "nws/forecast/errors.h"
#include "nws/forecast/forecast.h"

#define GB_SELECTORS 16u

typedef struct gb_selectors {
  uint32_t method[GB_SELECTORS]; /* which each has chosen for the next value */
  double total[GB_ERROR_KINDS][GB_SELECTORS];
  uint64_t count; /* of values that they were scored by */
} gb_selectors;

/* Scores each selector's choice, out of the methods' forecasts, by the value that came. */
void gb_selectors_score(gb_selectors *s, const double forecast[GB_FORECAST_METHODS], double value);

/* Lets each choose anew, by the errors of the methods. */
void gb_selectors_choose(gb_selectors *s, const gb_errors errors[GB_FORECAST_METHODS]);

/* The method that the best selector has chosen. */
uint32_t gb_selectors_best(const gb_selectors *s, enum gb_error_kind kind);

#endif
