/* MPI_Scatterv(), MPI_Gatherv(), MPI_Allgatherv() and their non-blocking forms, whose arrays of int have to
 * be converted. */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"
#include "mpi/pmpi/request.h"
#include <stdlib.h>

/* Converts counts and places of type int to the types that gbcast takes: *kept, to be freed, for `blocks`.
 * The error has gone through the error handler. */
static int convert(const gb_call *call, const int *counts, const int *displs, MPI_Comm comm,
                   gb_buffer *blocks, MPI_Count **kept) {
  const size_t size = (size_t)call->c->wire.size;
  MPI_Count *count = *kept = malloc((sizeof *count + sizeof(MPI_Aint)) * size);
  if (count == NULL)
    return gb_raise(comm, MPI_ERR_NO_MEM);
  MPI_Aint *place = (MPI_Aint *)(void *)(count + size);
  for (size_t i = 0; i < size; i++) {
    count[i] = counts[i];
    place[i] = displs[i];
  }
  blocks->counts = count;
  blocks->places = place;
  return MPI_SUCCESS;
}

/* Decides on a call whose counts and places are of type int. blocks: of `a`, the buffer that they are for, on
 * the root, or if `all` on each rank. The error has gone through the error handler. */
static int decide_in_int(gb_call *call, const int *counts, const int *displs, bool all, gb_arguments *a,
                         gb_buffer *blocks, MPI_Count **kept) {
  const bool has = (all || gb_call_is_root(call, a)) && counts != NULL;
  int rc = MPI_SUCCESS;
  *kept = NULL;
  if (has && call->c != NULL && displs != NULL)
    rc = convert(call, counts, displs, a->comm, blocks, kept);
  else if (has && a->root >= 0)
    blocks->count = counts[a->root]; /* of the root's own block */
  if (rc == MPI_SUCCESS)
    gb_call_decide(call, a);
  return rc;
}

int gb_pmpi_scatterv(const void *sendbuf, const int *sendcounts, const int *displs, gb_word sendtype,
                     void *recvbuf, int recvcount, gb_word recvtype, int root, gb_word comm) {
  gb_arguments a =
      gb_scatterv_arguments(sendbuf, NULL, NULL, sendtype, recvbuf, recvcount, recvtype, root, comm);
  gb_call call = gb_call_open(GB_CALL_scatterv, a.comm);
  MPI_Count *kept;
  int rc = decide_in_int(&call, sendcounts, displs, false, &a, &a.send, &kept);
  if (rc == MPI_SUCCESS)
    rc = call.taken ? gb_call_take(&call, &a)
                    : gb_next_in_line()->scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                                  recvtype, root, comm);
  free(kept);
  return gb_call_end(&call, rc);
}

int gb_pmpi_iscatterv(const void *sendbuf, const int *sendcounts, const int *displs, gb_word sendtype,
                      void *recvbuf, int recvcount, gb_word recvtype, int root, gb_word comm, void *request) {
  gb_arguments a =
      gb_scatterv_arguments(sendbuf, NULL, NULL, sendtype, recvbuf, recvcount, recvtype, root, comm);
  gb_call call = gb_call_open_at_once(GB_CALL_iscatterv, a.comm, request);
  MPI_Count *kept;
  int rc = decide_in_int(&call, sendcounts, displs, false, &a, &a.send, &kept);
  if (call.taken)
    return gb_request_take(&call, &a, kept, request);
  free(kept);
  if (rc == MPI_SUCCESS)
    rc = gb_next_in_line()->iscatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                                      root, comm, request);
  return gb_call_end(&call, rc);
}

int gb_pmpi_gatherv(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf,
                    const int *recvcounts, const int *displs, gb_word recvtype, int root, gb_word comm) {
  gb_arguments a =
      gb_gatherv_arguments(sendbuf, sendcount, sendtype, recvbuf, NULL, NULL, recvtype, root, comm);
  gb_call call = gb_call_open(GB_CALL_gatherv, a.comm);
  MPI_Count *kept;
  int rc = decide_in_int(&call, recvcounts, displs, false, &a, &a.receive, &kept);
  if (rc == MPI_SUCCESS)
    rc = call.taken ? gb_call_take(&call, &a)
                    : gb_next_in_line()->gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                                 recvtype, root, comm);
  free(kept);
  return gb_call_end(&call, rc);
}

int gb_pmpi_igatherv(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf,
                     const int *recvcounts, const int *displs, gb_word recvtype, int root, gb_word comm,
                     void *request) {
  gb_arguments a =
      gb_gatherv_arguments(sendbuf, sendcount, sendtype, recvbuf, NULL, NULL, recvtype, root, comm);
  gb_call call = gb_call_open_at_once(GB_CALL_igatherv, a.comm, request);
  MPI_Count *kept;
  int rc = decide_in_int(&call, recvcounts, displs, false, &a, &a.receive, &kept);
  if (call.taken)
    return gb_request_take(&call, &a, kept, request);
  free(kept);
  if (rc == MPI_SUCCESS)
    rc = gb_next_in_line()->igatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                                     root, comm, request);
  return gb_call_end(&call, rc);
}

int gb_pmpi_allgatherv(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf,
                       const int *recvcounts, const int *displs, gb_word recvtype, gb_word comm) {
  gb_arguments a = gb_allgatherv_arguments(sendbuf, sendcount, sendtype, recvbuf, NULL, NULL, recvtype, comm);
  gb_call call = gb_call_open(GB_CALL_allgatherv, a.comm);
  MPI_Count *kept;
  int rc = decide_in_int(&call, recvcounts, displs, true, &a, &a.receive, &kept);
  if (rc == MPI_SUCCESS)
    rc = call.taken ? gb_call_take(&call, &a)
                    : gb_next_in_line()->allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                                    recvtype, comm);
  free(kept);
  return gb_call_end(&call, rc);
}

int gb_pmpi_iallgatherv(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf,
                        const int *recvcounts, const int *displs, gb_word recvtype, gb_word comm,
                        void *request) {
  gb_arguments a = gb_allgatherv_arguments(sendbuf, sendcount, sendtype, recvbuf, NULL, NULL, recvtype, comm);
  gb_call call = gb_call_open_at_once(GB_CALL_iallgatherv, a.comm, request);
  MPI_Count *kept;
  int rc = decide_in_int(&call, recvcounts, displs, true, &a, &a.receive, &kept);
  if (call.taken)
    return gb_request_take(&call, &a, kept, request);
  free(kept);
  if (rc == MPI_SUCCESS)
    rc = gb_next_in_line()->iallgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                                        comm, request);
  return gb_call_end(&call, rc);
}
