/* MPI_Scatterv() and MPI_Scatterv_c(). */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"
#include <stdlib.h>

typedef struct scatterv_arguments { /* with counts and places in the types that gbcast takes */
  gb_send_blocks send;
  gb_receive_buffer receive;
  int root;
  MPI_Comm comm;
} scatterv_arguments;

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

static int take(const scatterv_arguments *a) {
  const gb_send_blocks *s = &a->send;
  const gb_receive_buffer *r = &a->receive;
  return gb_api_scatterv(s->buf, s->count, s->place, s->type, r->buf, r->count, r->type, a->root, a->comm,
                         GB_HOW_BLOCKING);
}

/* The root's counts and places, in the types that gbcast takes; false without memory. */
static bool widen(const int *counts, const int *displs, int size, MPI_Count **count, MPI_Aint **place) {
  *count = malloc(sizeof **count * (size_t)size);
  *place = malloc(sizeof **place * (size_t)size);
  for (int i = 0; *count != NULL && *place != NULL && i < size; i++) {
    (*count)[i] = counts[i];
    (*place)[i] = displs[i];
  }
  return *count != NULL && *place != NULL;
}

int gb_pmpi_scatterv(const void *sendbuf, const int *sendcounts, const int *displs, gb_word sendtype,
                     void *recvbuf, int recvcount, gb_word recvtype, int root, gb_word comm) {
  gb_call call = gb_call_begin(GB_CALL_SCATTERV, comm);
  const bool is_root = gb_call_is_root(&call, root, comm);
  MPI_Count *count = NULL;
  MPI_Aint *place = NULL;
  bool enough = true;
  if (is_root && call.c != NULL && sendcounts != NULL && displs != NULL)
    enough = widen(sendcounts, displs, call.c->wire.size, &count, &place);
  const scatterv_arguments a = {{sendbuf, count, place, GB_HANDLE(MPI_Datatype, sendtype)},
                                {recvbuf, recvcount, GB_HANDLE(MPI_Datatype, recvtype)},
                                root,
                                GB_HANDLE(MPI_Comm, comm)};
  int rc = MPI_ERR_NO_MEM;
  if (enough)
    call = begin(call, &a, is_root, is_root ? OWN_COUNT(sendcounts, root) : 0);
  if (!enough)
    rc = gb_raise(a.comm, rc);
  else if (call.taken)
    rc = take(&a);
  else
    rc = gb_next_in_line()->scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                                     root, comm);
  free(count);
  free(place);
  return gb_call_end(&call, rc);
}

#if MPI_VERSION >= 4
int gb_pmpi_scatterv_c(const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *displs,
                       gb_word sendtype, void *recvbuf, MPI_Count recvcount, gb_word recvtype, int root,
                       gb_word comm) {
  gb_call call = gb_call_begin(GB_CALL_SCATTERV, comm);
  const scatterv_arguments a = {{sendbuf, sendcounts, displs, GB_HANDLE(MPI_Datatype, sendtype)},
                                {recvbuf, recvcount, GB_HANDLE(MPI_Datatype, recvtype)},
                                root,
                                GB_HANDLE(MPI_Comm, comm)};
  const bool is_root = gb_call_is_root(&call, root, comm);
  call = begin(call, &a, is_root, is_root ? OWN_COUNT(sendcounts, root) : 0);
  return gb_call_end(&call, call.taken
                                ? take(&a)
                                : gb_next_in_line()->scatterv_c(sendbuf, sendcounts, displs, sendtype,
                                                                recvbuf, recvcount, recvtype, root, comm));
}
#endif
