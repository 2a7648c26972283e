/* A plan in JSON, taken apart: its clusters, trees and candidates. */
#ifndef GB_PLAN_SHOW_SAVED_PARTS_H
#define GB_PLAN_SHOW_SAVED_PARTS_H

#include "plan/show/saved.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Splits "host#k" in two, where it lies in the document. */
int gb_saved_end_of(gb_saved *s, const gb_json *value, const char *text, gb_saved_end *out,
                    gbcast_error *err);

/* A key that running the plan takes: it is remembered where it is not given. */
void gb_saved_need(gb_saved *s, const gb_json_field *field);

/* links and candidates may be NULL. */
int gb_saved_trees(gb_saved *s, const gb_json *clusters, const gb_json *trees, const gb_json *links,
                   const gb_json *candidates, gbcast_error *err);

#endif
