/* gbcast-bench real: gbcast against the MPI library on real machines, both in one run, in turn, so that what
 * else happens meets both. Every rank checks every byte.
 *
 * The time of one round is that of the rank that took longest, from leaving a barrier. Between sites, ranks
 * leave a barrier up to a latency apart; with --together all begin at one moment (moment.h), and the time is
 * from then until the last is done. */
#include "bench/gbcast-bench.h"
#include "bench/sweep.h"

static double after_barrier(sweep *b, int side) {
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
static double timed(sweep *b, int side) {
  return b->own > 0 ? call_together(&b->c, side == BY_GBCAST, &b->clock, &b->wrong) : after_barrier(b, side);
}

/* One line: median and quartiles of both sides. The first calls make plans and connections and do not count.
 */
static long measure(sweep *b) {
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

static const char usage[] =
    "usage: mpiexec -n N gbcast-bench real [OPTION...]\n"
    "  -o, --operation=" BENCH_NAMES "  default bcast and scatter\n"
    "  -m, --min=BYTES                the first size, default 1 (scatter, alltoall: of a block)\n"
    "  -M, --max=BYTES                the last, default 4194304\n"
    "  -f, --factor=N                 from size to size, default 4\n"
    "  -r, --root=RANK                default 0\n"
    "  -n, --rounds=N                 at most, default 101\n"
    "  -s, --seconds=S                for one size, about; default 5\n"
    "  -t, --together                 begin at one moment, by clocks that are compared first; between sites\n"
    "                                 ranks leave a barrier, as by default, up to a latency apart\n"
    "  -h, --help                     print this and end\n";

static void print_head(void) {
  printf("# microseconds: median, quartiles; ratio of the medians; wrong: calls of all ranks\n");
  printf("%-8s %9s %6s %12s %10s %10s %12s %10s %10s %7s %6s\n", "#", "bytes", "rounds", "gbcast", "from",
         "to", "MPI", "from", "to", "ratio", "wrong");
}

int bench_real(int argc, char **argv) {
  const sweep_program real = {"gbcast-bench real", usage,  {"together", 0, NULL, 't'}, false,
                              print_head,          measure};
  const sweep usual = {
      .wanted = {true, true, false}, .least = 1, .most = 4 << 20, .factor = 4, .rounds = 101, .seconds = 5};
  return sweep_main(&real, argc, argv, usual);
}
