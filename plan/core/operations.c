/* The operations that are planned, by their constants and by their names. */
#include "plan/core/operations.h"
#include <stdio.h>
#include <string.h>

#define ROW(constant, ...) [GBCAST_##constant] = {__VA_ARGS__},
const gb_operation gb_operation_table[GB_OPERATIONS] = {GB_EACH_OPERATION(ROW)};

unsigned gb_operation_find(const char *name) {
  unsigned i = 0;
  while (i < GB_OPERATIONS && strcmp(gb_operation_table[i].name, name) != 0)
    i++;
  return i;
}

#define NAME(constant, name, ...) name,
const char *gb_operation_names(char text[GB_OPERATION_NAMES]) {
  static const char *const names[GB_OPERATIONS] = {GB_EACH_OPERATION(NAME)};
  size_t length = 0;
  for (unsigned i = 0; i < GB_OPERATIONS; i++) {
    const char *before = i == 0 ? "" : i + 1 < GB_OPERATIONS ? ", " : " or ";
    length += (size_t)snprintf(text + length, GB_OPERATION_NAMES - length, "%s%s", before, names[i]);
  }
  return text;
}
