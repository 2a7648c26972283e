/* The grids of random_hosts.h, read. */
#ifndef GB_TESTS_SUPPORT_RANDOM_PLATFORM_H
#define GB_TESTS_SUPPORT_RANDOM_PLATFORM_H

#include "platform/platform.h"
#include "tests/support/random_hosts.h"
#include "tests/support/rounds.h"
#include <criterion/criterion.h>
#include <string.h>

static inline gbcast_platform *random_platform(gb_random *r, gb_grid_kind kind) {
  char *text = random_hosts(r, kind);
  cr_assert_not_null(text);
  gbcast_platform *p = NULL;
  gbcast_error err;
  cr_assert_eq(gbcast_platform_parse(text, strlen(text), "random.txt", &p, &err), GBCAST_OK, "%s\n%s",
               err.message, text);
  free(text);
  return p;
}

#endif
