/* A broadcast of 64 MiB, in long and in short segments. */
#include "tests/support/mpi/check.h"

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  const size_t n = ((size_t)64 << 20) + 3;
  unsigned char *buffer = allocate(n);
  int root = size_of(MPI_COMM_WORLD) / 2;
  static const char *const segment[] = {NULL, "64k"};
  for (int i = 0; i < 2; i++) {
    memset(buffer, 0, n);
    if (rank_in(MPI_COMM_WORLD) == root)
      fill(buffer, n, 9);
    MUST(set_up(MPI_COMM_WORLD, "grid.txt", NULL, NULL, segment[i]));
    MUST(gbcast(buffer, n, root, MPI_COMM_WORLD));
    size_t at = differs(buffer, n, 9);
    CHECK(at == n, "byte %zu is wrong", at);
  }
  free(buffer);
  MUST(MPI_Finalize());
  return 0;
}
