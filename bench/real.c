/* gbcast against the MPI library on real machines: both in one run, in turn, so that what else happens meets
 * both. Every rank checks every byte.
 *
 *     GBCAST_HOSTS=hosts.txt mpiexec -f hosts.txt real [OPTION...]
 *
 * The time of one round is that of the rank that took longest, from leaving a barrier. Between sites, ranks
 * leave a barrier up to a latency apart; with --together all begin at one moment (moment.h), and the time is
 * from then until the last is done. */
#include "bench/moment.h"
#include "bench/numbers.h"
#include <getopt.h>
#include <stdio.h>

enum { LEAST_ROUNDS = 3, MOST_ROUNDS = 1001 };

typedef struct options {
  bool wanted[BENCH_OPERATIONS], together, help;
  size_t least, most, factor;
  int rounds;
  double seconds; /* for one size, about */
} options;

typedef struct bench {
  bench_call c;
  shared_clock clock;
  options o;
  long wrong; /* calls that failed or left wrong data on this rank */
} bench;

enum { BY_MPI, BY_GBCAST, SIDES };

static double after_barrier(bench *b, int side) {
  double longest = 0;
  prepare(&b->c);
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  int rc = call(&b->c, side == BY_GBCAST);
  double seconds = MPI_Wtime() - start;
  b->wrong += rc != MPI_SUCCESS || !arrived(&b->c);
  MPI_Allreduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return longest;
}

/* One call in seconds; the same value on all ranks. */
static double timed(bench *b, int side) {
  return b->o.together ? call_together(&b->c, side == BY_GBCAST, &b->clock, &b->wrong)
                       : after_barrier(b, side);
}

/* Rounds of both sides that fit in the time, odd; the same on all ranks, as timed() is. */
static int rounds_for(const bench *b, double both) {
  double fit = both > 0 ? b->o.seconds / both : MOST_ROUNDS;
  int rounds = fit < LEAST_ROUNDS ? LEAST_ROUNDS : fit > b->o.rounds ? b->o.rounds : (int)fit;
  return rounds | 1;
}

/* One line: median and quartiles of both sides. The first calls make plans and connections and do not count.
 */
static long measure(bench *b) {
  double time[SIDES][MOST_ROUNDS];
  double both = 0;
  long wrong = 0;
  b->wrong = 0;
  for (int warm = 0; warm < 2; warm++)
    both = timed(b, BY_GBCAST) + timed(b, BY_MPI);
  int rounds = rounds_for(b, both);
  for (int i = 0; i < rounds; i++)
    for (int k = 0; k < SIDES; k++) {
      int side = (i + k) % SIDES; /* who is first changes */
      time[side][i] = timed(b, side);
    }
  for (int side = 0; side < SIDES; side++)
    qsort(time[side], (size_t)rounds, sizeof **time, ascending);
  MPI_Allreduce(&b->wrong, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (b->c.rank == 0) {
    int low = rounds / 4, middle = rounds / 2, high = rounds - 1 - low;
    printf("%-8s %9zu %6d", operation_name(b->c.operation), b->c.size, rounds);
    for (int side = SIDES; side-- > 0;)
      printf(" %12.2f %10.2f %10.2f", 1e6 * time[side][middle], 1e6 * time[side][low],
             1e6 * time[side][high]);
    printf(" %7.3f %6ld\n", time[BY_GBCAST][middle] / time[BY_MPI][middle], wrong);
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
    fprintf(stderr, "real: no memory for messages of %zu bytes; a smaller --max may do\n", b->o.most);
  for (b->c.size = b->o.least; ready && b->c.size <= b->o.most; b->c.size *= b->o.factor)
    wrong += measure(b);
  release(&b->c);
  return wrong + !ready;
}

static const char usage[] =
    "usage: mpiexec -n N real [OPTION...]\n"
    "  -o, --operation=bcast|scatter|alltoall  default bcast and scatter\n"
    "  -m, --min=BYTES                the first size, default 1 (scatter, alltoall: of a block)\n"
    "  -M, --max=BYTES                the last, default 4194304\n"
    "  -f, --factor=N                 from size to size, default 4\n"
    "  -r, --root=RANK                default 0\n"
    "  -n, --rounds=N                 at most, default 101\n"
    "  -s, --seconds=S                for one size, about; default 5\n"
    "  -t, --together                 begin at one moment, by clocks that are compared first; between sites\n"
    "                                 ranks leave a barrier, as by default, up to a latency apart\n";

static bool read_options(int argc, char **argv, int ranks, options *o, int *root) {
  static const struct option known[] = {{"operation", 1, NULL, 'o'}, {"min", 1, NULL, 'm'},
                                        {"max", 1, NULL, 'M'},       {"factor", 1, NULL, 'f'},
                                        {"root", 1, NULL, 'r'},      {"rounds", 1, NULL, 'n'},
                                        {"seconds", 1, NULL, 's'},   {"together", 0, NULL, 't'},
                                        {"help", 0, NULL, 'h'},      {NULL, 0, NULL, 0}};
  static const size_t largest = 1 << 30; /* MPI_Bcast's count is an int */
  bool bad = false;
  *o = (options){
      .wanted = {true, true, false}, .least = 1, .most = 4 << 20, .factor = 4, .rounds = 101, .seconds = 5};
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, "o:m:M:f:r:n:s:th", known, NULL)) != -1;)
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
    case 'n':
      o->rounds = (int)number(optarg, LEAST_ROUNDS, MOST_ROUNDS, &bad);
      break;
    case 's':
      o->seconds = (double)number(optarg, 0, 86400, &bad);
      break;
    case 't':
      o->together = true;
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
  printf("# microseconds: median, quartiles; ratio of the medians; wrong: calls of all ranks\n");
  printf("%-8s %9s %6s %12s %10s %10s %12s %10s %10s %7s %6s\n", "#", "bytes", "rounds", "gbcast", "from",
         "to", "MPI", "from", "to", "ratio", "wrong");
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
  if (b.o.together)
    b.clock = make_clock(b.c.rank, b.c.ranks);
  for (enum bench_operation i = BENCH_BCAST; i < BENCH_OPERATIONS; i++)
    wrong += b.o.wanted[i] ? measure_all(&b, i) : 0;
  MPI_Finalize();
  return wrong != 0;
}
