/* What gbcast() costs besides the messages: the time of one call, next to MPI_Bcast.
 *
 *     overhead [CALLS]            on one rank: the way through to MPI
 *     mpiexec -n 2 overhead       the cached path: calls of no bytes end after the look-up of the
 * communicator and the checks; the root of one byte adds plan look-up, engine and the send itself */
#include <gbcast/gbcast.h>
#include <stdio.h>
#include <stdlib.h>

typedef int broadcast(void *buf, size_t n, int root, MPI_Comm comm);

static int by_mpi(void *buf, size_t n, int root, MPI_Comm comm) {
  return MPI_Bcast(buf, (int)n, MPI_BYTE, root, comm);
}

/* Nanoseconds a call, or below 0 after an error. */
static double measure(broadcast *call, size_t n, long calls) {
  char buffer[64] = {0};
  if (MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS)
    return -1;
  double start = 0;
  for (long i = -100; i < calls; i++) {
    if (i == 0)
      start = MPI_Wtime();
    if (call(buffer, n, 0, MPI_COMM_WORLD) != MPI_SUCCESS)
      return -1;
  }
  return (MPI_Wtime() - start) / (double)calls * 1e9;
}

int main(int argc, char **argv) {
  long calls = argc > 1 ? strtol(argv[1], NULL, 10) : 200000;
  if (calls < 1) {
    fprintf(stderr, "usage: overhead [CALLS]\n");
    return 2;
  }
  int rank = 0, status = 0;
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS || MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS)
    return 1;
  static const size_t size[] = {0, 1, 64};
  if (rank == 0)
    printf("%6s %14s %14s %14s\n", "bytes", "gbcast ns", "MPI_Bcast ns", "difference ns");
  for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
    double ours = measure(gbcast, size[i], calls), theirs = measure(by_mpi, size[i], calls);
    status |= ours < 0 || theirs < 0;
    if (rank == 0)
      printf("%6zu %14.1f %14.1f %14.1f\n", size[i], ours, theirs, ours - theirs);
  }
  return MPI_Finalize() != MPI_SUCCESS || status;
}
