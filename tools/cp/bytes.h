/* Numbers in what is sent: the lowest byte first. */
#ifndef GB_TOOLS_CP_BYTES_H
#define GB_TOOLS_CP_BYTES_H

#include <stdint.h>

static inline void gb_cp_put(unsigned char *at, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++)
    at[i] = (unsigned char)(value >> 8 * i);
}

static inline uint64_t gb_cp_get(const unsigned char *at, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++)
    value |= (uint64_t)at[i] << 8 * i;
  return value;
}

#endif
