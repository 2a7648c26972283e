/* 10,000 communicators (1,000 unless GB_TEST_FULL is set), one after another, and as many at once as MPI has
 * room for: none costs anything when it is freed, gbcast takes some of the room and no more, and when there
 * is none its calls are MPI's. */
#include "mpi/comm/comm.h"
#include "tests/support/mpi/check.h"
#include <malloc.h>

enum { MANY = 10000, SOME = 1000, SETTLED = 500, MOST_ALIVE = 1 << 16, MOST_LEFT = 27 /* bytes of each */ };
enum { POOLS = 64 << 10 }; /* bytes that the MPI library may add to its pools, however many there are */

static void use(MPI_Comm comm, int number) {
  unsigned char buffer[100];
  const int root = number % size_of(comm);
  fill(buffer, sizeof buffer, (uint64_t)(rank_in(comm) == root ? number : -1));
  MUST(gbcast(buffer, sizeof buffer, root, comm));
  CHECK(differs(buffer, sizeof buffer, (uint64_t)number) == sizeof buffer, "communicator %d: wrong bytes",
        number);
}

static size_t allocated(void) {
  return mallinfo2().uordblks;
}

static void one_after_another(void) {
  const int count = getenv("GB_TEST_FULL") != NULL ? MANY : SOME;
  size_t before = 0;
  for (int i = 0; i < count; i++) {
    MPI_Comm comm;
    if (i == SETTLED)
      before = allocated();
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    use(comm, i);
    MUST(MPI_Comm_free(&comm));
  }
  size_t after = allocated();
  CHECK(after < before + POOLS + (size_t)(MOST_LEFT * (count - SETTLED)),
        "%zu bytes more than %d communicators ago", after - before, count - SETTLED);
}

static int errors; /* that a handler has heard of */

static void hear(MPI_Comm *comm, int *code, ...) {
  (void)comm;
  (void)code;
  errors++;
}

/* Makes communicators until there is no room, uses each at once or the last one at the end, and returns how
 * many there were. */
static int alive_at_once(MPI_Comm world, bool each, int duplicates) {
  MPI_Comm *comm = allocate(sizeof *comm * MOST_ALIVE);
  int count = 0, made = 0;
  for (; count < MOST_ALIVE && MPI_Comm_dup(world, &comm[count]) == MPI_SUCCESS; count++)
    if (each)
      use(comm[count], count);
  CHECK(errors == 1, "%d errors", errors);
  if (!each)
    use(comm[count - 1], count);
  CHECK(errors == (each ? 1 : 2), "%d errors after the last call", errors);
  errors = 0;
  for (int i = 0; i < count; i++) {
    const gb_comm *c = gb_comm_known(comm[i]);
    made += c != NULL && c->wire.comm != MPI_COMM_NULL;
  }
  CHECK(made == duplicates, "%d duplicates, expected %d", made, duplicates);
  for (int i = 0; i < count; i++)
    MUST(MPI_Comm_free(&comm[i]));
  free(comm);
  return count;
}

int main(int argc, char **argv) {
  MPI_Comm world;
  MPI_Errhandler handler;
  CHECK(setenv("GBCAST_HOSTS", GB_TEST_DATA "/platforms/grid-mixed.txt", 1) == 0 &&
            setenv("GBCAST_MAP", "order", 1) == 0 && setenv("GBCAST_INTRA", "flat", 1) == 0,
        "no memory");
  MUST(MPI_Init(&argc, &argv));
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &world));
  MUST(MPI_Comm_create_errhandler(hear, &handler));
  MUST(MPI_Comm_set_errhandler(world, handler));
  MUST(MPI_Errhandler_free(&handler));
  one_after_another();
  const int most = alive_at_once(world, false, 0);
  CHECK(most >= 100, "no room for more than %d communicators", most);
  CHECK(alive_at_once(world, true, GB_DUPLICATES_MOST) == most - GB_DUPLICATES_MOST,
        "less room for the program than promised, of %d", most);
  CHECK(alive_at_once(world, false, 0) == most, "less room than before, for %d", most);
  MUST(MPI_Comm_free(&world));
  MUST(MPI_Finalize());
  return 0;
}
