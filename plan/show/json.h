/* Printing JSON. Written by hand: the planner needs no library. */
#ifndef GB_PLAN_SHOW_JSON_H
#define GB_PLAN_SHOW_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* An object or a list that is being printed, member after member. In a list the key of each is NULL. */
typedef struct gb_json_object {
  FILE *out;
  const char *first, *separator; /* what stands before the first member, and before each other one */
  const char *end, *none;        /* behind the last one, and instead where there is none */
  bool any;                      /* a member has been printed */
} gb_json_object;

enum gb_json_layout {
  GB_JSON_TIGHT,       /* [a, b] */
  GB_JSON_WIDE,        /* [ a, b ] */
  GB_JSON_LINES,       /* of a document: each element on a line of its own */
  GB_JSON_ANY_LINES,   /* the same; [] where there is none */
  GB_JSON_INNER_LINES, /* the same of an object that is on such a line */
  GB_JSON_INNER_BLOCK, /* the same, without a line of its own for the end */
  GB_JSON_FLUSH_LINES  /* of a document, but flush left */
};

gb_json_object gb_json_begin_document(FILE *out); /* an object with each member on a line of its own */
gb_json_object gb_json_begin_object(gb_json_object *in, const char *key); /* all members on one line */
gb_json_object gb_json_begin_list(gb_json_object *in, const char *key, enum gb_json_layout layout);
void gb_json_end(const gb_json_object *object); /* closes it */

void gb_json_string(gb_json_object *object, const char *key, const char *value);
/* One string that is made of several, up to NULL. A byte that is not UTF-8 is printed as the code point of
 * the same number. */
__attribute__((sentinel)) void gb_json_texts(gb_json_object *object, const char *key, ...);
void gb_json_integer(gb_json_object *object, const char *key, uint64_t value);
void gb_json_number(gb_json_object *object, const char *key, double value); /* null: not finite */
void gb_json_bool(gb_json_object *object, const char *key, bool value);
/* cost_usd and its parts; nothing if they are NAN, because there are no prices. */
void gb_json_cost(gb_json_object *object, double egress, double hire);
void gb_json_hash(gb_json_object *object, const char *key, uint64_t value); /* 16 hexadecimal digits */

#endif
