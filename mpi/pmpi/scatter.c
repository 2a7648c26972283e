/* MPI_Scatter(), MPI_Scatter_c() and their non-blocking forms. */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"
#include "mpi/pmpi/request.h"

typedef struct scatter_arguments { /* in all forms */
  const void *sendbuf;
  MPI_Count sendcount;
  gb_word sendtype;
  void *recvbuf;
  MPI_Count recvcount;
  gb_word recvtype;
  int root;
  gb_word comm;
} scatter_arguments;

/* The root's block is told by its send side, that of the other ranks by their receive side. */
static gb_call begin(gb_call call, const scatter_arguments *a) {
  const gb_send_buffer s = {a->sendbuf, a->sendcount, GB_HANDLE(MPI_Datatype, a->sendtype)};
  const gb_receive_buffer r = {a->recvbuf, a->recvcount, GB_HANDLE(MPI_Datatype, a->recvtype)};
  size_t block = 0, receive_bytes;
  if (call.c != NULL && gb_check_scatter(call.c, &s, &r, a->root, &block, &receive_bytes) == MPI_SUCCESS)
    gb_call_decide(&call, block, a->root);
  else if (gb_call_is_root(&call, a->root, a->comm))
    gb_call_pass(&call, a->sendcount, a->sendtype);
  else
    gb_call_pass(&call, a->root == MPI_PROC_NULL ? 0 : a->recvcount, a->recvtype);
  return call;
}

static int take(const void *arguments, gb_how how) {
  const scatter_arguments *a = arguments;
  return gb_api_scatter(a->sendbuf, a->sendcount, GB_HANDLE(MPI_Datatype, a->sendtype), a->recvbuf,
                        a->recvcount, GB_HANDLE(MPI_Datatype, a->recvtype), a->root,
                        GB_HANDLE(MPI_Comm, a->comm), how);
}

int gb_pmpi_scatter(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                    gb_word recvtype, int root, gb_word comm) {
  const scatter_arguments a = {sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm};
  const gb_call call = begin(gb_call_begin(GB_CALL_SCATTER, comm), &a);
  return gb_call_end(&call, call.taken ? take(&a, GB_HOW_BLOCKING)
                                       : gb_next_in_line()->scatter(sendbuf, sendcount, sendtype, recvbuf,
                                                                    recvcount, recvtype, root, comm));
}

int gb_pmpi_iscatter(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                     gb_word recvtype, int root, gb_word comm, void *request) {
  const scatter_arguments a = {sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm};
  const gb_call call = begin(gb_call_begin_at_once(GB_CALL_ISCATTER, comm, request), &a);
  return call.taken
             ? gb_request_take(&call, take, &a, NULL, request)
             : gb_call_end(&call, gb_next_in_line()->iscatter(sendbuf, sendcount, sendtype, recvbuf,
                                                              recvcount, recvtype, root, comm, request));
}

#if MPI_VERSION >= 4
int gb_pmpi_scatter_c(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                      MPI_Count recvcount, gb_word recvtype, int root, gb_word comm) {
  const scatter_arguments a = {sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm};
  const gb_call call = begin(gb_call_begin(GB_CALL_SCATTER, comm), &a);
  return gb_call_end(&call, call.taken ? take(&a, GB_HOW_BLOCKING)
                                       : gb_next_in_line()->scatter_c(sendbuf, sendcount, sendtype, recvbuf,
                                                                      recvcount, recvtype, root, comm));
}

int gb_pmpi_iscatter_c(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                       MPI_Count recvcount, gb_word recvtype, int root, gb_word comm, void *request) {
  const scatter_arguments a = {sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm};
  const gb_call call = begin(gb_call_begin_at_once(GB_CALL_ISCATTER, comm, request), &a);
  return call.taken
             ? gb_request_take(&call, take, &a, NULL, request)
             : gb_call_end(&call, gb_next_in_line()->iscatter_c(sendbuf, sendcount, sendtype, recvbuf,
                                                                recvcount, recvtype, root, comm, request));
}
#endif
