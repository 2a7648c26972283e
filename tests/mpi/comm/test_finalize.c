/* MPI_Finalize with all that can be alive: plans on the predefined communicators and on others, a
 * communicator whose last call has failed, news that nobody has told yet, a weather service whose name is
 * still being looked up. It comes back on every rank, and nothing is left. */
#include "mpi/comm/comm.h"
#include "mpi/exec/state.h"
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

/* Some ranks find out in the call, some have left it by then; those have words and segments that nobody took.
 */
static void fail(void) {
  MPI_Comm comm;
  const int size = size_of(MPI_COMM_WORLD), odd = rank_in(MPI_COMM_WORLD) == size - 1;
  char *buffer = calloc(1, 300000);
  CHECK(buffer != NULL, "no memory");
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  MUST(set_up(comm, "grid-mixed.txt", "binomial", NULL, "4k"));
  MUST(gbcast(buffer, 1000, 0, comm));
  int bad = gbcast(buffer, odd ? 299999 : 300000, 0, comm) != MPI_SUCCESS, any;
  MUST(MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  CHECK(any || size == 1, "nobody noticed that a rank differs");
  free(buffer);
  leave_to_finalize(comm);
}

static void leave(const grid *g) {
  remove_files(g);
  leave_to_finalize(g->comm);
}

/* Rank 0 has news, and has just offered them to the last rank, which makes no more calls. */
static void look(void) {
  grid g = begin(0, always);
  const int last = size_of(g.comm) - 1;
  int offered = last < 2; /* with fewer sites than three nothing is gained by another plan */
  set_rate(&g, 2);
  do {
    broadcast(g.comm, REFERENCE, last, 1);
    const gb_comm *c = gb_comm_known(g.comm);
    offered |= c != NULL && c->wire.exec != NULL && c->wire.exec->offers != NULL;
    MUST(MPI_Bcast(&offered, 1, MPI_INT, 0, g.comm));
  } while (!offered);
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
  look();
  MUST(MPI_Comm_split(MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD) % 2, 0, &half));
  MUST(set_up(half, "grid-mixed.txt", NULL, NULL, NULL));
  use(half);
  leave_to_finalize(half);
  fail();
  MUST(set_up(MPI_COMM_WORLD, "grid-mixed.txt", NULL, NULL, NULL));
  use(MPI_COMM_WORLD);
  MUST(MPI_Finalize());
  return 0;
}
