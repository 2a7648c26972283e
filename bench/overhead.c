/* What the cached path of gbcast() adds to the messages themselves, on two ranks that are two sites, so that
 * the executor runs a plan of one edge.
 *
 *     printf 'cluster a\nx\ncluster b\ny\nlink a b latency=1ms bandwidth=1Gbit/s\n' >two.txt
 *     GBCAST_HOSTS=two.txt GBCAST_MAP=order mpiexec -n 2 overhead [CALLS]
 *
 * First it counts the functions of the library that a call enters, in a second copy of the library, which is
 * compiled with -finstrument-functions: of all, those too that the compiler has inlined.
 *
 * Then it measures the time of a call: of gbcast(), of an empty function, of the same message sent by hand,
 * and of MPI_Bcast(). Both ranks share the processors with whatever else runs: medians over rounds in which
 * all take turns. Calls follow each other without a pause, and the time is that of the slower rank. */
#include "bench/numbers.h"
#include "bench/stubs.h"
#include <dlfcn.h>
#include <gbcast/gbcast.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ROUNDS = 10001, WARM_UP = 4, CALLS = 32, ENTERED = 1024, GO_TAG = 77 };

static long entries; /* of functions of the copy of the library */

__attribute__((visibility("default"))) void __cyg_profile_func_enter(void *function, void *caller);
__attribute__((visibility("default"))) void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller) {
  (void)function, (void)caller;
  entries++;
}

void __cyg_profile_func_exit(void *function, void *caller) {
  (void)function, (void)caller;
}

static int by_mpi(void *buf, size_t n, int root, MPI_Comm comm) {
  return MPI_Bcast(buf, (int)n, MPI_BYTE, root, comm);
}

/* Sets found[rank] to the least that one of many cached calls enters. */
static int count(broadcast *call, void *buffer, long *found) {
  long least = 0;
  int rc = MPI_SUCCESS;
  for (int i = -WARM_UP; rc == MPI_SUCCESS && i < WARM_UP; i++) {
    entries = 0;
    rc = call(buffer, ENTERED, 0, MPI_COMM_WORLD);
    if (i <= 0 || entries < least)
      least = entries;
  }
  return rc == MPI_SUCCESS ? MPI_Allgather(&least, 1, MPI_LONG, found, 1, MPI_LONG, MPI_COMM_WORLD) : rc;
}

/* The first table. false: something failed. */
static bool count_all(int rank, void *buffer) {
  static const char *const name[] = {"stub_empty", "stub_by_hand", "gbcast"};
  void *library = dlopen(GB_COUNTED, RTLD_NOW | RTLD_LOCAL);
  long found[2];
  if (library == NULL)
    fprintf(stderr, "overhead: %s\n", dlerror());
  if (library != NULL && rank == 0)
    printf("# functions entered in a cached call of %d bytes\n# %-12s %6s %6s\n", ENTERED, "", "root",
           "leaf");
  bool good = library != NULL;
  for (size_t i = 0; good && i < sizeof name / sizeof *name; i++) {
    broadcast *call;
    *(void **)&call = dlsym(library, name[i]);
    good = call != NULL && count(call, buffer, found) == MPI_SUCCESS;
    if (good && rank == 0)
      printf("  %-12s %6ld %6ld\n", name[i], found[0], found[1]);
  }
  return good; /* MPI_Finalize still calls the copy */
}

/* MPI_Wait, which lets others have the processor. */
static int wait_for(MPI_Request *request) {
  int done = 0, rc = MPI_Test(request, &done, MPI_STATUS_IGNORE);
  while (rc == MPI_SUCCESS && !done) {
    (void)sched_yield();
    rc = MPI_Test(request, &done, MPI_STATUS_IGNORE);
  }
  return rc;
}

/* Nanoseconds a call on this rank, or below 0 after an error. */
static double measure(broadcast *call, void *buffer, size_t n, int rank) {
  MPI_Request request;
  int rc = MPI_Ibarrier(MPI_COMM_WORLD, &request);
  if (rc == MPI_SUCCESS)
    rc = wait_for(&request);
  if (rc == MPI_SUCCESS && rank > 0) {
    rc = MPI_Irecv(NULL, 0, MPI_BYTE, 0, GO_TAG, MPI_COMM_WORLD, &request);
    if (rc == MPI_SUCCESS)
      rc = wait_for(&request);
  }
  double start = 0;
  for (int i = -WARM_UP; rc == MPI_SUCCESS && i < CALLS; i++) {
    if (i == 0)
      start = MPI_Wtime();
    rc = call(buffer, n, 0, MPI_COMM_WORLD);
  }
  const double time = MPI_Wtime() - start;
  if (rc == MPI_SUCCESS && rank == 0)
    rc = MPI_Send(NULL, 0, MPI_BYTE, 1, GO_TAG, MPI_COMM_WORLD);
  return rc == MPI_SUCCESS ? time / CALLS * 1e9 : -1;
}

enum { EMPTY, BY_GBCAST, BY_HAND, BY_MPI, ADDED, COLUMNS };

/* Medians on this rank; the last is that of the differences in each round. */
static bool measure_each(void *buffer, size_t n, int rank, int rounds, double *out) {
  static broadcast *const kind[] = {stub_empty, gbcast, stub_by_hand, by_mpi};
  double time[COLUMNS][MOST_ROUNDS];
  for (int k = 0; k < ADDED; k++) /* the first calls wait for the other rank */
    for (int i = 0; i < WARM_UP; i++)
      if (kind[k](buffer, n, 0, MPI_COMM_WORLD) != MPI_SUCCESS)
        return false;
  for (int round = 0; round < rounds; round++) {
    for (int k = 0; k < ADDED; k++) {
      time[k][round] = measure(kind[k], buffer, n, rank);
      if (time[k][round] < 0)
        return false;
    }
    time[ADDED][round] = time[BY_GBCAST][round] - time[BY_HAND][round];
  }
  for (int k = 0; k < COLUMNS; k++) {
    qsort(time[k], (size_t)rounds, sizeof **time, ascending);
    out[k] = time[k][rounds / 2];
  }
  return true;
}

/* The second table. */
static bool measure_all(void *buffer, int rank, int rounds) {
  static const size_t size[] = {0, 1, ENTERED};
  double time[2][COLUMNS];
  if (rank == 0)
    printf("# nanoseconds a call: medians of %d rounds\n"
           "# %6s %6s %9s %9s %9s %9s %9s\n",
           rounds, "bytes", "rank", "empty", "gbcast", "by hand", "MPI_Bcast", "added");
  for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
    double mine[COLUMNS];
    if (!measure_each(buffer, size[i], rank, rounds, mine) ||
        MPI_Gather(mine, COLUMNS, MPI_DOUBLE, time, COLUMNS, MPI_DOUBLE, 0, MPI_COMM_WORLD) != MPI_SUCCESS)
      return false;
    for (int r = 0; rank == 0 && r < 2; r++) {
      printf("  %6zu %6s", size[i], r == 0 ? "root" : "leaf");
      for (int k = 0; k < COLUMNS; k++)
        printf(" %9.1f", time[r][k]);
      printf("\n");
    }
  }
  return true;
}

int main(int argc, char **argv) {
  static char buffer[ENTERED];
  bool good = argc <= 2, bad = false;
  const int rounds = argc == 2 ? (int)number(argv[1], 1, MOST_ROUNDS, &bad) : 1001;
  int rank = 0, ranks = 0;
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS || MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS ||
      MPI_Comm_size(MPI_COMM_WORLD, &ranks) != MPI_SUCCESS)
    return 1;
  if (!good || bad || ranks != 2) {
    if (rank == 0)
      fprintf(stderr, "usage: mpiexec -n 2 overhead [ROUNDS]\n");
    MPI_Finalize();
    return 2;
  }
  good = count_all(rank, buffer) && measure_all(buffer, rank, rounds);
  return MPI_Finalize() != MPI_SUCCESS || !good;
}
