/* Reading JSON: values that are neither arrays nor objects. */
#ifndef GB_PLAN_SHOW_JSON_SCALAR_H
#define GB_PLAN_SHOW_JSON_SCALAR_H

#include "plan/show/json_read.h"

typedef struct gb_json_reader {
  const char *file;
  char *at, *end; /* a zero stands at the end */
  const char *line_start;
  uint32_t line;
  gbcast_error *err;
} gb_json_reader;

gb_place gb_json_here(const gb_json_reader *r);

/* Returns GBCAST_EINPUT, with a message about what is found here instead. */
int gb_json_expected(gb_json_reader *r, const char *expected);

void gb_json_skip_blanks(gb_json_reader *r);

/* The string that begins here, without its quotes and escapes, in place. GBCAST_EINPUT. */
int gb_json_take_string(gb_json_reader *r, const char **out);

/* null, true, false or a number. GBCAST_EINPUT. */
int gb_json_take_literal(gb_json_reader *r, enum gb_json_kind *kind, double *number);

#endif
