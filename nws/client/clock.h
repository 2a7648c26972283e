/* The two clocks: the monotonic one for waiting and measuring, and the wall clock of the records. */
#ifndef GB_NWS_CLIENT_CLOCK_H
#define GB_NWS_CLIENT_CLOCK_H

#include <time.h>

/* Seconds of the monotonic clock. */
static inline double gb_clock_now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Wall clock, s since 1970. */
static inline double gb_clock_wall(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_REALTIME, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
