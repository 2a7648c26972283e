/* Lines of a hosts file, and what stands in them. Callers have set a locale whose decimal point is '.'. */
#ifndef GB_PLATFORM_PRINT_H
#define GB_PLATFORM_PRINT_H

#include "platform/platform.h"
#include <stdio.h>

/* " key=value" */
void gb_print_time(FILE *out, const char *key, double seconds);
void gb_print_rate(FILE *out, const char *key, double rate);
void gb_print_size(FILE *out, const char *key, uint64_t bytes);
void gb_print_part(FILE *out, const char *key, double part);

/* Without newline, so that a comment can follow. `ends` are the names behind the first word: "a -> b", "a b"
 * or, for a cluster's plogp, "a". */
void gb_print_link(const gb_link *l, const char *ends, FILE *out);
void gb_print_point(const gb_plogp_point *point, const char *ends, FILE *out);

#endif
