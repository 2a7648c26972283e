/* What the cached path of gbcast() adds to the messages themselves, on two ranks that are two sites, so that
 * the engine runs a plan of one edge: next to the same message sent by hand, and to MPI_Bcast.
 *
 *     printf 'cluster a\nx\ncluster b\ny\nlink a b latency=1ms bandwidth=1Gbit/s\n' >two.txt
 *     GBCAST_HOSTS=two.txt GBCAST_MAP=order mpiexec -n 2 overhead [CALLS]
 *
 * Both ranks share the processors with whatever else runs: medians over rounds in which the three take turns.
 */
#include "bench/numbers.h"
#include <gbcast/gbcast.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 15, KINDS = 3 };

typedef int broadcast(void *buf, size_t n, int root, MPI_Comm comm);

static int by_mpi(void *buf, size_t n, int root, MPI_Comm comm) {
  return MPI_Bcast(buf, (int)n, MPI_BYTE, root, comm);
}

/* The plan's one message. */
static int by_hand(void *buf, size_t n, int root, MPI_Comm comm) {
  int rank;
  if (n == 0)
    return MPI_SUCCESS;
  MPI_Request request;
  int rc = MPI_Comm_rank(comm, &rank);
  if (rc == MPI_SUCCESS)
    rc = rank == root ? MPI_Isend(buf, (int)n, MPI_BYTE, 1, 0, comm, &request)
                      : MPI_Irecv(buf, (int)n, MPI_BYTE, root, 0, comm, &request);
  return rc == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : rc;
}

/* Nanoseconds a call on this rank, or below 0 after an error. */
static double measure(broadcast *call, void *buffer, size_t n, long calls) {
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
  static broadcast *const kind[KINDS] = {gbcast, by_hand, by_mpi};
  static const size_t size[] = {0, 1, 1024, 16384};
  long calls = argc > 1 ? strtol(argv[1], NULL, 10) : 5000;
  int rank = 0, ranks = 0, status = 0;
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS || MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS ||
      MPI_Comm_size(MPI_COMM_WORLD, &ranks) != MPI_SUCCESS)
    return 1;
  if (calls < 1 || ranks != 2) {
    if (rank == 0)
      fprintf(stderr, "usage: mpiexec -n 2 overhead [CALLS]\n");
    MPI_Finalize();
    return 2;
  }
  char *buffer = calloc(1, size[3]);
  if (rank == 0)
    printf("%6s %12s %12s %12s %16s\n", "bytes", "gbcast ns", "by hand ns", "MPI_Bcast ns",
           "added by gbcast");
  for (size_t i = 0; buffer && i < sizeof size / sizeof *size; i++) {
    double time[KINDS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
      for (int k = 0; k < KINDS; k++) {
        time[k][round] = measure(kind[k], buffer, size[i], calls);
        status |= time[k][round] < 0;
      }
    for (int k = 0; k < KINDS; k++)
      qsort(time[k], ROUNDS, sizeof **time, ascending);
    double ours = time[0][ROUNDS / 2], hand = time[1][ROUNDS / 2];
    if (rank == 0)
      printf("%6zu %12.1f %12.1f %12.1f %13.1f ns\n", size[i], ours, hand, time[2][ROUNDS / 2], ours - hand);
  }
  status |= buffer == NULL;
  free(buffer);
  return MPI_Finalize() != MPI_SUCCESS || status;
}
