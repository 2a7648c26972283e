/* MPI's own scatterv. */
#include "mpi/api/own_scatterv.h"
#include <limits.h>
#include <stdlib.h>

#if MPI_VERSION >= 4
int gb_own_scatterv(const gb_send_each *s, const gb_receive *r, int root, MPI_Comm comm, int size) {
  (void)size;
  return PMPI_Scatterv_c(s->buf, s->count, s->place, s->type, r->buf, r->count, r->type, root, comm);
}
#else
int gb_own_scatterv(const gb_send_each *s, const gb_receive *r, int root, MPI_Comm comm, int size) {
  if (r->count > INT_MAX)
    return MPI_ERR_COUNT;
  int *count = malloc(sizeof *count * ((size_t)size * 2 + 1));
  if (count == NULL)
    return MPI_ERR_NO_MEM;
  int *place = count + size, rc = MPI_SUCCESS;
  for (int i = 0; i < size; i++) {
    if (s->count[i] > INT_MAX || s->place[i] > INT_MAX || s->place[i] < INT_MIN)
      rc = MPI_ERR_COUNT;
    count[i] = (int)s->count[i];
    place[i] = (int)s->place[i];
  }
  if (rc == MPI_SUCCESS)
    rc = PMPI_Scatterv(s->buf, count, place, s->type, r->buf, (int)r->count, r->type, root, comm);
  free(count);
  return rc;
}
#endif

int gb_scatterv_receivers(MPI_Comm comm, int root, int *size) {
  int inter, rank, rc = MPI_Comm_test_inter(comm, &inter);
  *size = 0;
  if (rc == MPI_SUCCESS && inter)
    return root == MPI_ROOT ? MPI_Comm_remote_size(comm, size) : MPI_SUCCESS;
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_rank(comm, &rank);
  return rc == MPI_SUCCESS && rank == root ? MPI_Comm_size(comm, size) : rc;
}
