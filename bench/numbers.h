/* Numbers that the benchmarks read, and put in order. */
#ifndef GB_BENCH_NUMBERS_H
#define GB_BENCH_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* Of doubles, for qsort(). */
static inline int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The number in an option's text; *bad becomes true when it is none, or not from `least` to `most`. */
static inline size_t number(const char *text, size_t least, size_t most, bool *bad) {
  char *end;
  const unsigned long long n = strtoull(text, &end, 10);
  *bad |= end == text || *end != '\0' || *text == '-' || n < least || n > most;
  return (size_t)n;
}

#endif
