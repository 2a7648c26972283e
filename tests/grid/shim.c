/* Preloaded into the ranks on an emulated grid, where many share few processors.
 *
 * 1. MPICH polls without rest, and a rank that polls keeps the processor from the one that it waits for. Here
 * a poll or epoll_wait without waiting, after some that found nothing, waits for GRID_WAIT_US (500) at most;
 *    any event ends that at once.
 * 2. In MPI_Finalize of MPICH 4.0 over UCX a rank closes its connections and waits for the answer of ranks
 * that are already in the process manager's barrier and do not listen any more: usually for ever. Here
 * connections are left to the end of the process, unless GRID_DISCONNECT=1. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

enum { PATIENCE = 8, MOST_US = 999999 };

static _Thread_local unsigned idle; /* polls in a row that found nothing */

static const struct timespec *patience(int timeout, struct timespec *t) {
  if (timeout < 0)
    return NULL;
  *t = (struct timespec){timeout / 1000, timeout % 1000 * 1000000L};
  if (timeout == 0 && idle >= PATIENCE) {
    const char *text = getenv("GRID_WAIT_US");
    long us = text != NULL ? strtol(text, NULL, 10) : 500;
    t->tv_nsec = 1000 * (us < 0 ? 0 : us > MOST_US ? MOST_US : us);
  }
  return t;
}

static int counted(int timeout, int events) {
  if (timeout == 0)
    idle = events == 0 ? idle + 1 : 0;
  return events;
}

int poll(struct pollfd *fds, nfds_t count, int timeout) {
  struct timespec t;
  return counted(timeout, ppoll(fds, count, patience(timeout, &t), NULL));
}

int epoll_wait(int fd, struct epoll_event *events, int most, int timeout) {
  struct timespec t;
  return counted(timeout, epoll_pwait2(fd, events, most, patience(timeout, &t), NULL));
}

void *ucp_disconnect_nb(void *endpoint);
void *ucp_disconnect_nb(void *endpoint) {
  const char *wanted = getenv("GRID_DISCONNECT");
  if (wanted == NULL || strcmp(wanted, "1") != 0)
    return NULL; /* done */
  void *found = dlsym(RTLD_NEXT, "ucp_disconnect_nb");
  if (found == NULL)
    abort();
  return ((void *(*)(void *))found)(endpoint);
}
