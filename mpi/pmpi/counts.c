/* MPI_Scatterv(), MPI_Gatherv(), MPI_Allgatherv() and their non-blocking forms, whose arrays of int have to
 * be converted. */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"
#include "mpi/pmpi/request.h"
#include <stdlib.h>

/* Converts counts and places of type int to the types that gbcast takes: *kept, to be freed, for `blocks`.
 * The error has gone through the error handler. */
static int convert(const gb_call *call, const int *counts, const int *displs, MPI_Comm comm,
                   gb_buffer *blocks, MPI_Count **kept) {
  const size_t size = (size_t)call->c->wire.size;
  MPI_Count *count = *kept = malloc((sizeof *count + sizeof(MPI_Aint)) * size);
  if (count == NULL)
    return gb_raise(comm, MPI_ERR_NO_MEM);
  MPI_Aint *place = (MPI_Aint *)(void *)(count + size);
  for (size_t i = 0; i < size; i++) {
    count[i] = counts[i];
    place[i] = displs[i];
  }
  blocks->counts = count;
  blocks->places = place;
  return MPI_SUCCESS;
}

/* Decides on a call whose counts and places are of type int. blocks: of `a`, the buffer that they are for, on
 * the root, or if `all` on each rank. The error has gone through the error handler. */
static int decide_in_int(gb_call *call, const int *counts, const int *displs, bool all, gb_arguments *a,
                         gb_buffer *blocks, MPI_Count **kept) {
  const bool has = (all || gb_call_is_root(call, a)) && counts != NULL;
  int rc = MPI_SUCCESS;
  *kept = NULL;
  if (has && call->c != NULL && displs != NULL)
    rc = convert(call, counts, displs, a->comm, blocks, kept);
  else if (has && a->root >= 0)
    blocks->count = counts[a->root]; /* of the root's own block */
  if (rc == MPI_SUCCESS)
    gb_call_decide(call, a);
  return rc;
}

/* Their arguments, without the arrays. */
#define ARGUMENTS_scatterv                                                                                   \
  gb_scatterv_arguments(sendbuf, NULL, NULL, sendtype, recvbuf, recvcount, recvtype, root, comm)
#define ARGUMENTS_gatherv                                                                                    \
  gb_gatherv_arguments(sendbuf, sendcount, sendtype, recvbuf, NULL, NULL, recvtype, root, comm)
#define ARGUMENTS_allgatherv                                                                                 \
  gb_allgatherv_arguments(sendbuf, sendcount, sendtype, recvbuf, NULL, NULL, recvtype, comm)

/* Both forms of each. counts: which parameter they are; all: each rank has them; blocks: of which buffer. */
#define DEFINE(name, counts, all, blocks)                                                                    \
  int gb_pmpi_##name(GB_PARAMETERS_##name(int, int, gb_word)) {                                              \
    gb_arguments a = ARGUMENTS_##name;                                                                       \
    gb_call call = gb_call_open(GB_CALL_##name, a.comm);                                                     \
    MPI_Count *kept;                                                                                         \
    int rc = decide_in_int(&call, counts, displs, all, &a, &a.blocks, &kept);                                \
    if (rc == MPI_SUCCESS)                                                                                   \
      rc = call.taken ? gb_call_take(&call, &a) : gb_next_in_line()->name(GB_NAMES(name));                   \
    free(kept);                                                                                              \
    return gb_call_end(&call, rc);                                                                           \
  }                                                                                                          \
  int gb_pmpi_i##name(GB_PARAMETERS_##name(int, int, gb_word), void *request) {                              \
    gb_arguments a = ARGUMENTS_##name;                                                                       \
    gb_call call = gb_call_open_at_once(GB_CALL_i##name, a.comm, request);                                   \
    MPI_Count *kept;                                                                                         \
    int rc = decide_in_int(&call, counts, displs, all, &a, &a.blocks, &kept);                                \
    if (call.taken)                                                                                          \
      return gb_request_take(&call, &a, kept, request);                                                      \
    free(kept);                                                                                              \
    if (rc == MPI_SUCCESS)                                                                                   \
      rc = gb_next_in_line()->i##name(GB_NAMES(name), request);                                              \
    return gb_call_end(&call, rc);                                                                           \
  }

DEFINE(scatterv, sendcounts, false, send)
DEFINE(gatherv, recvcounts, false, receive)
DEFINE(allgatherv, recvcounts, true, receive)
