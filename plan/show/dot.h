/* Pieces of a graph in Graphviz's language. */
#ifndef GB_PLAN_SHOW_DOT_H
#define GB_PLAN_SHOW_DOT_H

#include "plan/show/aggregate.h"
#include "plan/show/print.h"

/* Opens a directed graph; the lines of gb_print_head are its title. GBCAST_OK or GBCAST_EMEMORY. */
int gb_dot_begin(const gbcast_plan *plan, FILE *out);

/* Prints a string without its quotes, so that nothing in it has a meaning for Graphviz. */
void gb_dot_escape(const char *text, FILE *out);

/* Attributes of edges. */
extern const char *const gb_dot_level[GB_LEVELS];
extern const char gb_dot_critical[];

#endif
