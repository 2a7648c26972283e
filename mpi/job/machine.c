/* The two machines, the simulator first. */
#define _GNU_SOURCE
#include "mpi/job/machine.h"
#include <math.h>
#include <sched.h>
#include <time.h>

#ifdef GB_SIMULATED

/* A look takes a microsecond, and each look in vain makes all later ones longer: there nobody looks for so
 * short a time, and few requests are tested one by one, for MPI_Testany is worse. The clock stands still
 * while somebody waits for a real network. */
const gb_machine_traits gb_this_machine = {.sent_in_order = 0,
                                           .links_have_queues = false,
                                           .queue_most = INFINITY,
                                           .slept_most = 0,
                                           .nap_least = 1e-7,
                                           .too_soon = 1e-5,
                                           .looks_are_free = false,
                                           .finds_eager = false,
                                           .few = 2,
                                           .has_threads = false,
                                           .asks_network = false,
                                           .deletes_attributes = false};

/* Ranks take turns, so nobody keeps the processor from another. */
int gb_machine_wait_any(unsigned count, MPI_Request *request, int *at, MPI_Status *status) {
  return MPI_Waitany((int)count, request, at, status);
}

void gb_machine_pause(void) {
  const struct timespec nap = {0, 10000};
  (void)nanosleep(&nap, NULL);
}

/* MPI_Testany never finds a send complete that waits for nobody. */
int gb_machine_look(unsigned count, MPI_Request *request, int *at, int *done, MPI_Status *status) {
  int rc = MPI_SUCCESS;
  *at = MPI_UNDEFINED;
  *done = 0;
  for (unsigned i = 0; rc == MPI_SUCCESS && !*done && i < count; i++)
    if (request[i] != MPI_REQUEST_NULL) {
      *at = (int)i;
      rc = MPI_Test(&request[i], done, status);
    }
  return rc;
}

#else

/* queue_most: a router drops what its queue has no room for, which is found late. Measured with real TCP, 1
 * MiB over a link of 1 Mbit/s: 1.8 s at worst with queues of most of a second, 0.86 s with 50 ms. */
const gb_machine_traits gb_this_machine = {.sent_in_order = 8192,
                                           .links_have_queues = true,
                                           .queue_most = 0.05,
                                           .slept_most = GB_NAP_MOST,
                                           .nap_least = 1e-4,
                                           .too_soon = -INFINITY,
                                           .looks_are_free = true,
                                           .finds_eager = true,
                                           .few = 0,
                                           .has_threads = true,
                                           .asks_network = true,
                                           .deletes_attributes = true};

/* Looks in vain before the processor is given away: some microseconds. */
enum { LOOKS = 10 };

/* MPI libraries poll while they wait; where a job has more ranks than processors a rank then polls until its
 * time slice ends (milliseconds), while the rank that it waits for stands in the queue. With a processor for
 * each rank to yield costs nothing but a system call, and that only once nothing has come for a while. */
int gb_machine_wait_any(unsigned count, MPI_Request *request, int *at, MPI_Status *status) {
  int done = 0, rc = MPI_SUCCESS;
  for (unsigned look = 0; rc == MPI_SUCCESS && !done && look < LOOKS; look++)
    rc = MPI_Testany((int)count, request, at, &done, status);
  if (rc == MPI_SUCCESS && !done) {
    *at = MPI_UNDEFINED;
    (void)sched_yield();
  }
  return rc;
}

void gb_machine_pause(void) {
  (void)sched_yield();
}

/* MPICH's MPI_Test looks at the network first. */
int gb_machine_look(unsigned count, MPI_Request *request, int *at, int *done, MPI_Status *status) {
  return MPI_Testany((int)count, request, at, done, status);
}

#endif
