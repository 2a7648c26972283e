/* Numbers that the benchmarks read, and put in order; what they say of options. */
#ifndef GB_BENCH_NUMBERS_H
#define GB_BENCH_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
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

/* What rank 0 says of an option's value that is none. */
static inline void tell_value(const char *program, int rank, int option, const char *value) {
  if (rank == 0)
    fprintf(stderr, "%s: -%c: found '%s', which it does not take; --help tells what it does\n", program,
            option, value);
}

/* Whether the options are all there is; rank 0 names a word that is none. */
static inline bool no_word_left(const char *program, int rank, int argc, char **argv, int next) {
  if (next < argc && rank == 0)
    fprintf(stderr, "%s: found '%s', expected only options; --help tells which\n", program, argv[next]);
  return next == argc;
}

#endif
