/* What the first broadcast on a communicator takes, whose duplicate and plan have to be made, next to the
 * second, to MPI's, and to what a duplicate alone takes:
 *
 *     GBCAST_HOSTS=hosts.txt mpiexec -f hosts.txt first [BYTES [ROUNDS]]
 *
 * The first line is the first call of the job, from leaving a barrier: connections that the barrier does not
 * need are made in it. All others are medians of rounds that find the connections made and have new
 * communicators, from the moment at which all ranks begin until the last is done. Milliseconds. Exit status 1
 * when data were wrong. */
#include "bench/moment.h"
#include "bench/numbers.h"
#include <stdio.h>

enum { FIRST, SECOND, BY_MPI, DUPLICATE, BESIDES, STEPS, MOST_ROUNDS = 1001 };
static const char *const step_name[] = {"gbcast, first call", "gbcast, second call", "MPI_Bcast, first call",
                                        "MPI_Comm_dup", "MPI_Comm_idup"};

typedef struct bench {
  bench_call c;
  shared_clock clock;
  MPI_Comm made; /* by the step before, to be freed */
  long wrong;    /* calls that failed or left wrong data on this rank */
} bench;

static int run(bench *b, int step, MPI_Comm comm) {
  MPI_Request request;
  if (step == FIRST || step == SECOND)
    return gbcast(b->c.in, b->c.size, b->c.root, comm);
  if (step == BY_MPI)
    return MPI_Bcast(b->c.in, (int)b->c.size, MPI_BYTE, b->c.root, comm);
  if (step == DUPLICATE)
    return MPI_Comm_dup(comm, &b->made);
  int rc = MPI_Comm_idup(comm, &b->made, &request);
  return rc == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : rc;
}

/* s; negative when a rank began too late. */
static double timed(bench *b, int step, MPI_Comm comm) {
  prepare(&b->c);
  await_moment(&b->clock);
  double begun = now_on(&b->clock);
  int rc = run(b, step, comm);
  double seconds = seconds_since(&b->clock, begun);
  b->wrong += rc != MPI_SUCCESS || (step < DUPLICATE && !arrived(&b->c));
  if (b->made != MPI_COMM_NULL)
    MPI_Comm_free(&b->made);
  return seconds;
}

/* The first call of the job, from leaving a barrier. */
static double time_first_of_job(bench *b) {
  prepare(&b->c);
  MPI_Barrier(MPI_COMM_WORLD);
  double begun = MPI_Wtime();
  int rc = run(b, FIRST, MPI_COMM_WORLD);
  double mine = MPI_Wtime() - begun, longest = 0;
  b->wrong += rc != MPI_SUCCESS || !arrived(&b->c);
  MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return longest;
}

/* All steps on communicators of their own; false when they have to be done again. */
static bool round_of(bench *b, double time[STEPS]) {
  MPI_Comm ours, theirs;
  bool good = true;
  MPI_Comm_dup(MPI_COMM_WORLD, &ours);
  MPI_Comm_dup(MPI_COMM_WORLD, &theirs);
  for (int step = 0; step < STEPS; step++) {
    time[step] = timed(b, step, step <= SECOND ? ours : theirs);
    good = good && time[step] >= 0;
  }
  MPI_Comm_free(&theirs);
  MPI_Comm_free(&ours);
  return good;
}

static void print(const bench *b, double job, int rounds, double (*time)[STEPS]) {
  double one[MOST_ROUNDS];
  printf("# %zu bytes, %d ranks, %d rounds; ms\n", b->c.size, b->c.ranks, rounds);
  printf("%-22s %9.2f\n", "gbcast, first of job", 1e3 * job);
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < rounds; i++)
      one[i] = time[i][step];
    qsort(one, (size_t)rounds, sizeof *one, ascending);
    printf("%-22s %9.2f\n", step_name[step], 1e3 * one[rounds / 2]);
  }
}

int main(int argc, char **argv) {
  static double time[MOST_ROUNDS][STEPS];
  bench b = {.c.operation = BENCH_BCAST, .made = MPI_COMM_NULL};
  long wrong = 1;
  char *end[2] = {"", ""};
  b.c.size = argc > 1 ? strtoul(argv[1], &end[0], 10) : 1024;
  unsigned long rounds = argc > 2 ? strtoul(argv[2], &end[1], 10) : 9;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &b.c.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &b.c.ranks);
  if (argc > 3 || *end[0] != '\0' || *end[1] != '\0' || b.c.size > 1 << 30 || rounds < 1 ||
      rounds > MOST_ROUNDS) {
    if (b.c.rank == 0)
      fputs("usage: mpiexec -n N first [BYTES [ROUNDS]]\n", stderr);
    MPI_Finalize();
    return 2;
  }
  if (allocate(&b.c, b.c.size)) {
    const double job = time_first_of_job(&b);
    b.clock = make_clock(b.c.rank, b.c.ranks);
    (void)round_of(&b, time[0]);
    for (unsigned long i = 0; i < rounds;)
      i += round_of(&b, time[i]);
    MPI_Allreduce(&b.wrong, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (b.c.rank == 0)
      print(&b, job, (int)rounds, time);
  }
  release(&b.c);
  MPI_Finalize();
  return wrong != 0;
}
