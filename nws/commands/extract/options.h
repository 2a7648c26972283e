/* The command line of gbcast-nws extract, which is that of nws_extract. */
#ifndef GB_NWS_COMMANDS_EXTRACT_OPTIONS_H
#define GB_NWS_COMMANDS_EXTRACT_OPTIONS_H

#include "nws/commands/extract/fields.h"
#include "nws/wire/wire.h"

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

/* Ends the process for --help, and with status 2, after a message, for wrong usage. `fields` are those to
 * show when -f does not tell, as EXTRACT_FIELDS has them; NULL: the usual. */
void gb_extract_read_options(int argc, char **argv, const char *fields, gb_extract_options *out);

#endif
