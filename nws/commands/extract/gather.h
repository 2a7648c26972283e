/* Fetches the series that a command line of extract asks for. No I/O: the owner serves its client
 * (gb_sockets_serve). */
#ifndef GB_NWS_COMMANDS_EXTRACT_GATHER_H
#define GB_NWS_COMMANDS_EXTRACT_GATHER_H

#include "nws/client/client.h"
#include "nws/commands/extract/print.h"
#include "nws/commands/extract/select.h"
#include <gbcast/error.h>

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
