/* MPI_Bcast() and MPI_Bcast_c(). */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"

static gb_call begin(const void *buf, MPI_Count count, gb_word type, int root, gb_word comm) {
  gb_call call = gb_call_begin(GB_CALL_BCAST, comm);
  size_t bytes = 0;
  if (call.c != NULL &&
      gb_check_bcast(call.c, buf, count, GB_HANDLE(MPI_Datatype, type), root, &bytes) == MPI_SUCCESS)
    gb_call_decide(&call, bytes, root);
  else
    gb_call_pass(&call, root == MPI_PROC_NULL ? 0 : count, type);
  return call;
}

static int take(void *buf, MPI_Count count, gb_word type, int root, gb_word comm) {
  return gb_api_bcast(buf, count, GB_HANDLE(MPI_Datatype, type), root, GB_HANDLE(MPI_Comm, comm),
                      GB_HOW_BLOCKING);
}

int gb_pmpi_bcast(void *buf, int count, gb_word type, int root, gb_word comm) {
  const gb_call call = begin(buf, count, type, root, comm);
  return gb_call_end(&call, call.taken ? take(buf, count, type, root, comm)
                                       : gb_next_in_line()->bcast(buf, count, type, root, comm));
}

#if MPI_VERSION >= 4
int gb_pmpi_bcast_c(void *buf, MPI_Count count, gb_word type, int root, gb_word comm) {
  const gb_call call = begin(buf, count, type, root, comm);
  return gb_call_end(&call, call.taken ? take(buf, count, type, root, comm)
                                       : gb_next_in_line()->bcast_c(buf, count, type, root, comm));
}
#endif
