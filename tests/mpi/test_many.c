/* 10,000 communicators, one after another, and as many at once as MPI has room for: none costs anything when
 * it is freed, and when there is no room the call says so. */
#include "check.h"
#include <malloc.h>

enum { MANY = 10000, SETTLED = 500, MOST_ALIVE = 1 << 16, MOST_LEFT = 1 << 18 };

static int use(MPI_Comm comm, int number) {
  unsigned char buffer[100];
  const int root = number % size_of(comm);
  fill(buffer, sizeof buffer, (uint64_t)(rank_in(comm) == root ? number : -1));
  int rc = gbcast(buffer, sizeof buffer, root, comm);
  CHECK(rc != MPI_SUCCESS || differs(buffer, sizeof buffer, (uint64_t)number) == sizeof buffer,
        "communicator %d: wrong bytes", number);
  return rc;
}

static size_t allocated(void) {
  return mallinfo2().uordblks;
}

static void one_after_another(void) {
  size_t before = 0;
  for (int i = 0; i < MANY; i++) {
    MPI_Comm comm;
    if (i == SETTLED)
      before = allocated();
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(use(comm, i));
    MUST(MPI_Comm_free(&comm));
  }
  size_t after = allocated();
  CHECK(after < before + MOST_LEFT, "%zu bytes more than %d communicators ago", after - before,
        MANY - SETTLED);
}

static int errors; /* that a handler has heard of */

static void hear(MPI_Comm *comm, int *code, ...) {
  (void)comm;
  (void)code;
  errors++;
}

/* *by_gbcast: whether there was room for the last communicator, and none for gbcast's duplicate of it. */
static int alive_at_once(MPI_Comm world, bool *by_gbcast) {
  MPI_Comm *comm = allocate(sizeof *comm * MOST_ALIVE);
  int count = 0, rc = MPI_SUCCESS;
  *by_gbcast = false;
  for (; count < MOST_ALIVE && rc == MPI_SUCCESS; count++)
    if ((rc = MPI_Comm_dup(world, &comm[count])) == MPI_SUCCESS &&
        (*by_gbcast = (rc = use(comm[count], count)) != MPI_SUCCESS))
      MUST(MPI_Comm_free(&comm[count]));
  CHECK(errors == 1, "%d errors", errors);
  errors = 0;
  count -= rc != MPI_SUCCESS;
  for (int i = 0; i < count; i++)
    MUST(MPI_Comm_free(&comm[i]));
  free(comm);
  return count;
}

int main(int argc, char **argv) {
  MPI_Comm world, other;
  MPI_Errhandler handler;
  CHECK(setenv("GBCAST_HOSTS", GB_TEST_DATA "/grid-mixed.txt", 1) == 0 &&
            setenv("GBCAST_MAP", "order", 1) == 0,
        "no memory");
  MUST(MPI_Init(&argc, &argv));
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &world));
  MUST(MPI_Comm_create_errhandler(hear, &handler));
  MUST(MPI_Comm_set_errhandler(world, handler));
  MUST(MPI_Errhandler_free(&handler));
  one_after_another();
  bool by_gbcast[3];
  int most = alive_at_once(world, &by_gbcast[0]);
  CHECK(most >= 100, "no room for more than %d communicators", most);
  CHECK(alive_at_once(world, &by_gbcast[1]) == most, "less room than before, for %d", most);
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &other)); /* then it is the other's turn to find no room */
  (void)alive_at_once(world, &by_gbcast[2]);
  CHECK(by_gbcast[0] != by_gbcast[2], "gbcast's duplicate never was the one without room");
  MUST(MPI_Comm_free(&other));
  MUST(MPI_Comm_free(&world));
  MUST(MPI_Finalize());
  return 0;
}
