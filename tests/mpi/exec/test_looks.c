/* How often a short broadcast looks at the network in vain, for each look takes system calls: the root never,
 * as its sends are complete when they are posted. All MPI_Test and MPI_Testany of the library come here
 * first; MPICH's MPI_Test looks at the network first, MPI_Testany only when nothing is complete. */
#include "mpi/comm/comm.h"
#include "mpi/exec/run.h"
#include "tests/support/mpi/check.h"
#include <limits.h>

enum { BYTES = 1024, ROOT = 0, CALLS = 50 };

static unsigned tests, in_vain; /* calls of MPI_Test, and of MPI_Testany that found nothing */

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
int __real_MPI_Test(MPI_Request *request, int *done, MPI_Status *status);
int __wrap_MPI_Test(MPI_Request *request, int *done, MPI_Status *status);
int __wrap_MPI_Test(MPI_Request *request, int *done, MPI_Status *status) {
  tests++;
  return __real_MPI_Test(request, done, status);
}

int __real_MPI_Testany(int count, MPI_Request *request, int *at, int *done, MPI_Status *status);
int __wrap_MPI_Testany(int count, MPI_Request *request, int *at, int *done, MPI_Status *status);
int __wrap_MPI_Testany(int count, MPI_Request *request, int *at, int *done, MPI_Status *status) {
  int rc = __real_MPI_Testany(count, request, at, done, status);
  in_vain += rc == MPI_SUCCESS && !*done;
  return rc;
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  CHECK(size_of(MPI_COMM_WORLD) == 4, "for four ranks");
  MUST(set_up(MPI_COMM_WORLD, "two-sites.txt", NULL, NULL, NULL));
  unsigned fewest = UINT_MAX; /* in a call: now and then a send has to wait until there is room for it */
  for (uint64_t call = 0; call < CALLS; call++) {
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    const gb_comm *c = gb_comm_known(MPI_COMM_WORLD);
    const bool compares = c == NULL || c->wire.exec == NULL || c->wire.exec->comparisons != NULL || call == 0;
    tests = in_vain = 0;
    check_broadcast(BYTES, ROOT, call);
    CHECK(compares || tests == 0, "call %d: %u calls of MPI_Test", (int)call, tests);
    if (!compares && in_vain < fewest)
      fewest = in_vain;
  }
#ifdef OPEN_MPI /* its sends to ranks of the same host are complete only when these have taken them */
  const bool is_exact = false;
#else
  const bool is_exact = rank_in(MPI_COMM_WORLD) == ROOT;
#endif
  if (is_exact)
    CHECK(fewest == 0, "the root looks in vain %u times", fewest);
  MUST(MPI_Finalize());
  return 0;
}
