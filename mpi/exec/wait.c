/* To wait without keeping others from what one waits for. MPI libraries poll while they wait; where a job has
 * more ranks than processors a rank then polls until its time slice ends (milliseconds), while the rank that
 * it waits for stands in the queue. With a processor for each rank to yield costs nothing but a system call,
 * and that only once nothing has come for some microseconds. */
#define _GNU_SOURCE
#include "mpi/exec/wait.h"
#include <sched.h>

/* Looks in vain before the processor is given away: some microseconds. */
enum { LOOKS = 10 };

#ifdef GB_SIMULATED /* there ranks take turns, and a look costs simulated time */
int gb_wait_any(unsigned count, MPI_Request *request, int *at, MPI_Status *status) {
  return MPI_Waitany((int)count, request, at, status);
}

/* MPI_Testany never finds a send complete that waits for nobody. */
int gb_wait_look(unsigned count, MPI_Request *request, int *at, int *done, MPI_Status *status) {
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
int gb_wait_any(unsigned count, MPI_Request *request, int *at, MPI_Status *status) {
  for (unsigned look = 1;; look++) {
    int done = 0, rc = MPI_Testany((int)count, request, at, &done, status);
    if (rc != MPI_SUCCESS || done)
      return rc;
    if (look % LOOKS == 0)
      (void)sched_yield();
  }
}

/* MPICH's MPI_Test looks at the network first. */
int gb_wait_look(unsigned count, MPI_Request *request, int *at, int *done, MPI_Status *status) {
  return MPI_Testany((int)count, request, at, done, status);
}
#endif
