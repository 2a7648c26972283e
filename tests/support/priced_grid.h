/* Random grids of 2 to 6 sites and up to 3 relays, with prices. */
#ifndef GB_TESTS_SUPPORT_PRICED_GRID_H
#define GB_TESTS_SUPPORT_PRICED_GRID_H

#include "tests/support/plans.h"
#include "tests/support/xorshift.h"
#include <stdio.h>

static inline gbcast_platform *random_priced_grid(uint64_t *seed) {
  char text[8192];
  FILE *out = fmemopen(text, sizeof text, "w");
  const uint32_t sites = 2 + xorshift(seed, 5), relays = xorshift(seed, 4);
  for (uint32_t s = 0; s < sites + relays; s++)
    fprintf(out, "cluster c%u bandwidth=%uGbit/s egress=%uUSD/TB hire=%u.5USD/h%s\nh[0-%u].c%u\n", s,
            1 + xorshift(seed, 10), 20 + xorshift(seed, 100), xorshift(seed, 2), s < sites ? "" : " relay",
            xorshift(seed, 3), s);
  for (uint32_t a = 0; a < sites + relays; a++)
    for (uint32_t b = 0; b < sites + relays; b++)
      if (a != b) {
        fprintf(out, "link c%u -> c%u latency=%ums bandwidth=%uMbit/s", a, b, 5 + xorshift(seed, 80),
                200 + xorshift(seed, 3000));
        if (xorshift(seed, 2))
          fprintf(out, " egress=0.%02uUSD/GB", 1 + xorshift(seed, 20));
        fputc('\n', out);
      }
  fclose(out);
  return parse(text);
}

#endif
