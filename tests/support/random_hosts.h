/* Random grids for property tests and bench/plans: a hosts file as text, from a seed. One random number a
 * statement: the order in which arguments are evaluated is the compiler's. */
#ifndef GB_TESTS_SUPPORT_RANDOM_HOSTS_H
#define GB_TESTS_SUPPORT_RANDOM_HOSTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct gb_random {
  uint64_t state;
} gb_random;

/* splitmix64 */
static inline uint64_t random_next(gb_random *r) {
  uint64_t z = (r->state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

static inline uint32_t random_below(gb_random *r, uint32_t bound) {
  return (uint32_t)(random_next(r) % bound);
}

typedef struct gb_grid_kind {
  uint32_t sites, hosts, slots; /* at most */
  bool switches;                /* several in a cluster */
  bool caps;                    /* wan-bandwidth, stream-bandwidth, injection, plogp */
  bool sparse;                  /* some pairs of sites have no link */
  bool measured;                /* plogp between sites, some with os and or */
  bool windows;                 /* initial-window */
} gb_grid_kind;

/* Not all that is written is likely: g may fall, os and or may be above it. */
static inline void random_plogp(gb_random *r, FILE *out, uint32_t a, uint32_t b) {
  static const char *const size[] = {"256", "8k", "100k"};
  uint32_t ends = random_below(r, 3), sizes = random_below(r, 4);
  for (uint32_t i = 0; i < sizes; i++) {
    uint32_t scale = i == 2 ? 20000 : i == 1 ? 2000 : 100;
    fprintf(out, "plogp s%u -> s%u size=%s gap=%uus", a, b, size[i], 1 + random_below(r, scale));
    fprintf(out, " latency=%uus", random_below(r, 30000));
    if (ends > 0 && random_below(r, 6) > 0)
      fprintf(out, " os=%uus", random_below(r, scale) / (ends == 1 ? 20 : 2));
    if (ends > 0 && random_below(r, 6) > 0)
      fprintf(out, " or=%uus", random_below(r, scale) / (ends == 1 ? 20 : 2));
    fprintf(out, "\n");
  }
}

/* To be freed; NULL: no memory. */
static inline char *random_hosts(gb_random *r, gb_grid_kind kind) {
  static const unsigned rate[] = {10, 50, 100, 200, 622, 1000, 10000};
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  uint32_t sites = 1 + random_below(r, kind.sites);
  for (uint32_t s = 0; s < sites; s++) {
    fprintf(out, "cluster s%u latency=%uus", s, 10 + random_below(r, 200));
    fprintf(out, " bandwidth=%uMbit/s", rate[random_below(r, 7)]);
    if (kind.caps && random_below(r, 3) == 0)
      fprintf(out, " wan-bandwidth=%uMbit/s", rate[random_below(r, 7)]);
    fprintf(out, "\n");
    uint32_t hosts = 1 + random_below(r, kind.hosts), switches = kind.switches ? 1 + random_below(r, 4) : 0;
    for (uint32_t k = 0; k < switches; k++) {
      fprintf(out, "switch s%uw%u", s, k);
      if (k)
        fprintf(out, " uplink=s%uw%u", s, random_below(r, k));
      if (k)
        fprintf(out, " bandwidth=%uMbit/s", rate[random_below(r, 7)]);
      fprintf(out, "\n");
    }
    for (uint32_t h = 0; h < hosts; h++) {
      fprintf(out, "h%u.s%u:%u", h, s, 1 + random_below(r, kind.slots));
      if (switches)
        fprintf(out, " switch=s%uw%u", s, random_below(r, switches));
      fprintf(out, "\n");
    }
    if (kind.caps && random_below(r, 4) == 0) {
      fprintf(out, "plogp s%u size=256 gap=%uus latency=70us\n", s, 5 + random_below(r, 20));
      fprintf(out, "plogp s%u size=64k gap=%uus latency=50us\n", s, 500 + random_below(r, 3000));
    }
  }
  for (uint32_t a = 0; a < sites; a++)
    for (uint32_t b = 0; b < a; b++) {
      if (kind.sparse && b + 1 < a && random_below(r, 2) == 0)
        continue;
      fprintf(out, "link s%u s%u latency=%uus", a, b, 500 + random_below(r, 60000));
      fprintf(out, " bandwidth=%uMbit/s", rate[random_below(r, 7)]);
      if (kind.caps && random_below(r, 3) == 0)
        fprintf(out, " stream-bandwidth=%uMbit/s", rate[random_below(r, 4)]);
      if (kind.windows && random_below(r, 3) == 0)
        fprintf(out, " initial-window=%u", 1 + random_below(r, 1u << (1 + random_below(r, 20))));
      if (kind.caps && random_below(r, 3) == 0)
        fprintf(out, " injection=%uus", 1 + random_below(r, 9000));
      fprintf(out, "\n");
      if (kind.windows && random_below(r, 4) == 0)
        fprintf(out, "link s%u -> s%u latency=%uus bandwidth=50Mbit/s initial-window=9k\n", b, a,
                500 + random_below(r, 60000));
      if (kind.measured && random_below(r, 3) > 0)
        random_plogp(r, out, a, b);
      if (kind.measured && random_below(r, 3) > 0)
        random_plogp(r, out, b, a);
    }
  fclose(out);
  return text;
}

#endif
