/* Numbers of the command line. */
#include "numbers.h"

bool read_bytes(const char *text, uint64_t *out) {
  uint64_t v = 0;
  const char *c = text;
  for (; *c >= '0' && *c <= '9'; c++) {
    uint64_t digit = (uint64_t)(*c - '0');
    if (v > (UINT64_MAX - digit) / 10) {
      return false;
    }
    v = v * 10 + digit;
  }
  unsigned shift = *c == 'k' ? 10 : *c == 'M' ? 20 : *c == 'G' ? 30 : 0;
  if (c == text || c[shift != 0] != '\0' || v > UINT64_MAX >> shift) {
    return false;
  }
  *out = v << shift;
  return true;
}

bool read_count(const char *text, uint32_t most, uint32_t *out) {
  uint32_t n = 0;
  const char *c = text;
  for (; *c >= '0' && *c <= '9' && n <= most; c++) {
    n = n * 10 + (uint32_t)(*c - '0');
  }
  if (c == text || *c != '\0' || n == 0 || n > most) {
    return false;
  }
  *out = n;
  return true;
}
