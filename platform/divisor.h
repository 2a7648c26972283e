/* Numbers that have something in common. */
#ifndef GB_PLATFORM_DIVISOR_H
#define GB_PLATFORM_DIVISOR_H

#include <stdint.h>

/* The greatest common divisor; of 0 and another number that number. */
static inline uint32_t gb_common_divisor(uint32_t a, uint32_t b) {
  while (b != 0) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

#endif
