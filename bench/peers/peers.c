/* One collective after another in the simulator, each checked on every rank; run by
 * bench/peers/run and bench/alltoall/run.
 *
 *     peers gbcast|mpi OPERATION ROOT[,ROOT...] BYTES[,BYTES...] WARM
 *
 * prints for each root and size "= ROOT BYTES SECONDS ERRORS": the time from a common start until the last
 * rank is done, and how many ranks have wrong data. Simulated clocks agree, so the ranks agree on a moment
 * and sleep until then; no barrier's skew is in the time. The last rank is late at a call that is not timed:
 * a barrier keeps all others as long. */
#include "bench/calls.h"
#include <stdio.h>
#include <time.h>

typedef struct bench {
  bench_call c;
  bool gbcast;
  size_t warm; /* up to this size, a call that is not timed comes first */
} bench;

static const double late = 0.25; /* s */

static void sleep_until(double moment) {
  const double rest = moment - MPI_Wtime();
  struct timespec pause = {(time_t)rest, (long)((rest - (double)(time_t)rest) * 1e9)};
  nanosleep(&pause, NULL);
}

/* A moment at which no rank is busy any more; returns when it has come. */
static double common_start(void) {
  double now, start;
  MPI_Barrier(MPI_COMM_WORLD);
  now = MPI_Wtime();
  MPI_Allreduce(&now, &start, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  start += 2;
  sleep_until(start);
  return start;
}

static double timed(bench *b, bool warming, int *wrong) {
  const bool barrier = b->c.operation == BENCH_BARRIER;
  prepare(&b->c);
  double start = common_start();
  if (warming && barrier && b->c.rank == b->c.ranks - 1)
    sleep_until(start + late);
  int rc = call(&b->c, b->gbcast);
  double seconds = MPI_Wtime() - start;
  *wrong = rc != MPI_SUCCESS || !arrived(&b->c) || (warming && barrier && seconds < late);
  return seconds;
}

static void measure(bench *b) {
  int wrong = 0, wrong_before = 0, all_wrong = 0;
  double last = 0;
  if (b->c.size <= b->warm)
    timed(b, true, &wrong_before);
  double seconds = timed(b, false, &wrong);
  wrong |= wrong_before;
  MPI_Reduce(&seconds, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (b->c.rank == 0) {
    printf("= %d %zu %.9g %d\n", b->c.root, b->c.size, last, all_wrong);
    fflush(stdout);
  }
}

/* The largest number of a list. */
static size_t largest(const char *list) {
  size_t most = 0;
  for (char *end; *list != '\0'; list = *end == ',' ? end + 1 : end) {
    size_t n = strtoull(list, &end, 10);
    most = n > most ? n : most;
    if (end == list)
      break;
  }
  return most;
}

/* All sizes from one root; false when the ranks have not got the memory. */
static bool measure_sizes(bench *b, const char *sizes) {
  bool ready = allocate(&b->c, largest(sizes));
  for (char *end; ready && *sizes != '\0'; sizes = *end == ',' ? end + 1 : end) {
    b->c.size = strtoull(sizes, &end, 10);
    if (end == sizes)
      break;
    measure(b);
  }
  release(&b->c);
  return ready;
}

static bool measure_all(bench *b, const char *roots, const char *sizes) {
  bool done = true;
  for (char *end; done && *roots != '\0'; roots = *end == ',' ? end + 1 : end) {
    b->c.root = (int)strtol(roots, &end, 10);
    if (end == roots)
      break;
    done = measure_sizes(b, sizes);
  }
  return done;
}

int main(int argc, char **argv) {
  bench b = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &b.c.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &b.c.ranks);
  b.c.operation = argc == 6 ? operation_of(argv[2]) : BENCH_OPERATIONS;
  if (b.c.operation == BENCH_OPERATIONS) {
    if (b.c.rank == 0)
      fprintf(stderr, "usage: peers gbcast|mpi " BENCH_NAMES " ROOT[,ROOT...] BYTES[,BYTES...] WARM\n");
    MPI_Finalize();
    return 2;
  }
  b.gbcast = strcmp(argv[1], "gbcast") == 0;
  b.warm = strtoull(argv[5], NULL, 10);
  bool done = measure_all(&b, argv[3], argv[4]);
  if (!done && b.c.rank == 0)
    fprintf(stderr, "peers: no memory\n");
  MPI_Finalize();
  return done ? 0 : 1;
}
