/* What the tests of generated routines share. The routines' own calls to MPI come by here: nothing may be
 * sent before it is there, nor before the words are that it waits for. */
#ifndef GB_TESTS_PLAN_CODEGEN_GENERATED_H
#define GB_TESTS_PLAN_CODEGEN_GENERATED_H

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition, ...)                                                                                \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                        \
      fprintf(stderr, __VA_ARGS__);                                                                          \
      putc('\n', stderr);                                                                                    \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                          \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)
#define MUST(call) CHECK((call) == MPI_SUCCESS, "%s failed", #call)

static int rank, size; /* in MPI_COMM_WORLD */

/* The routine does several things side by side: what it sends need not be what it waits for words for. */
static bool side_by_side;

static struct {
  struct {
    const MPI_Request *request; /* the routine's own: MPI_REQUEST_NULL when it has noticed the end */
    const char *begin, *end;    /* of the bytes that come; the same for words */
  } receive[8192];
  size_t receives;
  long words, blocks, barriers; /* that this rank has sent, and gone through */
  long sent[64];                /* blocks at each barrier */
} seen;

int MPI_Irecv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request) {
  MPI_Aint lower, extent;
  size_t i = 0;
  while (i < seen.receives && seen.receive[i].request != request)
    i++;
  CHECK(i < sizeof seen.receive / sizeof *seen.receive, "more receives than there is room for");
  CHECK(i == seen.receives || *request == MPI_REQUEST_NULL, "rank %d: a request is used twice at a time",
        rank);
  seen.receives += i == seen.receives;
  MUST(MPI_Type_get_true_extent(type, &lower, &extent));
  seen.receive[i].request = request;
  seen.receive[i].begin = to;
  seen.receive[i].end = to == NULL ? to : (const char *)to + extent * count;
  return PMPI_Irecv(to, count, type, from, tag, comm, request);
}

static void look_at_send(const void *from, int count, const MPI_Request *request) {
  CHECK(count == 0 || *request == MPI_REQUEST_NULL, "rank %d: a request is used twice at a time", rank);
  seen.words += count == 0;
  seen.blocks += count > 0;
  for (size_t i = 0; i < seen.receives; i++) {
    const bool word = seen.receive[i].begin == NULL;
    const bool inside =
        (const char *)from >= seen.receive[i].begin && (const char *)from < seen.receive[i].end;
    CHECK(count == 0 || !((word && !side_by_side) || inside) || *seen.receive[i].request == MPI_REQUEST_NULL,
          "rank %d sends before %s", rank, word ? "it was told to" : "the bytes are there");
  }
}

int MPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
  look_at_send(from, count, request);
  return PMPI_Isend(from, count, type, to, tag, comm, request);
}

int MPI_Issend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request) {
  look_at_send(from, count, request);
  return PMPI_Issend(from, count, type, to, tag, comm, request);
}

int MPI_Barrier(MPI_Comm comm) {
  CHECK(seen.barriers < 64, "more barriers than there is room for");
  seen.sent[seen.barriers++] = seen.blocks;
  return PMPI_Barrier(comm);
}

/* Before a call, as requests of earlier ones are gone. */
static void forget(void) {
  memset(&seen, 0, sizeof seen);
}

static void *allocate(size_t n) {
  void *p = malloc(n > 0 ? n : 1);
  CHECK(p != NULL, "no memory for %zu bytes", n);
  return p;
}

static void fill(void *buffer, size_t n, int key) {
  for (size_t i = 0; i < n; i++)
    ((unsigned char *)buffer)[i] = (unsigned char)(((size_t)key * 131 + i * 2654435761u) >> 7 ^ i);
}

/* Three ints in five, the last of them first. */
static MPI_Datatype type_with_holes(void) {
  MPI_Datatype type;
  int length[2] = {1, 2}, place[2] = {4, 1};
  MUST(MPI_Type_indexed(2, length, place, MPI_INT, &type));
  MUST(MPI_Type_commit(&type));
  return type;
}

/* Not to be taken by a routine: a message of the caller's own. */
static void begin_own_message(int *to, MPI_Request *request) {
  *to = -1;
  MUST(PMPI_Irecv(to, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request));
}

static void end_own_message(const int *to, MPI_Request *request) {
  MUST(MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD));
  MUST(MPI_Wait(request, MPI_STATUS_IGNORE));
  CHECK(*to == (rank + size - 1) % size, "rank %d: the routine took a message that is not its own", rank);
}

/* Of all but the last rank; MPI_COMM_NULL there. */
static MPI_Comm smaller_comm(void) {
  MPI_Comm comm;
  MUST(MPI_Comm_split(MPI_COMM_WORLD, rank == size - 1 ? MPI_UNDEFINED : 0, 0, &comm));
  return comm;
}

#endif
