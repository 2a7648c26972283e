/* Printing JSON. Written by hand: the planner needs no library. */
#ifndef GB_PLAN_SHOW_JSON_H
#define GB_PLAN_SHOW_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A string without its quotes. A byte that is not UTF-8 is printed as the code point of the same number. */
void gb_json_escape(const char *text, FILE *out);

/* An object that is being printed, member after member. */
typedef struct gb_json_object {
  FILE *out;
  const char *separator; /* between members: a comma, and a blank or a new line */
  bool any;              /* a member has been printed */
} gb_json_object;

gb_json_object gb_json_begin(FILE *out);        /* opens an object with all members on one line */
void gb_json_end(const gb_json_object *object); /* closes it */

/* "key": without the value, which follows. */
void gb_json_key(gb_json_object *object, const char *key);
void gb_json_string(gb_json_object *object, const char *key, const char *value);
void gb_json_integer(gb_json_object *object, const char *key, uint64_t value);
void gb_json_number(gb_json_object *object, const char *key, double value); /* null: not finite */
void gb_json_bool(gb_json_object *object, const char *key, bool value);
/* cost_usd and its parts; nothing if they are NAN, because there are no prices. */
void gb_json_cost(gb_json_object *object, double egress, double hire);
void gb_json_hash(gb_json_object *object, const char *key, uint64_t value); /* 16 hexadecimal digits */

#endif
