/* A plan in JSON, taken apart: its clusters, trees and candidates. */
#ifndef GB_PLAN_SHOW_SAVED_PARTS_H
#define GB_PLAN_SHOW_SAVED_PARTS_H

#include "plan/show/saved.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Splits "host#k" in two, where it lies in the document. */
int gb_saved_end_of(gb_saved *s, const gb_json *value, const char *text, gb_saved_end *out,
                    gbcast_error *err);

/* Sets s->missing where the file does not give this key, which is needed to run the plan. */
void gb_saved_need(gb_saved *s, const gb_json_field *field);

/* Reads clusters, trees, links and candidates; the last two may be NULL. GBCAST_EINPUT, GBCAST_EMEMORY. */
int gb_saved_trees(gb_saved *s, const gb_json *clusters, const gb_json *trees, const gb_json *links,
                   const gb_json *candidates, gbcast_error *err);

#endif
