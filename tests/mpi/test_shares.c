/* Broadcasts down several trees over the sites at once, with shares that are not alike; a forced packing is
 * not meant for scatters. */
#include "check.h"

static void scatter(size_t block, int root) {
  int ranks = size_of(MPI_COMM_WORLD), me = rank_in(MPI_COMM_WORLD);
  unsigned char *all = allocate(block * (size_t)ranks), *mine = allocate(block);
  fill(all, block * (size_t)ranks, 3);
  MUST(gbcast_scatter(all, (MPI_Count)block, MPI_BYTE, mine, (MPI_Count)block, MPI_BYTE, root,
                      MPI_COMM_WORLD));
  CHECK(memcmp(mine, all + block * (size_t)me, block) == 0, "block %d from root %d is wrong", me, root);
  free(all);
  free(mine);
}

/* Several trees are what runs, for large messages from some root; returns how many roots. */
static int several(size_t n) {
  int count = 0;
  for (int root = 0; root < size_of(MPI_COMM_WORLD); root++) {
    char *text = NULL;
    MUST(gbcast_explain(MPI_COMM_WORLD, n, root, &text));
    count += strstr(text, "tree 2 with") != NULL || strstr(text, "two trees") != NULL;
    free(text);
  }
  return count;
}

int main(int argc, char **argv) {
  static const size_t size[] = {0, 1, 3, 1023, 100000, 1 << 20, 1000003};
  static const char *const intra[] = {NULL, "two-tree", "linear-contention-free"};
  MUST(MPI_Init(&argc, &argv));
  int ranks = size_of(MPI_COMM_WORLD);
  for (int a = 0; a < 3; a++) {
    MUST(set_up(MPI_COMM_WORLD, "mesh.txt", "packing", intra[a], a == 2 ? "5000" : NULL));
    CHECK(ranks < 4 || several(1 << 20) >= ranks / 2, "only %d of %d roots send down several trees",
          several(1 << 20), ranks);
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
      for (int root = 0; root < ranks; root++)
        for (uint64_t again = 0; again < 1 + (i < 4); again++)
          check_broadcast(size[i], root, i * 7 + (uint64_t)root + again);
    scatter(1000, ranks - 1);
  }
  MUST(set_up(MPI_COMM_WORLD, "mesh.txt", NULL, NULL, NULL));
  CHECK(ranks < 4 || several(1 << 20) > 0, "no root chooses several trees by itself");
  check_broadcast(1 << 20, 0, 1);
  MUST(MPI_Finalize());
  return 0;
}
