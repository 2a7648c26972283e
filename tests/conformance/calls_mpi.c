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

static int scatterv_int(const void *send, int ranks, const MPI_Count *sends, const MPI_Aint *places,
                        MPI_Datatype send_type, void *receive, MPI_Count receives, MPI_Datatype receive_type,
                        int root, MPI_Comm comm) {
  int *count = ranks > 0 ? allocate(sizeof *count * (size_t)ranks) : NULL;
  int *begin = ranks > 0 ? allocate(sizeof *begin * (size_t)ranks) : NULL;
  for (int i = 0; i < ranks; i++) {
    count[i] = (int)sends[i];
    begin[i] = (int)places[i];
  }
  int rc = MPI_Scatterv(send, count, begin, send_type, receive, (int)receives, receive_type, root, comm);
  free(count);
  free(begin);
  return rc;
}

static int alltoall_int(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive,
                        MPI_Count receives, MPI_Datatype receive_type, MPI_Comm comm) {
  return MPI_Alltoall(send, (int)sends, send_type, receive, (int)receives, receive_type, comm);
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
#endif

const call_table form[FORMS] = {
    {"int", bytes_int, bcast_int, scatter_int, scatterv_int, alltoall_int},
#if MPI_VERSION >= 4
    {"large", bytes_large, MPI_Bcast_c, MPI_Scatter_c, scatterv_large, MPI_Alltoall_c},
#endif
};
