/* Broadcasts and scatters down several trees over the sites at once, with shares that are not alike. */
#include "tests/support/mpi/check.h"

static void scatter(size_t block, int root) {
  int ranks = size_of(MPI_COMM_WORLD), me = rank_in(MPI_COMM_WORLD);
  unsigned char *all = allocate(block * (size_t)ranks + 1), *mine = allocate(block + 1);
  fill(all, block * (size_t)ranks, 3);
  memset(mine, 0xA5, block + 1);
  MUST(gbcast_scatter(me == root ? all : NULL, (MPI_Count)block, MPI_BYTE, mine, (MPI_Count)block, MPI_BYTE,
                      root, MPI_COMM_WORLD));
  CHECK(memcmp(mine, all + block * (size_t)me, block) == 0, "block %d of %zu bytes from root %d is wrong", me,
        block, root);
  CHECK(mine[block] == 0xA5, "block of %zu bytes from root %d: wrote outside", block, root);
  free(all);
  free(mine);
}

/* Blocks of r times 1003 pairs of bytes, of which every second pair is sent, in a type that has to be packed
 * at both ends. */
static void scatter_uneven(int root) {
  int ranks = size_of(MPI_COMM_WORLD), me = rank_in(MPI_COMM_WORLD), total = 0;
  MPI_Count *count = allocate(sizeof *count * (size_t)ranks);
  MPI_Aint *place = allocate(sizeof *place * (size_t)ranks);
  for (int i = 0; i < ranks; total += (int)count[i++]) {
    count[i] = (MPI_Count)1003 * ((i + root) % ranks);
    place[i] = total;
  }
  MPI_Datatype pair;
  MUST(MPI_Type_create_resized(MPI_SHORT, 0, 4, &pair));
  MUST(MPI_Type_commit(&pair));
  unsigned char *all = allocate(4 * (size_t)total + 1), *mine = allocate(4 * (size_t)count[me] + 1);
  fill(all, 4 * (size_t)total, 5);
  MUST(gbcast_scatterv(all, count, place, pair, mine, count[me], pair, root, MPI_COMM_WORLD));
  for (MPI_Count i = 0; i < count[me]; i++)
    CHECK(memcmp(mine + 4 * i, all + 4 * (place[me] + i), 2) == 0, "pair %d from root %d is wrong", (int)i,
          root);
  MUST(MPI_Type_free(&pair));
  free(all);
  free(mine);
  free(count);
  free(place);
}

/* Several trees are what runs, for large messages from some root; returns how many roots. */
static int several(size_t n, int explain(MPI_Comm comm, size_t n, int root, char **text)) {
  int count = 0;
  for (int root = 0; root < size_of(MPI_COMM_WORLD); root++) {
    char *text = NULL;
    MUST(explain(MPI_COMM_WORLD, n, root, &text));
    count += strstr(text, "tree 2 with") != NULL || strstr(text, " trees of ") != NULL;
    free(text);
  }
  return count;
}

int main(int argc, char **argv) {
  static const size_t size[] = {0, 1, 3, 1023, 100000, 1 << 20, 1000003};
  static const char *const inter[] = {"packing", "packing", "packing", "disjoint"};
  static const char *const intra[] = {NULL, "two-tree", "linear-contention-free", "two-tree"};
  MUST(MPI_Init(&argc, &argv));
  int ranks = size_of(MPI_COMM_WORLD);
  for (int a = 0; a < 4; a++) {
    MUST(set_up(MPI_COMM_WORLD, "mesh.txt", inter[a], intra[a], a == 2 ? "5000" : NULL));
    CHECK(ranks < 4 || several(1 << 20, gbcast_explain) >= ranks / 2,
          "only %d of %d roots send down several trees", several(1 << 20, gbcast_explain), ranks);
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
      for (int root = 0; root < ranks; root++)
        for (uint64_t again = 0; again < 1 + (i < 4); again++)
          check_broadcast(size[i], root, i * 7 + (uint64_t)root + again);
  }
  static const char *const cut[] = {NULL, "1000", "30000"};
  for (int a = 0; a < 3; a++) {
    MUST(set_up(MPI_COMM_WORLD, "mesh.txt", "packing", a == 2 ? "flat" : "direct", cut[a]));
    CHECK(ranks < 4 || several(100000, gbcast_explain_scatter) >= ranks / 2, "scatters go down one tree");
    for (int root = 0; root < ranks; root++) {
      for (size_t i = 0; i < 5; i++)
        scatter(size[i], root);
      scatter_uneven(root);
    }
  }
  MUST(set_up(MPI_COMM_WORLD, "mesh.txt", NULL, NULL, NULL));
  CHECK(ranks < 4 || several(100000, gbcast_explain_scatter) > 0,
        "no scatter chooses several trees by itself");
  CHECK(ranks < 4 || several(1 << 20, gbcast_explain) > 0, "no root chooses several trees by itself");
  check_broadcast(1 << 20, 0, 1);
  MUST(MPI_Finalize());
  return 0;
}
