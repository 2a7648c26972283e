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

#endif
