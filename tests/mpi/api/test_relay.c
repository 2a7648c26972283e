/* Broadcasts and scatters where several ranks share a host: the rank that hears from another host is not the
 * one that sends to the next. */
#include "tests/support/mpi/check.h"

static void scatter(size_t block, int root, uint64_t key) {
  int ranks = size_of(MPI_COMM_WORLD), me = rank_in(MPI_COMM_WORLD);
  unsigned char *all = allocate(block * (size_t)ranks + 1), *mine = allocate(block + 1);
  for (int r = 0; r < ranks; r++)
    fill(all + block * (size_t)r, block, key + (uint64_t)r);
  MUST(gbcast_scatter(me == root ? all : NULL, (MPI_Count)block, MPI_BYTE, mine, (MPI_Count)block, MPI_BYTE,
                      root, MPI_COMM_WORLD));
  size_t at = differs(mine, block, key + (uint64_t)me);
  CHECK(at == block, "blocks of %zu bytes from root %d: byte %zu is wrong", block, root, at);
  free(all);
  free(mine);
}

/* That is what runs. */
static void expect_relay(size_t n) {
  char *text = NULL;
  MUST(gbcast_explain(MPI_COMM_WORLD, n, 0, &text));
  CHECK(strstr(text, "relay+") != NULL, "%s", text);
  free(text);
}

int main(int argc, char **argv) {
  static const size_t size[] = {1, 1023, 4097, 65536, 1 << 20, 1000003};
  static const char *const inside[] = {"linear-contention-free", "two-tree"};
  MUST(MPI_Init(&argc, &argv));
  int ranks = size_of(MPI_COMM_WORLD);
  for (int a = 0; a < 2; a++)
    for (int cut = 0; cut < 2; cut++) {
      MUST(set_up(MPI_COMM_WORLD, "grid-node.txt", NULL, inside[a], cut ? "3000" : NULL));
      expect_relay(1 << 20);
      for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        for (int root = 0; root < ranks; root += 1 + ranks / 3)
          for (uint64_t again = 0; again < 2; again++) /* a new plan, and the same again */
            check_broadcast(size[i], root, i * 7 + (uint64_t)root + again);
    }
  MUST(set_up(MPI_COMM_WORLD, "grid-node.txt", NULL, NULL, NULL));
  for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
    check_broadcast(size[i], (int)i % ranks, i);
    scatter(size[i] / 4, (int)i % ranks, i);
  }
  MUST(MPI_Finalize());
  return 0;
}
