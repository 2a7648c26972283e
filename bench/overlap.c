/* How much of a non-blocking collective is hidden behind computation: gbcast next to the MPI library, both in
 * one run, in turn. Every rank checks every byte.
 *
 *     GBCAST_HOSTS=hosts.txt mpiexec -f hosts.txt overlap [OPTION...]
 *
 * The overlap is that of the OSU Micro-Benchmarks (osu_ibcast). First a rank only begins the call and waits
 * for it; then it begins the call, computes for as long as that took, and waits:
 *
 *     alone    |begin|-----wait-----|                     pure
 *     total    |begin|compute|test|compute|test|-wait-|   overlap = 1 - (total - compute) / pure
 *
 * 100 %: the call costs no time beside the computation; 0 %: it takes as long as alone. Of all times the mean
 * over the ranks is taken. On an emulated grid (docs/grid.md) set GRID_WAIT_US=0: tests do not sleep then. */
#include "bench/sweep.h"
#include <math.h>

typedef struct times { /* seconds; on this rank, or the mean of all */
  double total, compute;
} times;

/* Computes for so long; the time that it took. */
static double compute(double seconds) {
  static volatile double sink = 1;
  const double start = MPI_Wtime();
  double x = sink, now = start;
  while (now - start < seconds) {
    for (int i = 0; i < 64; i++)
      x = x * 0.999 + 0.001;
    now = MPI_Wtime();
  }
  sink = x;
  return now - start;
}

/* Computes for so long, and tests in between, though no more often than each microsecond. The time that was
 * computed. */
static double compute_and_test(double seconds, long most, bool by_gbcast, pending_call *p, int *failed) {
  const double piece = most == 0 ? seconds : fmax(seconds / (double)most, 1e-6);
  double computed = compute(piece);
  int done = most == 0;
  while (computed < seconds) {
    if (!done)
      *failed |= test_call(by_gbcast, p, &done) != MPI_SUCCESS;
    computed += compute(fmin(piece, seconds - computed));
  }
  return computed;
}

/* One call, with a computation of so many seconds while it is under way. */
static times timed(sweep *b, int side, double seconds) {
  const bool by_gbcast = side == BY_GBCAST;
  pending_call p;
  times t = {0, 0};
  int failed = 0;
  prepare(&b->c);
  await_moment(&b->clock);
  const double start = MPI_Wtime();
  failed |= begin_call(&b->c, by_gbcast, &p) != MPI_SUCCESS;
  if (seconds > 0)
    t.compute = compute_and_test(seconds, (long)b->own, by_gbcast, &p, &failed);
  failed |= wait_call(by_gbcast, &p) != MPI_SUCCESS;
  t.total = MPI_Wtime() - start;
  b->wrong += failed || !arrived(&b->c);
  return t;
}

static times mean(const sweep *b, times t) {
  double mine[2] = {t.total, t.compute}, sum[2];
  MPI_Allreduce(mine, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return (times){sum[0] / b->c.ranks, sum[1] / b->c.ranks};
}

static double median(double *value, int rounds) {
  qsort(value, (size_t)rounds, sizeof *value, ascending);
  return value[rounds / 2];
}

/* Medians over the rounds: of each side the pure time on this rank, and its mean. */
static void measure_pure(sweep *b, int rounds, double mine[SIDES], double pure[SIDES]) {
  double own[SIDES][MOST_ROUNDS], all[SIDES][MOST_ROUNDS];
  for (int i = 0; i < rounds; i++)
    for (int k = 0; k < SIDES; k++) {
      const int side = (i + k) % SIDES; /* who is first changes */
      const times t = timed(b, side, 0);
      own[side][i] = t.total;
      all[side][i] = mean(b, t).total;
    }
  for (int side = 0; side < SIDES; side++) {
    mine[side] = median(own[side], rounds);
    pure[side] = median(all[side], rounds);
  }
}

/* One line. The first calls make plans and connections and do not count. */
static long measure(sweep *b) {
  double mine[SIDES], pure[SIDES], total[SIDES][MOST_ROUNDS], overlap[SIDES][MOST_ROUNDS], both = 0;
  long wrong = 0;
  b->wrong = 0;
  for (int warm = 0; warm < 2; warm++)
    both = mean(b, timed(b, BY_GBCAST, 0)).total + mean(b, timed(b, BY_MPI, 0)).total;
  const int rounds = rounds_for(b, both);
  measure_pure(b, rounds, mine, pure);
  for (int i = 0; i < rounds; i++)
    for (int k = 0; k < SIDES; k++) {
      const int side = (i + k) % SIDES;
      const times t = mean(b, timed(b, side, mine[side]));
      total[side][i] = t.total;
      overlap[side][i] = 100 * (1 - (t.total - t.compute) / pure[side]);
    }
  MPI_Allreduce(&b->wrong, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (b->c.rank == 0) {
    printf("%-8s %9zu %6d", operation_name(b->c.operation), b->c.size, rounds);
    for (int side = SIDES; side-- > 0;) {
      const double part = median(overlap[side], rounds);
      printf(" %12.2f %12.2f %8.1f", 1e6 * pure[side], 1e6 * median(total[side], rounds),
             part > 0 ? part : 0);
    }
    printf(" %6ld\n", wrong);
    fflush(stdout);
  }
  return wrong;
}

static const char usage[] =
    "usage: mpiexec -n N overlap [OPTION...]\n"
    "  -o, --operation=" BENCH_NAMES "  default all\n"
    "  -m, --min=BYTES                the first size, default 1024 (scatter, alltoall: of a block)\n"
    "  -M, --max=BYTES                the last, default 4194304\n"
    "  -f, --factor=N                 from size to size, default 4\n"
    "  -r, --root=RANK                default 0\n"
    "  -t, --tests=N                  calls of gbcast_test() or MPI_Test() while a rank computes, at most;\n"
    "                                 default 100; 0: none\n"
    "  -n, --rounds=N                 at most, default 101\n"
    "  -s, --seconds=S                for one size, about; default 5\n";

static void print_head(void) {
  printf("%-8s %9s %6s %12s %12s %8s %12s %12s %8s %6s\n", "#", "bytes", "rounds", "gbcast pure", "total",
         "overlap", "MPI pure", "total", "overlap", "wrong");
}

int main(int argc, char **argv) {
  const sweep_program overlap = {"overlap", usage, {"tests", 1, NULL, 't'}, true, print_head, measure};
  const sweep usual = {.wanted = {true, true, true},
                       .least = 1024,
                       .most = 4 << 20,
                       .factor = 4,
                       .rounds = 101,
                       .seconds = 5,
                       .own = 100};
  MPI_Init(&argc, &argv);
  const int status = sweep_main(&overlap, argc, argv, usual);
  MPI_Finalize();
  return status;
}
