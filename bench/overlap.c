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
#include "bench/moment.h"
#include "bench/numbers.h"
#include <getopt.h>
#include <math.h>
#include <stdio.h>

enum { LEAST_ROUNDS = 3, MOST_ROUNDS = 1001 };
enum { BY_MPI, BY_GBCAST, SIDES };

typedef struct options {
  bool wanted[BENCH_OPERATIONS], help;
  size_t least, most, factor;
  int rounds;
  long tests;     /* while a rank computes, at most */
  double seconds; /* for one size, about */
} options;

typedef struct bench {
  bench_call c;
  shared_clock clock;
  options o;
  long wrong; /* calls that failed or left wrong data on this rank */
} bench;

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
static times timed(bench *b, int side, double seconds) {
  const bool by_gbcast = side == BY_GBCAST;
  pending_call p;
  times t = {0, 0};
  int failed = 0;
  prepare(&b->c);
  await_moment(&b->clock);
  const double start = MPI_Wtime();
  failed |= begin_call(&b->c, by_gbcast, &p) != MPI_SUCCESS;
  if (seconds > 0)
    t.compute = compute_and_test(seconds, b->o.tests, by_gbcast, &p, &failed);
  failed |= wait_call(by_gbcast, &p) != MPI_SUCCESS;
  t.total = MPI_Wtime() - start;
  b->wrong += failed || !arrived(&b->c);
  return t;
}

static times mean(const bench *b, times t) {
  double mine[2] = {t.total, t.compute}, sum[2];
  MPI_Allreduce(mine, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return (times){sum[0] / b->c.ranks, sum[1] / b->c.ranks};
}

/* Rounds of both sides that fit in the time, odd; the same on all ranks. In each, a side takes its pure time
 * three times: alone, and with a computation as long. */
static int rounds_for(const bench *b, double both) {
  const double fit = both > 0 ? b->o.seconds / (3 * both) : MOST_ROUNDS;
  const int rounds = fit < LEAST_ROUNDS ? LEAST_ROUNDS : fit > b->o.rounds ? b->o.rounds : (int)fit;
  return rounds | 1;
}

static double median(double *value, int rounds) {
  qsort(value, (size_t)rounds, sizeof *value, ascending);
  return value[rounds / 2];
}

/* Medians over the rounds: of each side the pure time on this rank, and its mean. */
static void measure_pure(bench *b, int rounds, double mine[SIDES], double pure[SIDES]) {
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
static long measure(bench *b) {
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

/* All sizes of one operation; how many calls went wrong. */
static long measure_all(bench *b, enum bench_operation operation) {
  long wrong = 0;
  b->c.operation = operation;
  bool ready = allocate(&b->c, b->o.most);
  if (!ready && b->c.rank == 0)
    fprintf(stderr, "overlap: no memory for messages of %zu bytes; a smaller --max may do\n", b->o.most);
  for (b->c.size = b->o.least; ready && b->c.size <= b->o.most; b->c.size *= b->o.factor)
    wrong += measure(b);
  release(&b->c);
  return wrong + !ready;
}

static const char usage[] =
    "usage: mpiexec -n N overlap [OPTION...]\n"
    "  -o, --operation=bcast|scatter|alltoall  default all\n"
    "  -m, --min=BYTES                the first size, default 1024 (scatter, alltoall: of a block)\n"
    "  -M, --max=BYTES                the last, default 4194304\n"
    "  -f, --factor=N                 from size to size, default 4\n"
    "  -r, --root=RANK                default 0\n"
    "  -t, --tests=N                  calls of gbcast_test() or MPI_Test() while a rank computes, at most;\n"
    "                                 default 100; 0: none\n"
    "  -n, --rounds=N                 at most, default 101\n"
    "  -s, --seconds=S                for one size, about; default 5\n";

static bool read_options(int argc, char **argv, int ranks, options *o, int *root) {
  static const struct option known[] = {{"operation", 1, NULL, 'o'}, {"min", 1, NULL, 'm'},
                                        {"max", 1, NULL, 'M'},       {"factor", 1, NULL, 'f'},
                                        {"root", 1, NULL, 'r'},      {"tests", 1, NULL, 't'},
                                        {"rounds", 1, NULL, 'n'},    {"seconds", 1, NULL, 's'},
                                        {"help", 0, NULL, 'h'},      {NULL, 0, NULL, 0}};
  static const size_t largest = 1 << 30; /* MPI's counts are int */
  bool bad = false;
  *o = (options){.wanted = {true, true, true},
                 .least = 1024,
                 .most = 4 << 20,
                 .factor = 4,
                 .rounds = 101,
                 .tests = 100,
                 .seconds = 5};
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, "o:m:M:f:r:t:n:s:h", known, NULL)) != -1;)
    switch (c) {
    case 'o':
      for (enum bench_operation i = BENCH_BCAST; i < BENCH_OPERATIONS; i++)
        o->wanted[i] = i == operation_of(optarg);
      bad |= operation_of(optarg) == BENCH_OPERATIONS;
      break;
    case 'm':
      o->least = number(optarg, 1, largest, &bad);
      break;
    case 'M':
      o->most = number(optarg, 1, largest, &bad);
      break;
    case 'f':
      o->factor = number(optarg, 2, largest, &bad);
      break;
    case 'r':
      *root = (int)number(optarg, 0, (size_t)ranks - 1, &bad);
      break;
    case 't':
      o->tests = (long)number(optarg, 0, largest, &bad);
      break;
    case 'n':
      o->rounds = (int)number(optarg, LEAST_ROUNDS, MOST_ROUNDS, &bad);
      break;
    case 's':
      o->seconds = (double)number(optarg, 0, 86400, &bad);
      break;
    case 'h':
      o->help = true;
      break;
    default:
      bad = true;
    }
  return !bad && optind == argc && o->least <= o->most;
}

static void print_head(const bench *b) {
  print_job(&b->c);
  printf("%-8s %9s %6s %12s %12s %8s %12s %12s %8s %6s\n", "#", "bytes", "rounds", "gbcast pure", "total",
         "overlap", "MPI pure", "total", "overlap", "wrong");
}

int main(int argc, char **argv) {
  bench b = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &b.c.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &b.c.ranks);
  bool good = read_options(argc, argv, b.c.ranks, &b.o, &b.c.root);
  long wrong = 0;
  if (!good || b.o.help) {
    if (b.c.rank == 0)
      fputs(usage, good ? stdout : stderr);
    MPI_Finalize();
    return good ? 0 : 2;
  }
  if (b.c.rank == 0)
    print_head(&b);
  b.clock = make_clock(b.c.rank, b.c.ranks);
  for (enum bench_operation i = BENCH_BCAST; i < BENCH_OPERATIONS; i++)
    wrong += b.o.wanted[i] ? measure_all(&b, i) : 0;
  MPI_Finalize();
  return wrong != 0;
}
