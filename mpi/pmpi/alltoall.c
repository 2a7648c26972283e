/* MPI_Alltoall(), MPI_Alltoall_c() and their non-blocking forms. */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"
#include "mpi/pmpi/request.h"

typedef struct alltoall_arguments { /* in all forms */
  const void *sendbuf;
  MPI_Count sendcount;
  gb_word sendtype;
  void *recvbuf;
  MPI_Count recvcount;
  gb_word recvtype, comm;
} alltoall_arguments;

static gb_call begin(gb_call call, const alltoall_arguments *a) {
  const gb_send_buffer s = {a->sendbuf, a->sendcount, GB_HANDLE(MPI_Datatype, a->sendtype)};
  const gb_receive_buffer r = {a->recvbuf, a->recvcount, GB_HANDLE(MPI_Datatype, a->recvtype)};
  size_t bytes = 0;
  if (call.c != NULL && gb_check_alltoall(call.c, &s, &r, &bytes) == MPI_SUCCESS)
    gb_call_decide(&call, bytes, 0);
  else
    gb_call_pass(&call, a->recvcount, a->recvtype);
  return call;
}

static int take(const void *arguments, gb_how how) {
  const alltoall_arguments *a = arguments;
  return gb_api_alltoall(a->sendbuf, a->sendcount, GB_HANDLE(MPI_Datatype, a->sendtype), a->recvbuf,
                         a->recvcount, GB_HANDLE(MPI_Datatype, a->recvtype), GB_HANDLE(MPI_Comm, a->comm),
                         how);
}

int gb_pmpi_alltoall(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                     gb_word recvtype, gb_word comm) {
  const alltoall_arguments a = {sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm};
  const gb_call call = begin(gb_call_begin(GB_CALL_ALLTOALL, comm), &a);
  return gb_call_end(&call, call.taken ? take(&a, GB_HOW_BLOCKING)
                                       : gb_next_in_line()->alltoall(sendbuf, sendcount, sendtype, recvbuf,
                                                                     recvcount, recvtype, comm));
}

int gb_pmpi_ialltoall(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                      gb_word recvtype, gb_word comm, void *request) {
  const alltoall_arguments a = {sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm};
  const gb_call call = begin(gb_call_begin_at_once(GB_CALL_IALLTOALL, comm, request), &a);
  return call.taken ? gb_request_take(&call, take, &a, NULL, request)
                    : gb_call_end(&call, gb_next_in_line()->ialltoall(sendbuf, sendcount, sendtype, recvbuf,
                                                                      recvcount, recvtype, comm, request));
}

#if MPI_VERSION >= 4
int gb_pmpi_alltoall_c(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                       MPI_Count recvcount, gb_word recvtype, gb_word comm) {
  const alltoall_arguments a = {sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm};
  const gb_call call = begin(gb_call_begin(GB_CALL_ALLTOALL, comm), &a);
  return gb_call_end(&call, call.taken ? take(&a, GB_HOW_BLOCKING)
                                       : gb_next_in_line()->alltoall_c(sendbuf, sendcount, sendtype, recvbuf,
                                                                       recvcount, recvtype, comm));
}

int gb_pmpi_ialltoall_c(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                        MPI_Count recvcount, gb_word recvtype, gb_word comm, void *request) {
  const alltoall_arguments a = {sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm};
  const gb_call call = begin(gb_call_begin_at_once(GB_CALL_IALLTOALL, comm, request), &a);
  return call.taken ? gb_request_take(&call, take, &a, NULL, request)
                    : gb_call_end(&call, gb_next_in_line()->ialltoall_c(sendbuf, sendcount, sendtype, recvbuf,
                                                                        recvcount, recvtype, comm, request));
}
#endif
