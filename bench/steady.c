/* Broadcasts at regular times, as a job's steps make them, while the network under it changes
 * (bench/grid/live):
 *
 *     GBCAST_HOSTS=hosts.txt GBCAST_LIVE=nws://host GBCAST_REFRESH=20 mpiexec ... steady BYTES COUNT SECONDS
 *
 * A line for each: when it began (seconds since 1970), how long it took from the moment at which all ranks
 * began until the last was done, the hash of its plan, whether all ranks have that plan, and whether all
 * bytes were right. Exit status 1 when any were not. */
#include "bench/moment.h"
#include <stdio.h>

typedef struct steady {
  bench_call c;
  shared_clock clock;
  int count;
  double period; /* s, from the start of one broadcast to that of the next */
} steady;

static double wall(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_REALTIME, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The same on all ranks: whether `value` is. */
static bool is_same(uint64_t value) {
  uint64_t mine[2] = {value, ~value}, most[2];
  MPI_Allreduce(mine, most, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return most[0] == ~most[1];
}

typedef struct has {
  uint64_t hash; /* 0: none */
  char predicted[32];
} has;

/* The plan that a broadcast has now on this rank, from the last line that tells:
 * "predicted 41.2 ms, lower bound 40 ms, ratio 1.030; plan 0123456789abcdef". */
static has plan(const steady *s) {
  has found = {0, "-"};
  char *text = NULL, *line;
  if (gbcast_explain(MPI_COMM_WORLD, s->c.size, s->c.root, &text) != MPI_SUCCESS)
    return found;
  for (char *at = text; (line = strstr(at, "predicted ")) != NULL; at = line + 1) {
    const char *hash = strstr(line, "; plan ");
    if (hash != NULL && sscanf(line, "predicted %31[^,]", found.predicted) == 1)
      found.hash = strtoull(hash + strlen("; plan "), NULL, 16);
  }
  free(text);
  return found;
}

static bool step(steady *s) {
  long wrong = 0, any_wrong = 0;
  const double seconds = call_together(&s->c, true, &s->clock, &wrong);
  const double began = wall() - (now_on(&s->clock) - s->clock.moment);
  MPI_Allreduce(&wrong, &any_wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  const has now = plan(s);
  bool same = is_same(now.hash);
  if (s->c.rank == 0) {
    printf("%.3f %.3f ms %016llx %s %s predicted %s\n", began, 1e3 * seconds, (unsigned long long)now.hash,
           same ? "same" : "DIFFERENT", any_wrong == 0 ? "right" : "WRONG", now.predicted);
    fflush(stdout);
  }
  nap(began + s->period - wall());
  return any_wrong == 0 && same;
}

static bool read_arguments(int argc, char **argv, steady *s) {
  char *end[3] = {"x", "x", "x"};
  if (argc == 4) {
    s->c.size = strtoull(argv[1], &end[0], 10);
    s->count = (int)strtol(argv[2], &end[1], 10);
    s->period = strtod(argv[3], &end[2]);
  }
  return *end[0] == '\0' && *end[1] == '\0' && *end[2] == '\0' && s->c.size > 0 && s->c.size <= 1 << 30 &&
         s->count > 0 && s->period >= 0 && s->period <= 3600;
}

int main(int argc, char **argv) {
  steady s = {.c = {.operation = BENCH_BCAST}};
  bool right = true;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &s.c.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &s.c.ranks);
  if (!read_arguments(argc, argv, &s)) {
    if (s.c.rank == 0)
      fputs("usage: mpiexec -n N steady BYTES COUNT SECONDS\n", stderr);
    MPI_Finalize();
    return 2;
  }
  if (!allocate(&s.c, s.c.size)) {
    if (s.c.rank == 0)
      fprintf(stderr, "steady: no memory for messages of %zu bytes\n", s.c.size);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  s.clock = make_clock(s.c.rank, s.c.ranks);
  for (int i = 0; i < s.count; i++)
    right = step(&s) && right;
  release(&s.c);
  MPI_Finalize();
  return !right;
}
