/* MPI's functions. */
#include "calls.h"
#include "record.h"
#include <stdlib.h>

static int bytes_int(void *buf, size_t n, int root, MPI_Comm comm) {
  return MPI_Bcast(buf, (int)n, MPI_BYTE, root, comm);
}

static int bcast_int(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  return MPI_Bcast(buf, (int)count, type, root, comm);
}

static int scatter_int(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive,
                       MPI_Count receives, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return MPI_Scatter(send, (int)sends, send_type, receive, (int)receives, receive_type, root, comm);
}

typedef struct arrays { /* of counts and places */
  int *count, *place;
} arrays;

static arrays in_int(int ranks, const MPI_Count *counts, const MPI_Aint *places) {
  const size_t bytes = sizeof(int) * (size_t)ranks;
  arrays a = {ranks > 0 ? allocate(bytes) : NULL, ranks > 0 ? allocate(bytes) : NULL};
  for (int i = 0; i < ranks; i++) {
    a.count[i] = (int)counts[i];
    a.place[i] = (int)places[i];
  }
  return a;
}

static int freed(arrays a, int rc) {
  free(a.count);
  free(a.place);
  return rc;
}

static int scatterv_int(const void *send, int ranks, const MPI_Count *sends, const MPI_Aint *places,
                        MPI_Datatype send_type, void *receive, MPI_Count receives, MPI_Datatype receive_type,
                        int root, MPI_Comm comm) {
  const arrays a = in_int(ranks, sends, places);
  return freed(
      a, MPI_Scatterv(send, a.count, a.place, send_type, receive, (int)receives, receive_type, root, comm));
}

static int gather_int(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive,
                      MPI_Count receives, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return MPI_Gather(send, (int)sends, send_type, receive, (int)receives, receive_type, root, comm);
}

static int gatherv_int(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive, int ranks,
                       const MPI_Count *receives, const MPI_Aint *places, MPI_Datatype receive_type, int root,
                       MPI_Comm comm) {
  const arrays a = in_int(ranks, receives, places);
  return freed(a,
               MPI_Gatherv(send, (int)sends, send_type, receive, a.count, a.place, receive_type, root, comm));
}

static int allgather_int(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive,
                         MPI_Count receives, MPI_Datatype receive_type, MPI_Comm comm) {
  return MPI_Allgather(send, (int)sends, send_type, receive, (int)receives, receive_type, comm);
}

static int allgatherv_int(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive, int ranks,
                          const MPI_Count *receives, const MPI_Aint *places, MPI_Datatype receive_type,
                          MPI_Comm comm) {
  const arrays a = in_int(ranks, receives, places);
  return freed(a, MPI_Allgatherv(send, (int)sends, send_type, receive, a.count, a.place, receive_type, comm));
}

static int alltoall_int(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive,
                        MPI_Count receives, MPI_Datatype receive_type, MPI_Comm comm) {
  return MPI_Alltoall(send, (int)sends, send_type, receive, (int)receives, receive_type, comm);
}

static int alltoallv_int(const void *send, int ranks, const MPI_Count *sends, const MPI_Aint *send_places,
                         MPI_Datatype send_type, void *receive, const MPI_Count *receives,
                         const MPI_Aint *receive_places, MPI_Datatype receive_type, MPI_Comm comm) {
  const arrays out = in_int(sends != NULL ? ranks : 0, sends, send_places),
               in = in_int(ranks, receives, receive_places);
  const int rc =
      MPI_Alltoallv(send, out.count, out.place, send_type, receive, in.count, in.place, receive_type, comm);
  return freed(out, freed(in, rc));
}

static int reduce_int(const void *send, void *receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                      int root, MPI_Comm comm) {
  return MPI_Reduce(send, receive, (int)count, type, op, root, comm);
}

static int allreduce_int(const void *send, void *receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm) {
  return MPI_Allreduce(send, receive, (int)count, type, op, comm);
}

static int reduce_scatter_block_int(const void *send, void *receive, MPI_Count count, MPI_Datatype type,
                                    MPI_Op op, MPI_Comm comm) {
  return MPI_Reduce_scatter_block(send, receive, (int)count, type, op, comm);
}

#if MPI_VERSION >= 4
static int bytes_large(void *buf, size_t n, int root, MPI_Comm comm) {
  return MPI_Bcast_c(buf, (MPI_Count)n, MPI_BYTE, root, comm);
}

static int scatterv_large(const void *send, int ranks, const MPI_Count *sends, const MPI_Aint *places,
                          MPI_Datatype send_type, void *receive, MPI_Count receives,
                          MPI_Datatype receive_type, int root, MPI_Comm comm) {
  (void)ranks;
  return MPI_Scatterv_c(send, sends, places, send_type, receive, receives, receive_type, root, comm);
}

static int gatherv_large(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive, int ranks,
                         const MPI_Count *receives, const MPI_Aint *places, MPI_Datatype receive_type,
                         int root, MPI_Comm comm) {
  (void)ranks;
  return MPI_Gatherv_c(send, sends, send_type, receive, receives, places, receive_type, root, comm);
}

static int allgatherv_large(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive,
                            int ranks, const MPI_Count *receives, const MPI_Aint *places,
                            MPI_Datatype receive_type, MPI_Comm comm) {
  (void)ranks;
  return MPI_Allgatherv_c(send, sends, send_type, receive, receives, places, receive_type, comm);
}

static int alltoallv_large(const void *send, int ranks, const MPI_Count *sends, const MPI_Aint *send_places,
                           MPI_Datatype send_type, void *receive, const MPI_Count *receives,
                           const MPI_Aint *receive_places, MPI_Datatype receive_type, MPI_Comm comm) {
  (void)ranks;
  return MPI_Alltoallv_c(send, sends, send_places, send_type, receive, receives, receive_places, receive_type,
                         comm);
}
#endif

const call_table form[FORMS] = {
    {"int", bytes_int, bcast_int, scatter_int, scatterv_int, gather_int, gatherv_int, allgather_int,
     allgatherv_int, alltoall_int, alltoallv_int, reduce_int, allreduce_int, reduce_scatter_block_int,
     MPI_Barrier},
#if MPI_VERSION >= 4
    {"large", bytes_large, MPI_Bcast_c, MPI_Scatter_c, scatterv_large, MPI_Gather_c, gatherv_large,
     MPI_Allgather_c, allgatherv_large, MPI_Alltoall_c, alltoallv_large, MPI_Reduce_c, MPI_Allreduce_c,
     MPI_Reduce_scatter_block_c, MPI_Barrier},
#endif
};
