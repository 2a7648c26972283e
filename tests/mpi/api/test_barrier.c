/* Barriers, in every form: no rank leaves one before all have entered it. Ranks count themselves in memory
 * that they share, and one is late each time. */
#include "tests/support/mpi/check.h"
#include <stdatomic.h>
#include <time.h>

static atomic_int *entered; /* by all ranks, over all rounds */

static void enter(int round) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  if (round % size == rank)
    (void)nanosleep(&(struct timespec){0, 2000000}, NULL);
  (void)atomic_fetch_add(entered, 1);
}

static void check_all(int rounds, const char *form) {
  const int found = atomic_load(entered), wanted = rounds * size_of(MPI_COMM_WORLD);
  CHECK(found >= wanted, "%s: %d of %d had entered", form, found, wanted);
}

/* Returns how many rounds there have been. */
static int check_forms(int round) {
  enum { CALLS = 3 };
  gbcast_handle handle[CALLS], kept;
  for (int i = 0; i < 5; i++) {
    enter(round++);
    MUST(gbcast_barrier(MPI_COMM_WORLD));
    check_all(round, "blocking");
  }
  for (int i = 0; i < CALLS; i++) {
    enter(round++);
    MUST(gbcast_ibarrier(MPI_COMM_WORLD, &handle[i]));
  }
  for (int i = CALLS - 1; i >= 0; i--) {
    MUST(gbcast_wait(&handle[i]));
    check_all(round - (CALLS - 1 - i), "non-blocking");
  }
  MUST(gbcast_barrier_init(MPI_COMM_WORLD, &kept));
  for (int i = 0; i < 3; i++) {
    enter(round++);
    MUST(gbcast_start(&kept));
    MUST(gbcast_wait(&kept));
    check_all(round, "persistent");
  }
  MUST(gbcast_handle_free(&kept));
  return round;
}

int main(int argc, char **argv) {
  static const char *const hosts[] = {"mesh.txt", "grid-flat.txt", "grid-node.txt", "two-switches.txt"};
  MPI_Win window;
  MPI_Aint bytes;
  int unit;
  MUST(MPI_Init(&argc, &argv));
  const int rank = rank_in(MPI_COMM_WORLD);
  MUST(MPI_Win_allocate_shared(rank == 0 ? (MPI_Aint)sizeof *entered : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                               (void *)&entered, &window));
  MUST(MPI_Win_shared_query(window, 0, &bytes, &unit, (void *)&entered));
  if (rank == 0)
    atomic_init(entered, 0);
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  int round = check_forms(0); /* no hosts file */
  for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
    MUST(set_up(MPI_COMM_WORLD, hosts[i], NULL, NULL, NULL));
    round = check_forms(round);
  }
  char *text = NULL;
  MUST(gbcast_explain_barrier(MPI_COMM_WORLD, &text));
  CHECK(size_of(MPI_COMM_WORLD) == 1 || strncmp(text, "Barrier", 7) == 0, "%s", text);
  free(text);
  MUST(MPI_Win_free(&window));
  MUST(MPI_Finalize());
  return 0;
}
