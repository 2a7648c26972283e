/* gbcast's functions, which have one form. */
#include "calls.h"
#include <gbcast/gbcast.h>

static int scatterv(const void *send, int ranks, const MPI_Count *sends, const MPI_Aint *places,
                    MPI_Datatype send_type, void *receive, MPI_Count receives, MPI_Datatype receive_type,
                    int root, MPI_Comm comm) {
  (void)ranks;
  return gbcast_scatterv(send, sends, places, send_type, receive, receives, receive_type, root, comm);
}

const call_table form[FORMS] = {
    {"int", gbcast, gbcast_bcast, gbcast_scatter, scatterv, gbcast_alltoall},
#if MPI_VERSION >= 4
    {"large", gbcast, gbcast_bcast, gbcast_scatter, scatterv, gbcast_alltoall},
#endif
};
