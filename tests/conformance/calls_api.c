/* gbcast's functions, which have one form. */
#include "calls.h"
#include <gbcast/gbcast.h>

static int scatterv(const void *send, int ranks, const MPI_Count *sends, const MPI_Aint *places,
                    MPI_Datatype send_type, void *receive, MPI_Count receives, MPI_Datatype receive_type,
                    int root, MPI_Comm comm) {
  (void)ranks;
  return gbcast_scatterv(send, sends, places, send_type, receive, receives, receive_type, root, comm);
}

static int gatherv(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive, int ranks,
                   const MPI_Count *receives, const MPI_Aint *places, MPI_Datatype receive_type, int root,
                   MPI_Comm comm) {
  (void)ranks;
  return gbcast_gatherv(send, sends, send_type, receive, receives, places, receive_type, root, comm);
}

static int allgatherv(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive, int ranks,
                      const MPI_Count *receives, const MPI_Aint *places, MPI_Datatype receive_type,
                      MPI_Comm comm) {
  (void)ranks;
  return gbcast_allgatherv(send, sends, send_type, receive, receives, places, receive_type, comm);
}

static int alltoallv(const void *send, int ranks, const MPI_Count *sends, const MPI_Aint *send_places,
                     MPI_Datatype send_type, void *receive, const MPI_Count *receives,
                     const MPI_Aint *receive_places, MPI_Datatype receive_type, MPI_Comm comm) {
  (void)ranks;
  return gbcast_alltoallv(send, sends, send_places, send_type, receive, receives, receive_places,
                          receive_type, comm);
}

#define FUNCTIONS                                                                                            \
  gbcast, gbcast_bcast, gbcast_scatter, scatterv, gbcast_gather, gatherv, gbcast_allgather, allgatherv,      \
      gbcast_alltoall, alltoallv, gbcast_reduce, gbcast_allreduce, gbcast_reduce_scatter_block,              \
      gbcast_barrier

const call_table form[FORMS] = {
    {"int", FUNCTIONS},
#if MPI_VERSION >= 4
    {"large", FUNCTIONS},
#endif
};
