/* Random numbers for tests that fill structures by hand: Marsaglia, "Xorshift RNGs" (2003). */
#ifndef GB_TESTS_SUPPORT_XORSHIFT_H
#define GB_TESTS_SUPPORT_XORSHIFT_H

#include <stdint.h>

/* Below `below`; 0 when there is no choice. */
static inline uint32_t xorshift(uint64_t *state, uint32_t below) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return below > 1 ? (uint32_t)(*state >> 20) % below : 0;
}

#endif
