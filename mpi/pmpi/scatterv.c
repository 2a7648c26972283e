/* MPI_Scatterv(), MPI_Scatterv_c() and their non-blocking forms. */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"
#include "mpi/pmpi/request.h"
#include <stdlib.h>

/* Decides on a call whose counts and places are of type int. The root needs them in the types that gbcast
 * takes: *kept, to be freed. The error has gone through the error handler. */
static int decide_in_int(gb_call *call, const int *counts, const int *displs, gb_arguments *a,
                         MPI_Count **kept) {
  *kept = NULL;
  if (gb_call_is_root(call, a) && call->c != NULL && counts != NULL && displs != NULL) {
    const size_t size = (size_t)call->c->wire.size;
    MPI_Count *count = *kept = malloc((sizeof *count + sizeof(MPI_Aint)) * size);
    if (count == NULL)
      return gb_raise(a->comm, MPI_ERR_NO_MEM);
    MPI_Aint *place = (MPI_Aint *)(void *)(count + size);
    for (size_t i = 0; i < size; i++) {
      count[i] = counts[i];
      place[i] = displs[i];
    }
    a->send.counts = count;
    a->send.places = place;
  } else if (a->root >= 0 && counts != NULL && gb_call_is_root(call, a)) {
    a->send.count = counts[a->root]; /* of the root's own block */
  }
  gb_call_decide(call, a);
  return MPI_SUCCESS;
}

int gb_pmpi_scatterv(const void *sendbuf, const int *sendcounts, const int *displs, gb_word sendtype,
                     void *recvbuf, int recvcount, gb_word recvtype, int root, gb_word comm) {
  gb_arguments a =
      gb_scatterv_arguments(sendbuf, NULL, NULL, sendtype, recvbuf, recvcount, recvtype, root, comm);
  gb_call call = gb_call_open(GB_CALL_SCATTERV, a.comm);
  MPI_Count *kept;
  int rc = decide_in_int(&call, sendcounts, displs, &a, &kept);
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
  gb_call call = gb_call_open_at_once(GB_CALL_ISCATTERV, a.comm, request);
  MPI_Count *kept;
  int rc = decide_in_int(&call, sendcounts, displs, &a, &kept);
  if (call.taken)
    return gb_request_take(&call, &a, kept, request);
  free(kept);
  if (rc == MPI_SUCCESS)
    rc = gb_next_in_line()->iscatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                                      root, comm, request);
  return gb_call_end(&call, rc);
}

#if MPI_VERSION >= 4
int gb_pmpi_scatterv_c(const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *displs,
                       gb_word sendtype, void *recvbuf, MPI_Count recvcount, gb_word recvtype, int root,
                       gb_word comm) {
  const gb_arguments a =
      gb_scatterv_arguments(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
  const gb_call call = gb_call_begin(GB_CALL_SCATTERV, &a);
  return gb_call_end(&call, call.taken
                                ? gb_call_take(&call, &a)
                                : gb_next_in_line()->scatterv_c(sendbuf, sendcounts, displs, sendtype,
                                                                recvbuf, recvcount, recvtype, root, comm));
}

int gb_pmpi_iscatterv_c(const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *displs,
                        gb_word sendtype, void *recvbuf, MPI_Count recvcount, gb_word recvtype, int root,
                        gb_word comm, void *request) {
  const gb_arguments a =
      gb_scatterv_arguments(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
  const gb_call call = gb_call_begin_at_once(GB_CALL_ISCATTERV, &a, request);
  return call.taken ? gb_request_take(&call, &a, NULL, request)
                    : gb_call_end(&call, gb_next_in_line()->iscatterv_c(sendbuf, sendcounts, displs, sendtype,
                                                                        recvbuf, recvcount, recvtype, root,
                                                                        comm, request));
}
#endif
