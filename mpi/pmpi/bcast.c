/* MPI_Bcast() and MPI_Bcast_c(). */
#include "mpi/pmpi/call.h"
#include <gbcast/gbcast.h>

static gb_call begin(MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  gb_call call = gb_call_begin(GB_CALL_BCAST, comm);
  gb_call_decide(&call, count, type, root);
  return call;
}

GBCAST_API int MPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  gb_call call = begin(count, type, root, comm);
  return gb_call_end(&call, call.taken ? gbcast_bcast(buf, count, type, root, comm)
                                       : PMPI_Bcast(buf, count, type, root, comm));
}

#if MPI_VERSION >= 4
GBCAST_API int MPI_Bcast_c(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  gb_call call = begin(count, type, root, comm);
  return gb_call_end(&call, call.taken ? gbcast_bcast(buf, count, type, root, comm)
                                       : PMPI_Bcast_c(buf, count, type, root, comm));
}
#endif
