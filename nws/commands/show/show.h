/* gbcast-nws show: the series that a name server lists, as a table for people and as JSON for programs. */
#ifndef GB_NWS_COMMANDS_SHOW_SHOW_H
#define GB_NWS_COMMANDS_SHOW_SHOW_H

#include "nws/client/client.h"

#include <stdio.h>

/* The series: a survey now and then, and subscriptions in between. */
typedef struct gb_show_feed {
  gb_survey survey;
  gb_follow *follow; /* one for each memory */
  uint32_t count;
  gb_socket *socket; /* that of the survey, then theirs */
  double surveyed;   /* gb_clock_now() of the last survey */
} gb_show_feed;

/* False: out of memory. */
bool gb_show_feed_init(gb_show_feed *f, const gb_nws_address *name_server, uint16_t memory_port);
void gb_show_feed_release(gb_show_feed *f);

/* A survey, to its end. False: the name server does not answer; f->survey.trouble says why. */
bool gb_show_feed_survey(gb_show_feed *f);

/* Keeps the series up to date for so many seconds. False: out of memory. */
bool gb_show_feed_wait(gb_show_feed *f, double seconds);

#define GB_SPARK_TEXT (3 * GB_SERIES_RECENT + 1) /* bytes: a block is three of UTF-8 */

typedef struct gb_show_window { /* where a table has to fit */
  uint32_t lines, columns;      /* UINT32_MAX: as many as it takes */
  const char *end;              /* comes before each line feed */
} gb_show_window;

/* The newest values, `most` of them, as blocks, the lowest of them as the lowest: "▁▃█▃". */
void gb_show_spark(const gb_nws_series *series, uint32_t most, char out[GB_SPARK_TEXT]);

/* A line for each series with measurements, under titles. When there are too many the last line says how many
 * are left out; where lines are too long, fewer of the newest values are shown. `clock` is in s since 1970.
 * False: out of memory. */
bool gb_show_table(const gb_survey *survey, double clock, const gb_show_window *window, FILE *out);

/* One JSON object, on one line. False: out of memory. */
bool gb_show_json(const gb_survey *survey, double clock, FILE *out);

#endif
