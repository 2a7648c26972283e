/* MPICH polls while it waits and never gives its processor away: over UCX and over TCP
 * MPIR_CVAR_POLLS_BEFORE_YIELD changes nothing. With more ranks than processors a rank then polls until its
 * time slice ends, while the rank that it waits for stands in the queue. Here every round of polling that
 * found nothing for a while yields, in the tests only: UCX's, and that of ch3's TCP. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { yield_after = 10, sleep_after = 100 };

static void polled(_Atomic unsigned *idle, bool found) {
  if (found)
    *idle = 0;
  else if (++*idle >= sleep_after)
    (void)nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  else if (*idle >= yield_after)
    (void)sched_yield();
}

static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL)
    abort();
  return found;
}

unsigned ucp_worker_progress(void *worker);
unsigned ucp_worker_progress(void *worker) {
  static unsigned (*next)(void *);
  static _Atomic unsigned idle;
  if (next == NULL)
    next = (unsigned (*)(void *))real("ucp_worker_progress");
  unsigned events = next(worker);
  polled(&idle, events > 0);
  return events;
}

int poll(struct pollfd *fds, nfds_t count, int timeout) {
  static int (*next)(struct pollfd *, nfds_t, int);
  static _Atomic unsigned idle;
  if (next == NULL)
    next = (int (*)(struct pollfd *, nfds_t, int))real("poll");
  int events = next(fds, count, timeout);
  if (timeout == 0)
    polled(&idle, events > 0);
  return events;
}
