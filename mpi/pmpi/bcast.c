/* MPI_Bcast(), MPI_Bcast_c() and their non-blocking forms. */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"
#include "mpi/pmpi/request.h"

typedef struct bcast_arguments { /* in all forms */
  void *buf;
  MPI_Count count;
  gb_word type;
  int root;
  gb_word comm;
} bcast_arguments;

static gb_call begin(gb_call call, const bcast_arguments *a) {
  size_t bytes = 0;
  if (call.c != NULL && gb_check_bcast(call.c, a->buf, a->count, GB_HANDLE(MPI_Datatype, a->type), a->root,
                                       &bytes) == MPI_SUCCESS)
    gb_call_decide(&call, bytes, a->root);
  else
    gb_call_pass(&call, a->root == MPI_PROC_NULL ? 0 : a->count, a->type);
  return call;
}

static int take(const void *arguments, gb_how how) {
  const bcast_arguments *a = arguments;
  return gb_api_bcast(a->buf, a->count, GB_HANDLE(MPI_Datatype, a->type), a->root,
                      GB_HANDLE(MPI_Comm, a->comm), how);
}

int gb_pmpi_bcast(void *buf, int count, gb_word type, int root, gb_word comm) {
  const bcast_arguments a = {buf, count, type, root, comm};
  const gb_call call = begin(gb_call_begin(GB_CALL_BCAST, comm), &a);
  return gb_call_end(&call, call.taken ? take(&a, GB_HOW_BLOCKING)
                                       : gb_next_in_line()->bcast(buf, count, type, root, comm));
}

int gb_pmpi_ibcast(void *buf, int count, gb_word type, int root, gb_word comm, void *request) {
  const bcast_arguments a = {buf, count, type, root, comm};
  const gb_call call = begin(gb_call_begin_at_once(GB_CALL_IBCAST, comm, request), &a);
  return call.taken ? gb_request_take(&call, take, &a, NULL, request)
                    : gb_call_end(&call, gb_next_in_line()->ibcast(buf, count, type, root, comm, request));
}

#if MPI_VERSION >= 4
int gb_pmpi_bcast_c(void *buf, MPI_Count count, gb_word type, int root, gb_word comm) {
  const bcast_arguments a = {buf, count, type, root, comm};
  const gb_call call = begin(gb_call_begin(GB_CALL_BCAST, comm), &a);
  return gb_call_end(&call, call.taken ? take(&a, GB_HOW_BLOCKING)
                                       : gb_next_in_line()->bcast_c(buf, count, type, root, comm));
}

int gb_pmpi_ibcast_c(void *buf, MPI_Count count, gb_word type, int root, gb_word comm, void *request) {
  const bcast_arguments a = {buf, count, type, root, comm};
  const gb_call call = begin(gb_call_begin_at_once(GB_CALL_IBCAST, comm, request), &a);
  return call.taken ? gb_request_take(&call, take, &a, NULL, request)
                    : gb_call_end(&call, gb_next_in_line()->ibcast_c(buf, count, type, root, comm, request));
}
#endif
