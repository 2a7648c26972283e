/* MPI_Bcast(), MPI_Bcast_c() and their non-blocking forms. */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"
#include "mpi/pmpi/request.h"

int gb_pmpi_bcast(void *buf, int count, gb_word type, int root, gb_word comm) {
  const gb_arguments a = gb_bcast_arguments(buf, count, type, root, comm);
  const gb_call call = gb_call_begin(GB_CALL_BCAST, &a);
  return gb_call_end(&call, call.taken ? gb_call_take(&call, &a)
                                       : gb_next_in_line()->bcast(buf, count, type, root, comm));
}

int gb_pmpi_ibcast(void *buf, int count, gb_word type, int root, gb_word comm, void *request) {
  const gb_arguments a = gb_bcast_arguments(buf, count, type, root, comm);
  const gb_call call = gb_call_begin_at_once(GB_CALL_IBCAST, &a, request);
  return call.taken ? gb_request_take(&call, &a, NULL, request)
                    : gb_call_end(&call, gb_next_in_line()->ibcast(buf, count, type, root, comm, request));
}

#if MPI_VERSION >= 4
int gb_pmpi_bcast_c(void *buf, MPI_Count count, gb_word type, int root, gb_word comm) {
  const gb_arguments a = gb_bcast_arguments(buf, count, type, root, comm);
  const gb_call call = gb_call_begin(GB_CALL_BCAST, &a);
  return gb_call_end(&call, call.taken ? gb_call_take(&call, &a)
                                       : gb_next_in_line()->bcast_c(buf, count, type, root, comm));
}

int gb_pmpi_ibcast_c(void *buf, MPI_Count count, gb_word type, int root, gb_word comm, void *request) {
  const gb_arguments a = gb_bcast_arguments(buf, count, type, root, comm);
  const gb_call call = gb_call_begin_at_once(GB_CALL_IBCAST, &a, request);
  return call.taken ? gb_request_take(&call, &a, NULL, request)
                    : gb_call_end(&call, gb_next_in_line()->ibcast_c(buf, count, type, root, comm, request));
}
#endif
