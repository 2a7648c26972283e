/* Objects of a name server as nws_search prints them. */
#ifndef GB_NWS_COMMANDS_SEARCH_PRINT_H
#define GB_NWS_COMMANDS_SEARCH_PRINT_H

#include "nws/wire/wire.h"

#include <stdio.h>

typedef struct gb_search_format {
  bool lines;             /* an attribute a line, objects apart by an empty line; else an object a line */
  char *const *attribute; /* those to print, in this order; none: all */
  int count;
} gb_search_format;

/* Prints every object of the set that has something to print; returns how many. */
unsigned gb_search_print(gb_view set, const gb_search_format *format, FILE *out);

#endif
