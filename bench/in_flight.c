/* When each of several broadcasts in flight has ended on all ranks: gbcast next to the MPI library, both in
 * one run, in turn, and next to as many one after the other. Every rank checks every byte.
 *
 *     GBCAST_HOSTS=hosts.txt mpiexec -f hosts.txt in_flight [BYTES [CALLS [ROUNDS]]]
 *
 * All calls begin at once, and are waited for in that order. Medians, in milliseconds. Exit status 1 when
 * data were wrong. */
#include "bench/moment.h"
#include "bench/numbers.h"
#include <stdio.h>

enum { ONE_BY_ONE, IN_FLIGHT, BY_MPI, WAYS, MOST_CALLS = 16, MOST_ROUNDS = 101 };
static const char *const way_name[] = {"gbcast, one by one", "gbcast, in flight", "MPI, in flight"};

typedef struct bench {
  int rank, ranks, calls, rounds;
  size_t bytes;
  shared_clock clock;
  uint64_t key;
  char *data[MOST_CALLS];
  double end[WAYS][MOST_CALLS][MOST_ROUNDS]; /* s after the beginning, on the last rank */
  long wrong;                                /* calls that failed or left wrong data on this rank */
} bench;

/* Makes all calls; sets end to when each was over on this rank. */
static int run(bench *b, int way, double begun, double *end) {
  gbcast_handle ours[MOST_CALLS];
  MPI_Request theirs[MOST_CALLS];
  int rc = MPI_SUCCESS;
  for (int i = 0; i < b->calls && rc == MPI_SUCCESS && way != ONE_BY_ONE; i++)
    rc = way == BY_MPI
             ? MPI_Ibcast(b->data[i], (int)b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &theirs[i])
             : gbcast_ibcast(b->data[i], (MPI_Count)b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &ours[i]);
  for (int i = 0; i < b->calls && rc == MPI_SUCCESS; i++) {
    rc = way == ONE_BY_ONE  ? gbcast(b->data[i], b->bytes, 0, MPI_COMM_WORLD)
         : way == IN_FLIGHT ? gbcast_wait(&ours[i])
                            : MPI_Wait(&theirs[i], MPI_STATUS_IGNORE);
    end[i] = MPI_Wtime() - begun;
  }
  return rc;
}

static void time_round(bench *b, int round, int way) {
  double mine[MOST_CALLS] = {0}, last[MOST_CALLS];
  for (int i = 0; i < b->calls; i++) {
    memset(b->data[i], 0, b->bytes);
    if (b->rank == 0)
      fill(b->data[i], b->bytes, b->key + (uint64_t)i);
  }
  await_moment(&b->clock);
  b->wrong += run(b, way, MPI_Wtime(), mine) != MPI_SUCCESS;
  for (int i = 0; i < b->calls; i++)
    b->wrong += !is_filled(b->data[i], b->bytes, b->key + (uint64_t)i);
  b->key += (uint64_t)b->calls;
  MPI_Allreduce(mine, last, b->calls, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < b->calls; i++)
    b->end[way][i][round] = last[i];
}

static void print(bench *b) {
  printf("# %d broadcasts of %zu bytes, %d ranks, %d rounds; ms until each has ended on all\n", b->calls,
         b->bytes, b->ranks, b->rounds);
  for (int way = 0; way < WAYS; way++) {
    printf("%-20s", way_name[way]);
    for (int i = 0; i < b->calls; i++) {
      qsort(b->end[way][i], (size_t)b->rounds, sizeof(double), ascending);
      printf(" %9.2f", 1e3 * b->end[way][i][b->rounds / 2]);
    }
    printf("\n");
  }
}

static bool get_memory(bench *b) {
  int missing = 0, any = 1;
  for (int i = 0; i < b->calls; i++) {
    b->data[i] = malloc(b->bytes + 1);
    missing |= b->data[i] == NULL;
  }
  MPI_Allreduce(&missing, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (any && b->rank == 0)
    fputs("in_flight: no memory for so many messages; fewer or shorter ones may do\n", stderr);
  return !any;
}

static long measure(bench *b) {
  long wrong = 1;
  b->clock = make_clock(b->rank, b->ranks);
  for (int way = 0; way < WAYS; way++) /* plans and connections */
    time_round(b, 0, way);
  for (int round = 0; round < b->rounds; round++)
    for (int k = 0; k < WAYS; k++)
      time_round(b, round, (round + k) % WAYS);
  MPI_Allreduce(&b->wrong, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return wrong;
}

int main(int argc, char **argv) {
  static bench b;
  long wrong = 1;
  bool bad = argc > 4;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
  b.bytes = argc > 1 ? number(argv[1], 1, 1 << 30, &bad) : 2 << 20;
  b.calls = argc > 2 ? (int)number(argv[2], 1, MOST_CALLS, &bad) : 3;
  b.rounds = argc > 3 ? (int)number(argv[3], 1, MOST_ROUNDS, &bad) : 5;
  if (bad) {
    if (b.rank == 0)
      fputs("usage: mpiexec -n N in_flight [BYTES [CALLS [ROUNDS]]]\n", stderr);
    MPI_Finalize();
    return 2;
  }
  if (get_memory(&b) && (wrong = measure(&b)) == 0 && b.rank == 0)
    print(&b);
  for (int i = 0; i < b.calls; i++)
    free(b.data[i]);
  MPI_Finalize();
  return wrong != 0;
}
