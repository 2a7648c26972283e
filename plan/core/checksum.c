/* XXH64 with seed 0, by its specification (doc/xxhash_spec.md of github.com/Cyan4973/xxHash): four sums, each
 * over every fourth 8-byte word, are combined; then the bytes after the last stripe of 32 follow. Words are
 * read in the machine's byte order, so the result is the same only on machines with the same byte order. */
#include "plan/core/core.h"
#include <string.h>

static const uint64_t prime[5] = {UINT64_C(0x9E3779B185EBCA87), UINT64_C(0xC2B2AE3D27D4EB4F),
                                  UINT64_C(0x165667B19E3779F9), UINT64_C(0x85EBCA77C2B2AE63),
                                  UINT64_C(0x27D4EB2F165667C5)};

static uint64_t rotate_left(uint64_t x, unsigned bits) {
  return x << bits | x >> (64 - bits);
}

static uint64_t take(uint64_t sum, uint64_t word) {
  return rotate_left(sum + word * prime[1], 31) * prime[0];
}

static uint64_t word_at(const unsigned char *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

/* Stripes of 32 bytes. */
static uint64_t stripes(const unsigned char *at, size_t count) {
  uint64_t sum[4] = {prime[0] + prime[1], prime[1], 0, -prime[0]};
  for (size_t i = 0; i < count; i++, at += 32) {
    sum[0] = take(sum[0], word_at(at));
    sum[1] = take(sum[1], word_at(at + 8));
    sum[2] = take(sum[2], word_at(at + 16));
    sum[3] = take(sum[3], word_at(at + 24));
  }
  uint64_t all =
      rotate_left(sum[0], 1) + rotate_left(sum[1], 7) + rotate_left(sum[2], 12) + rotate_left(sum[3], 18);
  for (int lane = 0; lane < 4; lane++)
    all = (all ^ take(0, sum[lane])) * prime[0] + prime[3];
  return all;
}

uint64_t gb_checksum(const void *bytes, size_t length) {
  size_t left = length % 32;
  const unsigned char *at = bytes;
  uint64_t sum = (length >= 32 ? stripes(at, length / 32) : prime[4]) + length;
  at += length - left;
  for (; left >= 8; left -= 8, at += 8)
    sum = rotate_left(sum ^ take(0, word_at(at)), 27) * prime[0] + prime[3];
  if (left >= 4) {
    uint32_t half;
    memcpy(&half, at, sizeof half);
    sum = rotate_left(sum ^ half * prime[0], 23) * prime[1] + prime[2];
    left -= 4;
    at += 4;
  }
  for (; left > 0; left--, at++)
    sum = rotate_left(sum ^ *at * prime[4], 11) * prime[0];
  sum = (sum ^ sum >> 33) * prime[1];
  sum = (sum ^ sum >> 29) * prime[2];
  return sum ^ sum >> 32;
}
