/* MPI_Scatterv() and others whose names end with v, and their non-blocking forms, whose arrays of int have to
 * be converted. */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"
#include "mpi/pmpi/request.h"
#include <stdlib.h>

typedef struct gb_in_int { /* counts and places of the blocks of a buffer */
  const int *counts, *displs;
  bool used; /* by this rank */
  gb_buffer *blocks;
} gb_in_int;

/* Whether they can be converted; otherwise, MPI finds out what is wrong with them. */
static bool is_there(const gb_in_int *one) {
  return one->used && one->counts != NULL && one->displs != NULL;
}

/* To the types that gbcast takes: *kept, to be freed. The error has gone through the error handler. */
static int convert(const gb_call *call, const gb_in_int *each, size_t buffers, MPI_Comm comm,
                   MPI_Count **kept) {
  const size_t size = (size_t)call->c->wire.size;
  MPI_Count *count = *kept = malloc((sizeof *count + sizeof(MPI_Aint)) * size * buffers);
  if (count == NULL)
    return gb_raise(comm, MPI_ERR_NO_MEM);
  MPI_Aint *place = (MPI_Aint *)(void *)(count + size * buffers);
  for (size_t b = 0; b < buffers; b++, count += size, place += size) {
    for (size_t i = 0; is_there(&each[b]) && i < size; i++) {
      count[i] = each[b].counts[i];
      place[i] = each[b].displs[i];
    }
    each[b].blocks->counts = is_there(&each[b]) ? count : NULL;
    each[b].blocks->places = is_there(&each[b]) ? place : NULL;
  }
  return MPI_SUCCESS;
}

/* Decides on a call whose counts and places are of type int. The error has gone through the error handler. */
static int decide_in_int(gb_call *call, const gb_in_int *each, size_t buffers, gb_arguments *a,
                         MPI_Count **kept) {
  bool any = false;
  int rc = MPI_SUCCESS;
  *kept = NULL;
  for (size_t b = 0; b < buffers; b++) {
    any = any || is_there(&each[b]);
    if (each[b].used && each[b].counts != NULL && a->root >= 0)
      each[b].blocks->count = each[b].counts[a->root]; /* of the root's own block, for calls passed on */
  }
  if (any && call->c != NULL)
    rc = convert(call, each, buffers, a->comm, kept);
  if (rc == MPI_SUCCESS)
    gb_call_decide(call, a);
  return rc;
}

/* Handles of another MPI library are not looked at. */
#define GB_IS_ROOT call.dropin != NULL &&gb_api_is_root(call.c, &a)

/* Their arguments, without the arrays, which come after them. */
#define ARGUMENTS_scatterv                                                                                   \
  gb_scatterv_arguments(sendbuf, NULL, NULL, sendtype, recvbuf, recvcount, recvtype, root, comm)
#define ARRAYS_scatterv                                                                                      \
  { sendcounts, displs, GB_IS_ROOT, &a.send }
#define ARGUMENTS_gatherv                                                                                    \
  gb_gatherv_arguments(sendbuf, sendcount, sendtype, recvbuf, NULL, NULL, recvtype, root, comm)
#define ARRAYS_gatherv                                                                                       \
  { recvcounts, displs, GB_IS_ROOT, &a.receive }
#define ARGUMENTS_allgatherv                                                                                 \
  gb_allgatherv_arguments(sendbuf, sendcount, sendtype, recvbuf, NULL, NULL, recvtype, comm)
#define ARRAYS_allgatherv                                                                                    \
  { recvcounts, displs, true, &a.receive }
#define ARGUMENTS_alltoallv                                                                                  \
  gb_alltoallv_arguments(sendbuf, NULL, NULL, sendtype, recvbuf, NULL, NULL, recvtype, comm)
#define ARRAYS_alltoallv                                                                                     \
  {sendcounts, sdispls, sendbuf != MPI_IN_PLACE, &a.send}, {                                                 \
    recvcounts, rdispls, true, &a.receive                                                                    \
  }

/* Both forms of each. */
#define DEFINE(name, title)                                                                                  \
  int gb_pmpi_##name(GB_PARAMETERS(name, int, int, gb_word)) {                                               \
    gb_arguments a = ARGUMENTS_##name;                                                                       \
    gb_call call = gb_call_open(GB_CALL_##name, a.comm);                                                     \
    const gb_in_int each[] = {ARRAYS_##name};                                                                \
    MPI_Count *kept;                                                                                         \
    int rc = decide_in_int(&call, each, sizeof each / sizeof *each, &a, &kept);                              \
    if (rc == MPI_SUCCESS)                                                                                   \
      rc = call.taken ? gb_call_take(&call, &a) : gb_next_in_line()->name(GB_NAMES(name));                   \
    free(kept);                                                                                              \
    return gb_call_end(&call, rc);                                                                           \
  }                                                                                                          \
  int gb_pmpi_i##name(GB_PARAMETERS(name, int, int, gb_word), void *request) {                               \
    gb_arguments a = ARGUMENTS_##name;                                                                       \
    gb_call call = gb_call_open_at_once(GB_CALL_##name, a.comm, request);                                    \
    const gb_in_int each[] = {ARRAYS_##name};                                                                \
    MPI_Count *kept;                                                                                         \
    int rc = decide_in_int(&call, each, sizeof each / sizeof *each, &a, &kept);                              \
    if (call.taken)                                                                                          \
      return gb_request_take(&call, &a, kept, request);                                                      \
    free(kept);                                                                                              \
    if (rc == MPI_SUCCESS)                                                                                   \
      rc = gb_next_in_line()->i##name(GB_NAMES(name), request);                                              \
    return gb_call_end(&call, rc);                                                                           \
  }

#define NOT_HERE(name, title)
GB_EACH_BY_COUNTS(NOT_HERE, DEFINE)
