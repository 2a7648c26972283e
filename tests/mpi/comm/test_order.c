/* GBCAST_MAP=order: ranks are on the slots in the order of the file's lines, as Hydra starts them, from the
 * first again where there are more. Also on a communicator whose ranks are in another order. */
#include "tests/support/mpi/check.h"

enum { SLOTS = 6 };
static const char *const host_of[SLOTS] = {"n0", "n0", "n1", "n0", "n2", "n1"}; /* order.txt */

/* The host of a root, as the explanation of its broadcast names it: "from n0#1:". */
static void check_root(MPI_Comm comm, int root, const char *host, int k) {
  char *text = NULL, expected[64];
  MUST(gbcast_explain(comm, 1000, root, &text));
  if (k > 0)
    snprintf(expected, sizeof expected, "from %s#%d:", host, k);
  else
    snprintf(expected, sizeof expected, "from %s:", host);
  CHECK(strstr(text, expected) != NULL, "rank %d is not %s in:\n%s", root, expected, text);
  free(text);
}

static int earlier_on(const int *world, int r) {
  int k = 0;
  for (int i = 0; i < r; i++)
    k += strcmp(host_of[world[i] % SLOTS], host_of[world[r] % SLOTS]) == 0;
  return k;
}

/* world: the ranks in MPI_COMM_WORLD of those of the communicator */
static void check_all(MPI_Comm comm, const int *world) {
  const int size = size_of(comm);
  for (int r = 0; r < size; r++) {
    int value = rank_in(comm) == r ? 1000 + r : -1;
    check_root(comm, r, host_of[world[r] % SLOTS], earlier_on(world, r));
    MUST(gbcast(&value, sizeof value, r, comm));
    CHECK(value == 1000 + r, "from rank %d: got %d", r, value);
  }
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  const int size = size_of(MPI_COMM_WORLD);
  int *world = allocate(sizeof *world * (size_t)size);
  for (int r = 0; r < size; r++)
    world[r] = r;
  MUST(set_up(MPI_COMM_WORLD, "order.txt", NULL, NULL, NULL));
  check_all(MPI_COMM_WORLD, world);
  MPI_Comm backwards;
  MUST(MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank_in(MPI_COMM_WORLD), &backwards));
  for (int r = 0; r < size; r++)
    world[r] = size - 1 - r;
  MUST(set_up(backwards, "order.txt", NULL, NULL, NULL));
  check_all(backwards, world);
  MUST(MPI_Comm_free(&backwards));
  free(world);
  MUST(MPI_Finalize());
  return 0;
}
