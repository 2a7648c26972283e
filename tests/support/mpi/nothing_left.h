/* For a program that is linked with --wrap=MPI_Comm_free. */
#ifndef GB_TESTS_SUPPORT_MPI_NOTHING_LEFT_H
#define GB_TESTS_SUPPORT_MPI_NOTHING_LEFT_H

#include "mpi/comm/comm.h"
#include "tests/support/mpi/check.h"

/* The linker puts this in MPI_Comm_free's place: when the library frees its duplicate of a communicator no
 * message is left there. */
int __real_MPI_Comm_free(MPI_Comm *comm);  // NOLINT(bugprone-reserved-identifier,cert-dcl*)
int __wrap_MPI_Comm_free(MPI_Comm *comm);  // NOLINT(bugprone-reserved-identifier,cert-dcl*)
int __wrap_MPI_Comm_free(MPI_Comm *comm) { // NOLINT(bugprone-reserved-identifier,cert-dcl*)
  int left = 0;
  if (gb_comm_known(*comm) == NULL) {
    MUST(MPI_Barrier(*comm));
    MUST(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, *comm, &left, MPI_STATUS_IGNORE));
  }
  CHECK(!left, "a message outlives its communicator");
  return __real_MPI_Comm_free(comm);
}

#endif
