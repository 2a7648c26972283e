/* What a short broadcast pays for each microsecond that all ranks compute before they begin, next to gbcast
 * and MPI_Bcast: where ranks share processors, many times that microsecond.
 *
 *     GBCAST_HOSTS=hosts.txt mpiexec -f hosts.txt lag [BYTES [ROUNDS]]
 *
 * By hand a binomial tree from rank 0 is run, the one that MPICH takes, with the same calls as gbcast's
 * engine makes; at once, and after 5 and 10 microseconds of computing. Medians of rounds in which all take
 * turns, from the moment at which all ranks begin until the last is done. Exit status 1 when data were wrong.
 */
#include "bench/moment.h"
#include "bench/numbers.h"
#include <stdio.h>

enum { BY_MPI, BY_GBCAST, BY_HAND, LATER, LATER_STILL, SIDES, MOST_ROUNDS = 1001, TREE_TAG = 78 };
static const char *const side_name[] = {"MPI_Bcast", "gbcast", "by hand", "by hand, 5 us later",
                                        "by hand, 10 us later"};
static const double lag[SIDES] = {[LATER] = 5e-6, [LATER_STILL] = 1e-5}; /* s */

typedef struct bench {
  bench_call c;
  shared_clock clock;
  long wrong; /* calls that failed or left wrong data on this rank */
} bench;

/* Rank r hears from r without its lowest bit; what is below that bit it sends to, the largest first. */
static int by_hand(const bench_call *c) {
  MPI_Request request[32];
  int rc = MPI_SUCCESS, bit = 1, sends = 0;
  while (bit < c->ranks && (c->rank & bit) == 0)
    bit <<= 1;
  if (c->rank > 0) {
    rc = MPI_Irecv(c->in, (int)c->size, MPI_BYTE, c->rank - bit, TREE_TAG, MPI_COMM_WORLD, request);
    if (rc == MPI_SUCCESS)
      rc = MPI_Wait(request, MPI_STATUS_IGNORE);
  }
  for (bit >>= 1; rc == MPI_SUCCESS && bit > 0; bit >>= 1)
    if (c->rank + bit < c->ranks)
      rc = MPI_Isend(c->in, (int)c->size, MPI_BYTE, c->rank + bit, TREE_TAG, MPI_COMM_WORLD,
                     &request[sends++]);
  for (int i = 0; rc == MPI_SUCCESS && i < sends; i++)
    rc = MPI_Wait(&request[i], MPI_STATUS_IGNORE);
  return rc;
}

/* s; negative when a rank began too late. */
static double timed(bench *b, int side) {
  prepare(&b->c);
  await_moment(&b->clock);
  const double begun = now_on(&b->clock);
  while (now_on(&b->clock) < begun + lag[side])
    ;
  const int rc = side >= BY_HAND ? by_hand(&b->c) : call(&b->c, side == BY_GBCAST);
  const double seconds = seconds_since(&b->clock, begun);
  b->wrong += rc != MPI_SUCCESS || !arrived(&b->c);
  return seconds;
}

static void print(const bench *b, size_t rounds, double (*time)[MOST_ROUNDS]) {
  printf(
      "# %zu bytes, %d ranks, %zu rounds; microseconds: median, quartiles; ratio of the medians to MPI's\n",
      b->c.size, b->c.ranks, rounds);
  for (int side = 0; side < SIDES; side++)
    qsort(time[side], rounds, sizeof **time, ascending);
  for (int side = 0; side < SIDES; side++)
    printf("%-20s %10.2f %10.2f %10.2f %7.3f\n", side_name[side], 1e6 * time[side][rounds / 2],
           1e6 * time[side][rounds / 4], 1e6 * time[side][rounds - 1 - rounds / 4],
           time[side][rounds / 2] / time[BY_MPI][rounds / 2]);
}

int main(int argc, char **argv) {
  static double time[SIDES][MOST_ROUNDS];
  bench b = {.c.operation = BENCH_BCAST};
  bool bad = argc > 3;
  b.c.size = argc > 1 ? number(argv[1], 1, 1 << 20, &bad) : 1024;
  const size_t rounds = argc > 2 ? number(argv[2], 1, MOST_ROUNDS, &bad) : 401;
  long wrong = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &b.c.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &b.c.ranks);
  if (bad) {
    if (b.c.rank == 0)
      fputs("usage: mpiexec -n N lag [BYTES [ROUNDS]]\n", stderr);
    MPI_Finalize();
    return 2;
  }
  if (allocate(&b.c, b.c.size)) {
    b.clock = make_clock(b.c.rank, b.c.ranks);
    for (int side = 0; side < SIDES; side++)
      (void)timed(&b, side); /* plans and connections */
    for (size_t i = 0; i < rounds * SIDES;) {
      const size_t round = i / SIDES, side = (i + round) % SIDES; /* who is first changes */
      time[side][round] = timed(&b, (int)side);
      i += time[side][round] >= 0;
    }
    MPI_Allreduce(&b.wrong, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (b.c.rank == 0)
      print(&b, rounds, time);
  }
  release(&b.c);
  MPI_Finalize();
  return wrong != 0;
}
