/* Broadcasts in flight: to each rank the root sends all of an older one before any of a younger one. All
 * MPI_Isend and MPI_Issend of this program come here first. */
#include "tests/support/mpi/check.h"
#include "tests/support/mpi/sending.h"

enum { WEST, EAST, ISLE, CALLS = 3, BYTES = 131072 };

static unsigned char *buffer[CALLS];
static size_t sent[CALLS][3], early; /* bytes by call and rank; those that were sent before an older call's */

static void note(const unsigned char *from, int count, int to) {
  int call = 0;
  while (call < CALLS && (from < buffer[call] || from >= buffer[call] + BYTES))
    call++;
  if (call == CALLS)
    return;
  for (int older = 0; older < call; older++)
    early += sent[older][to] < BYTES ? (size_t)count : 0;
  sent[call][to] += (size_t)count;
}

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
SENDING(__wrap_MPI_Isend, __real_MPI_Isend, note(from, count, to))
SENDING(__wrap_MPI_Issend, __real_MPI_Issend, note(from, count, to))
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

/* The calls end in this order on all ranks. The first round also compares plans. */
static void check_calls(uint64_t round, const int order[CALLS]) {
  const int rank = rank_in(MPI_COMM_WORLD);
  gbcast_handle handle[CALLS];
  memset(sent, 0, sizeof sent);
  early = 0;
  for (int i = 0; i < CALLS; i++) {
    memset(buffer[i], 0, BYTES);
    if (rank == ISLE)
      fill(buffer[i], BYTES, 10 * round + (uint64_t)i);
    MUST(gbcast_ibcast(buffer[i], BYTES, MPI_BYTE, ISLE, MPI_COMM_WORLD, &handle[i]));
  }
  for (int i = 0; i < CALLS; i++)
    MUST(gbcast_wait(&handle[order[i]]));
  for (int i = 0; i < CALLS; i++) {
    const size_t at = differs(buffer[i], BYTES, 10 * round + (uint64_t)i);
    CHECK(at == BYTES, "round %d, call %d: byte %zu is wrong", (int)round, i, at);
    CHECK(rank != ISLE || sent[i][WEST] + sent[i][EAST] >= BYTES, "call %d: %zu and %zu bytes", i,
          sent[i][WEST], sent[i][EAST]);
  }
  CHECK(rank != ISLE || early == 0, "round %d: %zu bytes before those of an older call", (int)round, early);
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  CHECK(size_of(MPI_COMM_WORLD) == 3, "for three ranks");
  for (int i = 0; i < CALLS; i++)
    buffer[i] = allocate(BYTES);
  static const char *const between[] = {"flat", "extended-dijkstra", "packing"};
  static const int order[][CALLS] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
  for (size_t k = 0; k < sizeof between / sizeof *between; k++) {
    MUST(set_up(MPI_COMM_WORLD, "stages.txt", between[k], NULL, "4096"));
    for (uint64_t round = 0; round < 3; round++)
      check_calls(round, order[round]);
  }
  for (int i = 0; i < CALLS; i++)
    free(buffer[i]);
  MUST(MPI_Finalize());
  return 0;
}
