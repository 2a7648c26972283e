/* The two clocks: one that never jumps, for waiting and measuring, and that of the records. */
#ifndef GB_NWS_CLIENT_CLOCK_H
#define GB_NWS_CLIENT_CLOCK_H

#include <time.h>

/* Seconds of the clock that never jumps. */
static inline double gb_clock_now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* s since 1970. */
static inline double gb_clock_wall(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_REALTIME, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
