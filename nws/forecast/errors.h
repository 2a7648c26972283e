/* How far the forecasts of one method were from what came: the last 98 predictions, as running totals.
 *
 *      total   t(1)   t(2)   ...   t(n-w)   ...   t(n)         error over the last w: (t(n) - t(n-w)) / w
 *                                    +---- w -----+
 *
 * So any window costs one subtraction. A difference of totals is less exact than a sum would be (by 1e-11 of
 * the mean error after 100,000 predictions), and it is what the original does: which of two methods that were
 * equally good is named hangs on the last bit. A window of 98 or more would have to know the total before it:
 * windows are cut to one less than there are entries. */
#ifndef GB_NWS_FORECAST_ERRORS_H
#define GB_NWS_FORECAST_ERRORS_H

#include "nws/forecast/forecast.h"

#include <stdint.h>

#define GB_ERRORS_KEPT 98u

enum gb_error_kind { GB_ERROR_SQUARED, GB_ERROR_ABSOLUTE, GB_ERROR_KINDS };

typedef struct gb_errors {
  double total[GB_ERROR_KINDS][GB_ERRORS_KEPT]; /* after prediction n, at n % GB_ERRORS_KEPT */
  uint64_t count;                               /* of predictions, ever */
} gb_errors;

void gb_errors_add(gb_errors *errors, double forecast, double value);

/* How many entries there are: at most GB_ERRORS_KEPT. */
uint32_t gb_errors_kept(const gb_errors *errors);

/* Mean over the last `window` predictions, below gb_errors_kept; 0 for all that there ever were, at least
 * one.
 */
double gb_errors_mean(const gb_errors *errors, enum gb_error_kind kind, uint32_t window);

/* Which method forecasts best: 16 selectors look at the methods' past errors, by square or amount, over
 * windows of several lengths; the errors of the selectors themselves tell which of them to believe. */

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
