/* See machine.h. First the functions for the simulator, then the real ones. The watchdog's thread makes no
 * MPI call, so MPI_THREAD_FUNNELED is enough. */
#include "probe/machine.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef GB_SIMULATED

gb_watchdog *gb_watchdog_start(void) {
  return NULL;
}

void gb_watchdog_stop(gb_watchdog *watch) {
  (void)watch;
}

void gb_watchdog_expect(gb_watchdog *watch, double seconds, const char *format, ...) {
  (void)watch;
  (void)seconds;
  (void)format;
}

void gb_watchdog_rest(gb_watchdog *watch) {
  (void)watch;
}

int gb_machine_await(MPI_Comm comm, MPI_Status *status) {
  return MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status);
}

int gb_machine_await_any(int count, MPI_Request request[], int *at) {
  return MPI_Waitany(count, request, at, MPI_STATUS_IGNORE);
}

bool gb_machine_starts_slowly(void) {
  return false;
}

#else

#define SILENT_MOST 1e5 /* s that a rank waits at most, even without a budget; above the largest budget */

struct gb_watchdog {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool armed, stop;
  struct timespec until;
  char text[512];
};

static bool is_past(const struct timespec *until) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec != until->tv_sec ? now.tv_sec > until->tv_sec : now.tv_nsec >= until->tv_nsec;
}

static void *watch(void *context) {
  gb_watchdog *w = context;
  (void)pthread_mutex_lock(&w->lock);
  while (!w->stop) {
    if (!w->armed)
      (void)pthread_cond_wait(&w->changed, &w->lock);
    else if (!is_past(&w->until))
      (void)pthread_cond_timedwait(&w->changed, &w->lock, &w->until);
    else {
      /* neither exit() nor MPI_Abort(), since the main thread is inside MPI */
      fprintf(stderr, "%s\n", w->text);
      _exit(1);
    }
  }
  (void)pthread_mutex_unlock(&w->lock);
  return NULL;
}

gb_watchdog *gb_watchdog_start(void) {
  gb_watchdog *w = calloc(1, sizeof *w);
  pthread_condattr_t attributes;
  if (w == NULL)
    return NULL;
  if (pthread_condattr_init(&attributes) != 0) {
    free(w);
    return NULL;
  }
  (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  (void)pthread_mutex_init(&w->lock, NULL);
  (void)pthread_cond_init(&w->changed, &attributes);
  (void)pthread_condattr_destroy(&attributes);
  if (pthread_create(&w->thread, NULL, watch, w) == 0)
    return w;
  (void)pthread_cond_destroy(&w->changed);
  (void)pthread_mutex_destroy(&w->lock);
  free(w);
  return NULL;
}

void gb_watchdog_stop(gb_watchdog *w) {
  if (w == NULL)
    return;
  (void)pthread_mutex_lock(&w->lock);
  w->stop = true;
  (void)pthread_cond_signal(&w->changed);
  (void)pthread_mutex_unlock(&w->lock);
  (void)pthread_join(w->thread, NULL);
  (void)pthread_cond_destroy(&w->changed);
  (void)pthread_mutex_destroy(&w->lock);
  free(w);
}

void gb_watchdog_expect(gb_watchdog *w, double seconds, const char *format, ...) {
  if (w == NULL)
    return;
  (void)pthread_mutex_lock(&w->lock);
  va_list list;
  va_start(list, format);
  (void)vsnprintf(w->text, sizeof w->text, format, list);
  va_end(list);
  (void)clock_gettime(CLOCK_MONOTONIC, &w->until);
  w->until.tv_sec += (time_t)(seconds < SILENT_MOST ? seconds : SILENT_MOST) + 1;
  w->armed = true;
  (void)pthread_cond_signal(&w->changed);
  (void)pthread_mutex_unlock(&w->lock);
}

void gb_watchdog_rest(gb_watchdog *w) {
  if (w == NULL)
    return;
  (void)pthread_mutex_lock(&w->lock);
  w->armed = false;
  (void)pthread_mutex_unlock(&w->lock);
}

/* Sleeps before the next look, counted from 0. */
static void rest(unsigned look) {
  unsigned step = look < 10 ? look : 10; /* 1 us to 1 ms */
  struct timespec nap = {.tv_sec = 0, .tv_nsec = 1000L << step};
  (void)nanosleep(&nap, NULL);
}

enum { SOON = 5 }; /* 32 us: how long a message of a stream may wait */

int gb_machine_await(MPI_Comm comm, MPI_Status *status) {
  int there = 0, rc = MPI_SUCCESS;
  for (unsigned look = 0; rc == MPI_SUCCESS && !there; look++) {
    rc = MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &there, status);
    if (!there)
      rest(look);
  }
  return rc;
}

int gb_machine_await_any(int count, MPI_Request request[], int *at) {
  int there = 0, rc = MPI_SUCCESS;
  for (unsigned look = 0; rc == MPI_SUCCESS && !there; look++) {
    rc = MPI_Testany(count, request, at, &there, MPI_STATUS_IGNORE);
    if (!there)
      rest(look < SOON ? look : SOON);
  }
  return rc;
}

bool gb_machine_starts_slowly(void) {
  FILE *setting = fopen("/proc/sys/net/ipv4/tcp_slow_start_after_idle", "r");
  if (setting == NULL)
    return false;
  const bool slow = fgetc(setting) == '1';
  (void)fclose(setting);
  return slow;
}

#endif
