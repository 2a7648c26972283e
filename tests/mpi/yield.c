/* MPICH polls while it waits and, over UCX, never gives its processor away: MPIR_CVAR_POLLS_BEFORE_YIELD
 * changes nothing there. With more ranks than processors a rank then polls until its time slice ends, while
 * the rank that it waits for stands in the queue. Here every round of polling that found nothing for a while
 * yields, in the tests only. Where MPI does not use UCX this is never called. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>

enum { rounds = 10 };

unsigned ucp_worker_progress(void *worker);
unsigned ucp_worker_progress(void *worker) {
  static unsigned (*next)(void *);
  static _Atomic unsigned idle;
  if (next == NULL) {
    void *found = dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (found == NULL)
      abort();
    next = (unsigned (*)(void *))found;
  }
  unsigned events = next(worker);
  if (events > 0) {
    idle = 0;
  } else if (++idle >= rounds) {
    idle = 0;
    (void)sched_yield();
  }
  return events;
}
