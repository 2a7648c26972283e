/* MPI_Finalize with all that can be alive: plans on the predefined communicators and on others, an update
 * that is not in use yet, a weather service whose name is still being looked up. It comes back on every rank,
 * and nothing is left. */
#include "mpi/comm/comm.h"
#include "tests/support/mpi/leaks.h"
#include "tests/support/mpi/refresh.h"

static void use(MPI_Comm comm) {
  const int size = size_of(comm);
  int *to = allocate(sizeof(int) * (size_t)size), *from = allocate(sizeof(int) * (size_t)size);
  for (int r = 0; r < size; r++)
    to[r] = size * rank_in(comm) + r;
  for (int root = 0; root < size; root++)
    broadcast(comm, 30000, root, (uint64_t)root);
  scatter(comm, 5000, size - 1, 3);
  MUST(gbcast_alltoall(to, 1, MPI_INT, from, 1, MPI_INT, comm));
  for (int r = 0; r < size; r++)
    CHECK(from[r] == size * r + rank_in(comm), "all-to-all: %d from rank %d", from[r], r);
  free(to);
  free(from);
}

static void leave(const grid *g) {
  remove_files(g);
  leave_to_finalize(g->comm);
}

/* Rank 0 has an update, which is under way or not announced yet. */
static void look(int calls) {
  grid g = begin(0, always);
  set_rate(&g, 2);
  for (int i = 0; i < calls; i++)
    broadcast(g.comm, REFERENCE / 8, size_of(g.comm) - 1, 1);
  leave(&g);
  g = begin_live(1, always, "nws://weather.invalid", "600");
  broadcast(g.comm, REFERENCE, 0, 3);
  leave(&g);
}

int main(int argc, char **argv) {
  MPI_Comm half;
  MUST(MPI_Init(&argc, &argv));
  MUST(set_up(MPI_COMM_SELF, "grid.txt", NULL, NULL, NULL));
  use(MPI_COMM_SELF);
  for (int calls = 1; calls < 2 * GB_LAG; calls += GB_LAG - 1)
    look(calls);
  MUST(MPI_Comm_split(MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD) % 2, 0, &half));
  MUST(set_up(half, "grid-mixed.txt", NULL, NULL, NULL));
  use(half);
  leave_to_finalize(half);
  MUST(set_up(MPI_COMM_WORLD, "grid-mixed.txt", NULL, NULL, NULL));
  use(MPI_COMM_WORLD);
  MUST(MPI_Finalize());
  return 0;
}
