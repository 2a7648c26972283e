/* Series as people read them, and as programs do. */
#ifndef GB_NWS_SHOW_TABLE_H
#define GB_NWS_SHOW_TABLE_H

#include "nws/client/survey.h"

#include <stdio.h>

#define GB_SPARK_TEXT (3 * GB_SERIES_RECENT + 1) /* bytes: a block is three of UTF-8 */

/* The newest values as blocks, the lowest of them as the lowest: "▁▃█▃". */
void gb_show_spark(const gb_nws_series *series, char out[GB_SPARK_TEXT]);

/* A line for each series with measurements, under titles; of them no more than `lines`, the last of which
 * says how many are left out. `end` comes before each line feed. `clock` is in s since 1970. False: out of
 * memory. */
bool gb_show_table(const gb_survey *survey, double clock, uint32_t lines, const char *end, FILE *out);

/* One JSON object, on one line. False: out of memory. */
bool gb_show_json(const gb_survey *survey, double clock, FILE *out);

#endif
