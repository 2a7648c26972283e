/* See probe_watch.h. The thread makes no MPI call: MPI_THREAD_FUNNELED is enough. */
#include "mpi/probe_watch.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void gb_watch_nap(unsigned turn) {
  unsigned step = turn < 10 ? turn : 10; /* 1 us to 1 ms */
  struct timespec nap = {.tv_sec = 0, .tv_nsec = 1000L << step};
  (void)nanosleep(&nap, NULL);
}

#ifdef GB_SIMULATED

gb_watch *gb_watch_start(void) {
  return NULL;
}

void gb_watch_stop(gb_watch *watch) {
  (void)watch;
}

void gb_watch_expect(gb_watch *watch, double seconds, const char *format, ...) {
  (void)watch;
  (void)seconds;
  (void)format;
}

void gb_watch_rest(gb_watch *watch) {
  (void)watch;
}

#else

struct gb_watch {
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
  gb_watch *w = context;
  (void)pthread_mutex_lock(&w->lock);
  while (!w->stop) {
    if (!w->armed)
      (void)pthread_cond_wait(&w->changed, &w->lock);
    else if (!is_past(&w->until))
      (void)pthread_cond_timedwait(&w->changed, &w->lock, &w->until);
    else {
      /* neither exit() nor MPI_Abort(): the main thread is inside MPI */
      fprintf(stderr, "%s\n", w->text);
      _exit(1);
    }
  }
  (void)pthread_mutex_unlock(&w->lock);
  return NULL;
}

gb_watch *gb_watch_start(void) {
  gb_watch *w = calloc(1, sizeof *w);
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

void gb_watch_stop(gb_watch *w) {
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

void gb_watch_expect(gb_watch *w, double seconds, const char *format, ...) {
  if (w == NULL)
    return;
  (void)pthread_mutex_lock(&w->lock);
  va_list list;
  va_start(list, format);
  (void)vsnprintf(w->text, sizeof w->text, format, list);
  va_end(list);
  (void)clock_gettime(CLOCK_MONOTONIC, &w->until);
  w->until.tv_sec += (time_t)seconds + 1;
  w->armed = true;
  (void)pthread_cond_signal(&w->changed);
  (void)pthread_mutex_unlock(&w->lock);
}

void gb_watch_rest(gb_watch *w) {
  if (w == NULL)
    return;
  (void)pthread_mutex_lock(&w->lock);
  w->armed = false;
  (void)pthread_mutex_unlock(&w->lock);
}

#endif
