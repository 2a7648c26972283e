/* For programs that are linked with leaks.c: at MPI_Finalize every MPI object that was made must have been
 * freed. */
#ifndef GB_TESTS_SUPPORT_MPI_LEAKS_H
#define GB_TESTS_SUPPORT_MPI_LEAKS_H

#include <mpi.h>

#ifdef GB_TEST_SMPI
static inline void leave_to_finalize(MPI_Comm comm) {
  (void)comm;
}
static inline void leave_all_to_finalize(void) {}
#else
/* The test frees this communicator no more. */
void leave_to_finalize(MPI_Comm comm);
/* The same for all that there is: what hangs off a communicator on which a call has failed stays. */
void leave_all_to_finalize(void);
#endif

#endif
