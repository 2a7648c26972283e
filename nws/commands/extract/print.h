/* Rows as nws_extract prints them: columns of fixed width, forecasts from the measurements until then.
 * Callers have set a locale whose decimal point is '.'. */
#ifndef GB_NWS_COMMANDS_EXTRACT_PRINT_H
#define GB_NWS_COMMANDS_EXTRACT_PRINT_H

#include "nws/commands/extract/fields.h"
#include "nws/forecast/forecast.h"
#include "nws/wire/wire.h"

#include <stdio.h>

typedef struct gb_extract_series {
  const char *source, *destination; /* machine, or machine:port, which is not shown; NULL: there is none */
  const char *resource;
} gb_extract_series;

typedef struct gb_extract_row {
  gb_measurement measurement;
  gb_forecast mae, mse; /* for the measurement after this one */
} gb_extract_row;

typedef struct gb_extract_printer {
  FILE *out;
  gb_extract_columns columns;
  uint32_t header_every;             /* so many rows, of whatever series, the titles; 0: never */
  uint64_t rows;                     /* that were printed */
  const gb_extract_series *previous; /* that of the row before; must last as long. NULL: no row yet */
} gb_extract_printer;

/* Titles where they are due, then the row. Source, destination and resource are shown below titles and where
 * they differ from the row before. */
void gb_extract_print_row(gb_extract_printer *p, const gb_extract_series *series, const gb_extract_row *row);

/* The last `most` of `count` measurements, oldest first; all of them go into the forecaster, which knows
 * those before. */
void gb_extract_print_series(gb_extract_printer *p, const gb_extract_series *series,
                             gb_forecaster *forecaster, const gb_measurement *measurement, uint32_t count,
                             uint32_t most);

#endif
