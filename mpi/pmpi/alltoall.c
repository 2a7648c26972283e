/* MPI_Alltoall() and MPI_Alltoall_c(). */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"

typedef struct alltoall_arguments { /* in both forms */
  const void *sendbuf;
  MPI_Count sendcount;
  gb_word sendtype;
  void *recvbuf;
  MPI_Count recvcount;
  gb_word recvtype, comm;
} alltoall_arguments;

static gb_call begin(const alltoall_arguments *a) {
  gb_call call = gb_call_begin(GB_CALL_ALLTOALL, a->comm);
  const gb_send_buffer s = {a->sendbuf, a->sendcount, GB_HANDLE(MPI_Datatype, a->sendtype)};
  const gb_receive_buffer r = {a->recvbuf, a->recvcount, GB_HANDLE(MPI_Datatype, a->recvtype)};
  size_t bytes = 0;
  if (call.c != NULL && gb_check_alltoall(call.c, &s, &r, &bytes) == MPI_SUCCESS)
    gb_call_decide(&call, bytes, 0);
  else
    gb_call_pass(&call, a->recvcount, a->recvtype);
  return call;
}

static int take(const alltoall_arguments *a) {
  return gb_api_alltoall(a->sendbuf, a->sendcount, GB_HANDLE(MPI_Datatype, a->sendtype), a->recvbuf,
                         a->recvcount, GB_HANDLE(MPI_Datatype, a->recvtype), GB_HANDLE(MPI_Comm, a->comm),
                         GB_HOW_BLOCKING);
}

int gb_pmpi_alltoall(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                     gb_word recvtype, gb_word comm) {
  const alltoall_arguments a = {sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm};
  const gb_call call = begin(&a);
  return gb_call_end(&call, call.taken ? take(&a)
                                       : gb_next_in_line()->alltoall(sendbuf, sendcount, sendtype, recvbuf,
                                                                     recvcount, recvtype, comm));
}

#if MPI_VERSION >= 4
int gb_pmpi_alltoall_c(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                       MPI_Count recvcount, gb_word recvtype, gb_word comm) {
  const alltoall_arguments a = {sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm};
  const gb_call call = begin(&a);
  return gb_call_end(&call, call.taken ? take(&a)
                                       : gb_next_in_line()->alltoall_c(sendbuf, sendcount, sendtype, recvbuf,
                                                                       recvcount, recvtype, comm));
}
#endif
