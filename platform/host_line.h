/* A host line while it is read: [user@]name[:slots] key=value... */
#ifndef GB_PLATFORM_HOST_LINE_H
#define GB_PLATFORM_HOST_LINE_H

#include "platform/parse.h"

#define GB_MAX_EXTRA 4096u /* bytes of unknown words for a host: joining them stays cheap */

#define GB_MAX_RUNS (4 * GB_MAX_HOSTS) /* ranges that are repeated would fill the memory */

typedef struct gb_host_line {
  gb_parser *parser;
  gb_lexeme name; /* as written, ranges unexpanded */
  bool address;
  gb_place where;
  char *user, *extra;
  uint32_t slots;
  uint32_t cluster; /* GB_NONE: by the name */
  uint32_t symbol;  /* of the switch */
} gb_host_line;

/* Splits the first word. `slots` stays as it is when there is no count. */
int gb_host_line_split(gb_host_line *l, gb_lexeme word, gb_lexeme *slots);

/* The user of user@host or username=, which may be in quotes. */
int gb_host_line_user(gb_host_line *l, gb_lexeme user);

/* Adds one of the hosts that the line names, or slots to a host that is there. context: the gb_host_line. */
int gb_host_line_add(void *context, const char *name, size_t length);

#endif
