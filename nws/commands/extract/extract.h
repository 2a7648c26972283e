/* gbcast-nws extract, which prints measurements and forecasts as nws_extract does. */
#ifndef GB_NWS_COMMANDS_EXTRACT_EXTRACT_H
#define GB_NWS_COMMANDS_EXTRACT_EXTRACT_H

#include "nws/client/client.h"

#include <stdio.h>

/* ---- What a row can hold, and the names that users abbreviate ---- */

enum gb_extract_field {
  GB_EXTRACT_TIME,
  GB_EXTRACT_MEASUREMENT,
  GB_EXTRACT_MAE_FORECAST,
  GB_EXTRACT_MAE_ERROR,
  GB_EXTRACT_MAE_METHOD,
  GB_EXTRACT_MSE_FORECAST,
  GB_EXTRACT_MSE_ERROR,
  GB_EXTRACT_MSE_METHOD,
  GB_EXTRACT_SOURCE,
  GB_EXTRACT_DESTINATION,
  GB_EXTRACT_RESOURCE,
  GB_EXTRACT_FIELDS
};

#define GB_EXTRACT_COLUMNS_MOST 32u /* a field may be asked for more than once */

typedef struct gb_extract_columns {
  enum gb_extract_field field[GB_EXTRACT_COLUMNS_MOST];
  uint32_t count;
} gb_extract_columns;

extern const char gb_extract_default_fields[];

const char *gb_extract_title(enum gb_extract_field field);
uint32_t gb_extract_width(enum gb_extract_field field); /* with the blank behind it */

/* Names between commas or blanks, in any case, each the first field that it abbreviates. False: *wrong is the
 * word that is none, or that is one too many, or empty when there is no word at all. */
bool gb_extract_read_columns(const char *list, gb_extract_columns *out, gb_view *wrong);

/* The first resource of the Network Weather Service that `name` abbreviates, in any case; `name` itself when
 * it is none of these. */
const char *gb_extract_resource(const char *name);

/* Whether a series of this resource can have a target; false for what is measured on one host. */
bool gb_extract_has_target(const char *resource);

/* ---- The command line, which is that of nws_extract ---- */

typedef struct gb_extract_options { /* texts are the caller's arguments */
  bool all_pairs;                   /* each host to each other one; else the first to the others */
  bool follow;
  gb_extract_columns columns; /* without a destination where there is none */
  uint32_t header_every;      /* rows; 0: never */
  uint32_t rows;              /* of each series, the newest */
  double seconds;             /* only what was stored in the last so many; 0: whatever is there */
  const char *memory;         /* machine[:port]; NULL: the name server tells */
  const char *name_server;    /* machine[:port]; NULL: the environment tells */
  const char *resource;       /* in full */
  const char *filter;         /* NULL: none */
  char **host;                /* machine[:port] */
  int host_count;             /* at least 1 */
} gb_extract_options;

/* Ends the process for --help, and with status 2, after a message, for wrong usage. `usual` are the
 * fields to show when -f does not tell, as EXTRACT_FIELDS has them; NULL: ours. */
void gb_extract_read_options(int argc, char **argv, const char *usual, gb_extract_options *out);

/* ---- Which series it asks for: between which of its hosts, and how a name server is asked ---- */

typedef struct gb_extract_found {
  char name[GB_NWS_NAME_MOST + 1];
  char source[GB_NWS_HOST_MOST + 1], destination[GB_NWS_HOST_MOST + 1]; /* as registered; "": there is none */
  gb_nws_address memory;
  int from, to;  /* the hosts of the command line that it was found by */
  uint32_t rank; /* place in the name server's list: of two objects, the later is newer */
} gb_extract_found;

/* Whether series from host `from` to host `to` of the command line are asked for. Where `to` tells nothing,
 * as there is no target, or any will do, only to == from is. */
bool gb_extract_asked(const gb_extract_options *o, int from, int to);

/* Appends the search for a name server, without a NUL. A host finds those of its name, and those that have it
 * before a dot: daemons register themselves with their domain. */
void gb_extract_filter(const gb_extract_options *o, gb_bytes *out);

/* Whether an object that the name server gave is asked for; checked here, as name servers match substrings.
 */
bool gb_extract_fits(gb_view object, const gb_extract_options *o, uint16_t memory_port,
                     gb_extract_found *out);

/* The series as sensors name them by default, for a memory that is asked without a name server. False: the
 * name would be too long. */
bool gb_extract_guess(const gb_extract_options *o, int from, int to, const gb_nws_address *memory,
                      gb_extract_found *out);

/* For qsort: in the order of the command line, then by name, the newest object first. */
int gb_extract_order(const gb_extract_found *a, const gb_extract_found *b);

/* ---- Rows: columns of fixed width, forecasts from the measurements until then ----
 *
 * Callers have set a locale whose decimal point is '.'. */

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

/* ---- Fetching the series. No I/O: the owner serves the client (gb_sockets_serve) ---- */

#define GB_EXTRACT_LEARNED 1000u /* measurements of each series that forecasts are made from */
#define GB_EXTRACT_FETCHED 2000u /* that a memory is asked for at most: as many as it keeps */

typedef struct gb_extract_item {
  gb_extract_found found;
  gb_extract_series shown;
  gb_forecaster *forecaster;
  gb_measurement *measurement; /* those that came last, oldest first */
  uint32_t count;
  bool any;        /* measurement ever came */
  double newest;   /* time of the newest of them */
  double sequence; /* of the newest store seen */
  struct gb_extract_gather *owner;
} gb_extract_item;

typedef struct gb_extract_gather {
  const gb_extract_options *options;
  uint16_t memory_port; /* of memories that are registered without one */
  gb_client client;
  gb_extract_item *item; /* by gb_extract_order */
  uint32_t count;
  double since;         /* sequence number, s since 1970: only what was stored later; 0: all */
  gbcast_error trouble; /* why something is missing; empty: nothing is */
} gb_extract_gather;

void gb_extract_gather_init(gb_extract_gather *g, const gb_extract_options *o, uint16_t memory_port,
                            double since, double patience);
void gb_extract_gather_release(gb_extract_gather *g);

/* Asks a name server for the series and then, as its answer comes, memories for the measurements. */
void gb_extract_search(gb_extract_gather *g, const gb_nws_address *name_server);

/* The same from one memory, without a name server. Each series is asked for by the names of its hosts as they
 * were given, and, where they differ, by `full`, the same hosts with their domains. */
void gb_extract_ask_memory(gb_extract_gather *g, const gb_nws_address *memory, char **full);

/* Asks for what has been stored since. */
void gb_extract_fetch_again(gb_extract_gather *g);

#endif
