/* Compares the hashes of all ranks. */
#include "mpi/exec/compare.h"
#include <stdlib.h>

struct gb_comparison {
  gb_comparison *next; /* in gb_exec.comparisons */
  MPI_Request request;
  uint64_t number;               /* the first is 1 */
  uint64_t hash[2], greatest[2]; /* a hash and its complement; the greatest that any rank has of each */
};

int gb_exec_compare(gb_wire *w, uint64_t hash) {
  int rc = gb_comparisons_look(w->exec);
  gb_comparison *a = rc == MPI_SUCCESS ? malloc(sizeof *a) : NULL;
  if (a == NULL)
    return rc == MPI_SUCCESS ? MPI_ERR_NO_MEM : rc;
  *a = (gb_comparison){.next = w->exec->comparisons, .number = w->exec->compared + 1, .hash = {hash, ~hash}};
  rc = PMPI_Iallreduce(a->hash, a->greatest, 2, MPI_UINT64_T, MPI_MAX, w->comm, &a->request);
  if (rc != MPI_SUCCESS) {
    free(a);
    return rc;
  }
  w->exec->comparisons = a;
  w->exec->compared++;
  return MPI_SUCCESS;
}

/* The complement of the greatest complement is the least. */
static bool is_same(const gb_comparison *a) {
  return a->greatest[0] == ~a->greatest[1];
}

int gb_comparisons_look(gb_exec *exec) {
  for (gb_comparison **at = &exec->comparisons, *a; (a = *at) != NULL;) {
    int done, rc = PMPI_Test(&a->request, &done, MPI_STATUS_IGNORE);
    if (rc != MPI_SUCCESS)
      return rc;
    if (!done && a->request != MPI_REQUEST_NULL) { /* of which SimGrid says that it is not done */
      at = &a->next;
      continue;
    }
    exec->differs |= !is_same(a);
    *at = a->next;
    free(a);
  }
  return exec->differs ? MPI_ERR_ARG : MPI_SUCCESS;
}

bool gb_comparison_is_open(const gb_exec *exec, uint64_t number) {
  const gb_comparison *a = exec->comparisons;
  while (a != NULL && a->number != number)
    a = a->next;
  return a != NULL;
}

/* A rank that has found a difference begins no further comparison, so comparisons after that one may never
 * complete. */
int gb_comparison_wait(gb_exec *exec, uint64_t number) {
  int rc = gb_comparisons_look(exec);
  while (rc == MPI_SUCCESS && gb_comparison_is_open(exec, number)) {
    gb_machine_pause();
    rc = gb_comparisons_look(exec);
  }
  return rc;
}
