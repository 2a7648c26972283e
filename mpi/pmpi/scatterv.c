/* MPI_Scatterv(), MPI_Scatterv_c() and their non-blocking forms. */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"
#include "mpi/pmpi/request.h"
#include <stdlib.h>

typedef struct scatterv_arguments { /* with counts and places in the types that gbcast takes */
  gb_send_blocks send;
  gb_receive_buffer receive;
  int root;
  MPI_Comm comm;
} scatterv_arguments;

static scatterv_arguments arguments_of(const void *sendbuf, const MPI_Count *sendcounts,
                                       const MPI_Aint *displs, gb_word sendtype, void *recvbuf,
                                       MPI_Count recvcount, gb_word recvtype, int root, gb_word comm) {
  return (scatterv_arguments){{sendbuf, sendcounts, displs, GB_HANDLE(MPI_Datatype, sendtype)},
                              {recvbuf, recvcount, GB_HANDLE(MPI_Datatype, recvtype)},
                              root,
                              GB_HANDLE(MPI_Comm, comm)};
}

/* The count of the root's own block. The root of an inter-communicator has none. */
#define OWN_COUNT(counts, root) ((root) < 0 || (counts) == NULL ? 0 : (MPI_Count)(counts)[root])

static gb_call begin(gb_call call, const scatterv_arguments *a, bool is_root, MPI_Count own) {
  size_t receive_bytes = 0, bytes = 0;
  if (call.c != NULL &&
      gb_check_scatterv(call.c, &a->send, &a->receive, a->root, &receive_bytes) == MPI_SUCCESS) {
    (void)(is_root && gb_type_bytes(own, a->send.type, &bytes));
    gb_call_decide(&call, is_root ? bytes : receive_bytes, a->root);
  } else if (is_root) {
    gb_call_pass(&call, own, (gb_word)a->send.type);
  } else {
    gb_call_pass(&call, a->root == MPI_PROC_NULL ? 0 : a->receive.count, (gb_word)a->receive.type);
  }
  return call;
}

static int take(const void *arguments, gb_how how) {
  const scatterv_arguments *a = arguments;
  const gb_send_blocks *s = &a->send;
  const gb_receive_buffer *r = &a->receive;
  return gb_api_scatterv(s->buf, s->count, s->place, s->type, r->buf, r->count, r->type, a->root, a->comm,
                         how);
}

/* The root's counts and, behind them, its places, in the types that gbcast takes. NULL: no memory. */
static MPI_Count *widen(const int *counts, const int *displs, int size, scatterv_arguments *a) {
  MPI_Count *count = malloc((sizeof *count + sizeof(MPI_Aint)) * (size_t)size);
  MPI_Aint *place = count != NULL ? (MPI_Aint *)(void *)(count + size) : NULL;
  for (int i = 0; count != NULL && i < size; i++) {
    count[i] = counts[i];
    place[i] = displs[i];
  }
  a->send.count = count;
  a->send.place = place;
  return count;
}

/* Begins a call whose counts are of type int. *kept: what `a` needs, to be freed. The error has gone through
 * the error handler. */
static int begin_in_int(gb_call *call, const int *counts, const int *displs, scatterv_arguments *a,
                        MPI_Count **kept) {
  const bool is_root = gb_call_is_root(call, a->root, (gb_word)a->comm);
  *kept = NULL;
  if (is_root && call->c != NULL && counts != NULL && displs != NULL &&
      (*kept = widen(counts, displs, call->c->wire.size, a)) == NULL)
    return gb_raise(a->comm, MPI_ERR_NO_MEM);
  *call = begin(*call, a, is_root, is_root ? OWN_COUNT(counts, a->root) : 0);
  return MPI_SUCCESS;
}

int gb_pmpi_scatterv(const void *sendbuf, const int *sendcounts, const int *displs, gb_word sendtype,
                     void *recvbuf, int recvcount, gb_word recvtype, int root, gb_word comm) {
  scatterv_arguments a =
      arguments_of(sendbuf, NULL, NULL, sendtype, recvbuf, recvcount, recvtype, root, comm);
  gb_call call = gb_call_begin(GB_CALL_SCATTERV, comm);
  MPI_Count *kept;
  int rc = begin_in_int(&call, sendcounts, displs, &a, &kept);
  if (rc == MPI_SUCCESS)
    rc = call.taken ? take(&a, GB_HOW_BLOCKING)
                    : gb_next_in_line()->scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                                  recvtype, root, comm);
  free(kept);
  return gb_call_end(&call, rc);
}

int gb_pmpi_iscatterv(const void *sendbuf, const int *sendcounts, const int *displs, gb_word sendtype,
                      void *recvbuf, int recvcount, gb_word recvtype, int root, gb_word comm, void *request) {
  scatterv_arguments a =
      arguments_of(sendbuf, NULL, NULL, sendtype, recvbuf, recvcount, recvtype, root, comm);
  gb_call call = gb_call_begin_at_once(GB_CALL_ISCATTERV, comm, request);
  MPI_Count *kept;
  int rc = begin_in_int(&call, sendcounts, displs, &a, &kept);
  if (call.taken)
    return gb_request_take(&call, take, &a, kept, request);
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
  const scatterv_arguments a =
      arguments_of(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
  gb_call call = gb_call_begin(GB_CALL_SCATTERV, comm);
  const bool is_root = gb_call_is_root(&call, root, comm);
  call = begin(call, &a, is_root, is_root ? OWN_COUNT(sendcounts, root) : 0);
  return gb_call_end(&call, call.taken
                                ? take(&a, GB_HOW_BLOCKING)
                                : gb_next_in_line()->scatterv_c(sendbuf, sendcounts, displs, sendtype,
                                                                recvbuf, recvcount, recvtype, root, comm));
}

int gb_pmpi_iscatterv_c(const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *displs,
                        gb_word sendtype, void *recvbuf, MPI_Count recvcount, gb_word recvtype, int root,
                        gb_word comm, void *request) {
  const scatterv_arguments a =
      arguments_of(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
  gb_call call = gb_call_begin_at_once(GB_CALL_ISCATTERV, comm, request);
  const bool is_root = gb_call_is_root(&call, root, comm);
  call = begin(call, &a, is_root, is_root ? OWN_COUNT(sendcounts, root) : 0);
  return call.taken ? gb_request_take(&call, take, &a, NULL, request)
                    : gb_call_end(&call, gb_next_in_line()->iscatterv_c(sendbuf, sendcounts, displs, sendtype,
                                                                        recvbuf, recvcount, recvtype, root,
                                                                        comm, request));
}
#endif
