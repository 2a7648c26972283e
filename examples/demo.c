/* A broadcast and a scatter, checked byte by byte and timed, next to what gbcast predicts for the grid.
 *
 *   GBCAST_HOSTS=examples/three-sites.txt GBCAST_MAP=order mpiexec -n 8 demo [BYTES] */
#include <gbcast/gbcast.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 3 };

static unsigned char pattern(size_t i, int round) {
  return (unsigned char)((i * 2654435761u + (size_t)round * 97u) >> 7);
}

static _Noreturn void stop(const char *what) {
  fprintf(stderr, "demo: %s failed\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
  abort();
}

static void must(int rc, const char *what) {
  if (rc != MPI_SUCCESS) {
    stop(what);
  }
}

/* From the root's start to the last rank's end. All ranks read the same clock here: one machine, or one
 * simulator. */
static double elapsed(double start, double end) {
  MPI_Bcast(&start, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &end, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return end - start;
}

/* Far ranks leave a barrier later than near ones: the root waits until all of them are ready. */
static void all_ready(int rank) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    nanosleep(&(struct timespec){.tv_nsec = 250000000}, NULL);
  }
}

static long wrong_bytes(const unsigned char *buffer, size_t n, size_t offset, int round) {
  long wrong = 0;
  for (size_t i = 0; i < n; i++) {
    wrong += buffer[i] != pattern(offset + i, round);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return wrong;
}

/* Times `REPEATS` operations and returns the best; the first one also plans. */
static double run(int scatter, unsigned char *all, unsigned char *mine, size_t n, int rank, int size,
                  long *wrong) {
  double best = 1e30;
  size_t total = scatter ? n * (size_t)size : n;
  *wrong = 0;
  for (int round = 0; round <= REPEATS; round++) {
    for (size_t i = 0; rank == 0 && i < total; i++) {
      all[i] = pattern(i, round);
    }
    memset(mine, 0xee, n);
    if (!scatter && rank == 0) {
      memcpy(mine, all, n);
    }
    all_ready(rank);
    double start = MPI_Wtime();
    if (scatter) {
      must(gbcast_scatter(all, (MPI_Count)n, MPI_BYTE, mine, (MPI_Count)n, MPI_BYTE, 0, MPI_COMM_WORLD),
           "scatter");
    } else {
      must(gbcast(mine, n, 0, MPI_COMM_WORLD), "broadcast");
    }
    double seconds = elapsed(start, MPI_Wtime());
    best = round > 0 && seconds < best ? seconds : best;
    *wrong += wrong_bytes(mine, n, scatter ? n * (size_t)rank : 0, round);
  }
  return best;
}

/* The last line of the plan's text: predicted time, bound, ratio, hash. */
static void print_last_line(char *text) {
  size_t length = strlen(text);
  while (length > 0 && text[length - 1] == '\n') {
    text[--length] = '\0';
  }
  char *line = strrchr(text, '\n');
  printf("  %s\n", line == NULL ? text : line + 1);
}

int main(int argc, char **argv) {
  int rank, size, failed = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  size_t n = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : (size_t)1 << 20;
  unsigned char *all = malloc(rank == 0 ? n * (size_t)size + 1 : 1), *mine = malloc(n + 1);
  if (all == NULL || mine == NULL) {
    stop("malloc");
  }
  for (int scatter = 0; scatter <= 1; scatter++) {
    size_t bytes = scatter ? n / (size_t)size : n;
    long wrong;
    char *text = NULL;
    double best = run(scatter, all, mine, bytes, rank, size, &wrong);
    must(scatter ? gbcast_explain_scatter(MPI_COMM_WORLD, bytes, 0, &text)
                 : gbcast_explain(MPI_COMM_WORLD, bytes, 0, &text),
         "explain");
    if (rank == 0) {
      printf("%s of %zu bytes%s, %d ranks\n", scatter ? "scatter" : "broadcast", bytes,
             scatter ? " a rank" : "", size);
      print_last_line(text);
      printf("  measured %.4g ms (best of %d); %s\n", best * 1e3, REPEATS,
             wrong == 0 ? "every byte right on every rank" : "WRONG BYTES");
      fflush(stdout);
    }
    failed |= wrong != 0;
    free(text);
  }
  free(mine);
  free(all);
  MPI_Finalize();
  return failed;
}
