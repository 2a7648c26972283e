/* GBCAST_PROGRESS=thread: a rank passes data on while the program does something else. And what a
 * non-blocking call needs of its arguments after it has begun: not the datatype. */
#include "tests/support/mpi/calls.h"

enum { BYTES = 100000 };

/* The middle of a chain waits for a message that the last rank sends when it has the data. */
static void passes_on(void) {
  static unsigned char buffer[BYTES];
  const int rank = rank_in(MPI_COMM_WORLD), last = size_of(MPI_COMM_WORLD) - 1;
  const setting forced[] = {{"gbcast_intra", "chain"}, {"gbcast_progress", "thread"}};
  MPI_Comm comm;
  gbcast_handle handle;
  int word = 0;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(set_up_with(comm, "grid-flat.txt", forced, sizeof forced / sizeof *forced));
  for (int i = 0; i < 20; i++) {
    if (rank == 0)
      fill(buffer, BYTES, (uint64_t)i);
    MUST(gbcast_ibcast(buffer, BYTES, MPI_BYTE, 0, comm, &handle));
    if (rank > 0 && rank < last)
      MUST(MPI_Recv(&word, 1, MPI_INT, last, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    MUST(gbcast_wait(&handle));
    CHECK(differs(buffer, BYTES, (uint64_t)i) == BYTES, "call %d: wrong bytes", i);
    for (int to = 1; rank == last && to < last; to++)
      MUST(MPI_Send(&word, 1, MPI_INT, to, 5, MPI_COMM_WORLD));
  }
  MUST(MPI_Comm_free(&comm));
}

/* The datatype is freed as soon as the call has begun. */
static void frees_types(void) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  for (int call = 0; call < FIRST_CALLS; call++) {
    unsigned char *from = calloc((size_t)size, 2 * BYTES), *to = calloc((size_t)size, 2 * BYTES);
    MPI_Count count[64];
    MPI_Aint place[64];
    MPI_Datatype type;
    gbcast_handle handle;
    CHECK(from != NULL && to != NULL && size <= 64, "no memory");
    MUST(MPI_Type_create_resized(MPI_BYTE, 0, 2, &type));
    MUST(MPI_Type_commit(&type));
    for (int r = 0; r < size; r++) {
      count[r] = BYTES;
      place[r] = (MPI_Aint)BYTES * r;
      for (size_t i = 0; i < BYTES; i++)
        from[2 * ((size_t)r * BYTES + i)] = pattern((uint64_t)(call == ALLTOALL ? 64 * rank + r : r), i);
    }
    switch (call) {
    case BCAST:
      MUST(gbcast_ibcast(rank == 0 ? from : to, BYTES, type, 0, MPI_COMM_WORLD, &handle));
      break;
    case SCATTER:
      MUST(gbcast_iscatter(from, BYTES, type, to, BYTES, type, 0, MPI_COMM_WORLD, &handle));
      break;
    case SCATTERV:
      MUST(gbcast_iscatterv(from, count, place, type, to, BYTES, type, 0, MPI_COMM_WORLD, &handle));
      break;
    default:
      MUST(gbcast_ialltoall(from, BYTES, type, to, BYTES, type, MPI_COMM_WORLD, &handle));
    }
    MUST(MPI_Type_free(&type));
    MUST(gbcast_wait(&handle));
    const unsigned char *got = call == BCAST && rank == 0 ? from : to;
    for (int r = 0; r < (call == ALLTOALL ? size : 1); r++)
      for (size_t i = 0; i < BYTES; i++) {
        const int key = call == BCAST ? 0 : call == ALLTOALL ? 64 * r + rank : rank;
        CHECK(got[2 * ((size_t)r * BYTES + i)] == pattern((uint64_t)key, i), "%s: byte %zu is wrong",
              call_name[call], i);
      }
    free(from);
    free(to);
  }
}

int main(int argc, char **argv) {
  int level;
  MUST(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
  const setting forced[] = {{"gbcast_intra", "binomial"}, {"gbcast_sync", "at-once"}};
  MUST(set_up_with(MPI_COMM_WORLD, "grid-flat.txt", forced, sizeof forced / sizeof *forced));
  frees_types();
  if (level == MPI_THREAD_MULTIPLE)
    passes_on();
  MUST(MPI_Finalize());
  return 0;
}
