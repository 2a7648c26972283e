/* Communicators: parts, other orders, interleaved, duplicated, freed, many, and some left to MPI_Finalize. */
#include "mpi/comm/comm.h"
#include "tests/support/mpi/check.h"
#include "tests/support/mpi/leaks.h"

static void use(MPI_Comm comm, size_t n) {
  unsigned char *buffer = allocate(n);
  for (int root = 0; root < size_of(comm); root++) {
    memset(buffer, 0, n);
    if (rank_in(comm) == root)
      fill(buffer, n, (uint64_t)root);
    MUST(gbcast(buffer, n, root, comm));
    CHECK(differs(buffer, n, (uint64_t)root) == n, "%zu bytes from root %d", n, root);
  }
  free(buffer);
}

/* None before a planned schedule is run, and then as many as there may be; the calls beyond are MPI's. */
static void duplicates(void) {
  enum { MORE = GB_DUPLICATES_MOST + 5 };
  MPI_Comm comm[MORE];
  int made = 0;
  for (int i = 0; i < MORE; i++) {
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]));
    MUST(set_up(comm[i], "alltoall.txt", NULL, "native", NULL));
    use(comm[i], 100);
    const gb_comm *c = gb_comm_known(comm[i]);
    CHECK(c == NULL || c->wire.comm == MPI_COMM_NULL, "a duplicate for MPI's own broadcast");
    MUST(set_up(comm[i], "alltoall.txt", NULL, "flat", NULL));
    use(comm[i], 100);
    c = gb_comm_known(comm[i]);
    made += c != NULL && c->wire.comm != MPI_COMM_NULL;
  }
  for (int i = 0; i < MORE; i++)
    MUST(MPI_Comm_free(&comm[i]));
  CHECK(size_of(MPI_COMM_WORLD) == 1 || (made > GB_DUPLICATES_MOST - 10 && made <= GB_DUPLICATES_MOST),
        "%d duplicates, where there may be %d", made, GB_DUPLICATES_MOST);
}

static void interleaved(MPI_Comm a, MPI_Comm b) {
  for (int i = 0; i < 20; i++) {
    use(i % 2 == 0 ? a : b, (size_t)(100 * i + 1));
    use(i % 3 == 0 ? b : a, 3000);
  }
}

/* More plans than a communicator keeps; every root makes some. */
static void many_plans(void) {
  for (int round = 0; round < 2; round++)
    for (size_t n = 1; n < 40000; n += n / (size_of(MPI_COMM_WORLD) > 5 ? 1 : 7) + 1)
      use(MPI_COMM_WORLD, n);
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm half, reversed, copy;
  MUST(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half));
  MUST(MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed));
  use(half, 5000);
  MUST(set_up(half, "grid.txt", NULL, NULL, NULL));
  use(half, 5000);
  MUST(set_up(reversed, "grid-mixed.txt", NULL, NULL, "1k"));
  use(reversed, 9999);
  MUST(MPI_Comm_dup(reversed, &copy)); /* nothing is copied: it plans anew */
  use(copy, 9999);
  interleaved(reversed, copy);
  MUST(MPI_Comm_free(&reversed));
  use(copy, 10);
  MUST(MPI_Comm_free(&copy));
  for (int i = 0; i < 50; i++) {
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    use(copy, 17);
    MUST(MPI_Comm_free(&copy));
  }
  duplicates();
  MUST(gbcast_refresh(MPI_COMM_WORLD));
  MUST(set_up(MPI_COMM_WORLD, "grid.txt", NULL, NULL, NULL));
  many_plans();
  MUST(gbcast_refresh(MPI_COMM_WORLD));
  use(MPI_COMM_WORLD, 4000);
  use(MPI_COMM_SELF, 12);
  MUST(set_up(MPI_COMM_SELF, "grid.txt", NULL, NULL, NULL));
  use(MPI_COMM_SELF, 12);
#ifndef GB_TEST_SMPI /* which has no inter-communicators */
  if (size > 1) {    /* they are MPI's */
    MPI_Comm inter;
    int value = rank, root = rank % 2 == 1 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 == 0 ? 1 : 0, 4, &inter));
    MUST(gbcast_bcast(&value, 1, MPI_INT, root, inter));
    CHECK(rank % 2 == 0 || value == 0, "inter-communicator: got %d", value);
    MUST(MPI_Comm_free(&inter));
  }
#endif
  leave_to_finalize(half); /* which frees what hangs off it and the rest */
  MUST(MPI_Finalize());
  return 0;
}
