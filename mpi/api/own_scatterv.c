/* MPI's own scatterv. */
#include "mpi/api/own_scatterv.h"
#include <limits.h>
#include <stdlib.h>

void gb_own_counts_free(gb_own_counts *counts) {
  free(counts->count);
  counts->count = NULL;
}

#if MPI_VERSION >= 4
int gb_own_scatterv(gb_handle *h, const gb_send_blocks *s, const gb_receive_buffer *r, int size,
                    gb_own_counts *counts, MPI_Request *request) {
  (void)size;
  (void)counts;
  return gb_handle_own(h, request == NULL ? PMPI_Scatterv_c(s->buf, s->count, s->place, s->type, r->buf,
                                                            r->count, r->type, h->root, h->comm)
                                          : PMPI_Iscatterv_c(s->buf, s->count, s->place, s->type, r->buf,
                                                             r->count, r->type, h->root, h->comm, request));
}
#else
int gb_own_scatterv(gb_handle *h, const gb_send_blocks *s, const gb_receive_buffer *r, int size,
                    gb_own_counts *counts, MPI_Request *request) {
  if (r->count > INT_MAX)
    return MPI_ERR_COUNT;
  int *count = counts->count = malloc(sizeof *count * ((size_t)size * 2 + 1));
  if (count == NULL)
    return MPI_ERR_NO_MEM;
  int *place = count + size;
  for (int i = 0; i < size; i++) {
    if (s->count[i] > INT_MAX || s->place[i] > INT_MAX || s->place[i] < INT_MIN)
      return MPI_ERR_COUNT;
    count[i] = (int)s->count[i];
    place[i] = (int)s->place[i];
  }
  return gb_handle_own(
      h, request == NULL
             ? PMPI_Scatterv(s->buf, count, place, s->type, r->buf, (int)r->count, r->type, h->root, h->comm)
             : PMPI_Iscatterv(s->buf, count, place, s->type, r->buf, (int)r->count, r->type, h->root, h->comm,
                              request));
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
