/* Which series a command line of extract asks for: between which of its hosts, and how a name server is
 * asked. */
#ifndef GB_NWS_COMMANDS_EXTRACT_SELECT_H
#define GB_NWS_COMMANDS_EXTRACT_SELECT_H

#include "nws/commands/extract/options.h"
#include "nws/wire/wire.h"

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

/* Whether series are asked for whatever their target. */
bool gb_extract_any_target(const gb_extract_options *o);

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

#endif
