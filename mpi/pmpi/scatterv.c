/* MPI_Scatterv() and MPI_Scatterv_c(). */
#include "mpi/engine.h"
#include "mpi/error.h"
#include "mpi/pmpi/call.h"
#include "mpi/scatter.h"
#include <gbcast/gbcast.h>
#include <stdlib.h>

/* The root's own block, of the counts that it gives; an inter-communicator has none. */
#define OWN_COUNT(counts, root) ((root) < 0 ? 0 : (counts) == NULL ? -1 : (MPI_Count)(counts)[root])

/* Counts and places of the root, in the types that gbcast takes; NULL without memory. */
typedef struct wide {
  MPI_Count *count;
  MPI_Aint *place;
} wide;

static wide widen(const int *counts, const int *displs, int size) {
  wide w = {malloc(sizeof *w.count * (size_t)size), malloc(sizeof *w.place * (size_t)size)};
  for (int i = 0; w.count != NULL && w.place != NULL && i < size; i++) {
    w.count[i] = counts[i];
    w.place[i] = displs[i];
  }
  return w;
}

static int take(const gb_call *call, const void *sendbuf, const int *sendcounts, const int *displs,
                MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                MPI_Comm comm) {
  wide w = {NULL, NULL};
  if (call->c->rank == root && displs != NULL)
    w = widen(sendcounts, displs, call->c->size);
  bool none = call->c->rank == root && displs != NULL && (w.count == NULL || w.place == NULL);
  int rc =
      none ? gb_raise(comm, gb_engine_settle(call->c, call->c->sequence + gb_scatterv_calls(call->c),
                                             MPI_ERR_NO_MEM))
           : gbcast_scatterv(sendbuf, w.count, w.place, sendtype, recvbuf, recvcount, recvtype, root, comm);
  free(w.count);
  free(w.place);
  return rc;
}

GBCAST_API int MPI_Scatterv(const void *sendbuf, const int *sendcounts, const int *displs,
                            MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                            int root, MPI_Comm comm) {
  gb_call call = gb_call_begin(GB_CALL_SCATTERV, comm);
  if (gb_call_is_root(&call, root, comm))
    gb_call_decide(&call, OWN_COUNT(sendcounts, root), sendtype, root);
  else
    gb_call_decide(&call, recvcount, recvtype, root);
  return gb_call_end(&call, call.taken ? take(&call, sendbuf, sendcounts, displs, sendtype, recvbuf,
                                              recvcount, recvtype, root, comm)
                                       : PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf,
                                                       recvcount, recvtype, root, comm));
}

#if MPI_VERSION >= 4
GBCAST_API int MPI_Scatterv_c(const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *displs,
                              MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                              MPI_Datatype recvtype, int root, MPI_Comm comm) {
  gb_call call = gb_call_begin(GB_CALL_SCATTERV, comm);
  if (gb_call_is_root(&call, root, comm))
    gb_call_decide(&call, OWN_COUNT(sendcounts, root), sendtype, root);
  else
    gb_call_decide(&call, recvcount, recvtype, root);
  return gb_call_end(&call, call.taken ? gbcast_scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf,
                                                         recvcount, recvtype, root, comm)
                                       : PMPI_Scatterv_c(sendbuf, sendcounts, displs, sendtype, recvbuf,
                                                         recvcount, recvtype, root, comm));
}
#endif
