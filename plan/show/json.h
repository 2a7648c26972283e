/* Pieces of JSON: "key": value, without the comma. Written by hand: the planner needs no library. */
#ifndef GB_PLAN_SHOW_JSON_H
#define GB_PLAN_SHOW_JSON_H

#include <stdint.h>
#include <stdio.h>

/* A string without its quotes. A byte that is not UTF-8 is printed as the code point of the same number. */
void gb_json_escape(const char *text, FILE *out);

void gb_json_string(const char *key, const char *value, FILE *out);
void gb_json_integer(const char *key, uint64_t value, FILE *out);
void gb_json_number(const char *key, double value, FILE *out); /* JSON knows no infinity: null */

#endif
