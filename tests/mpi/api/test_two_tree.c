/* Broadcasts down several trees at once: two, each with half of the message, of which one is empty when there
 * is one byte, and the shares that go round a ring. */
#include "tests/support/mpi/check.h"

/* They are what runs. */
static void expect(size_t n, const char *what) {
  char *text = NULL;
  MUST(gbcast_explain(MPI_COMM_WORLD, n, 0, &text));
  CHECK(strstr(text, what) != NULL, "%s", text);
  free(text);
}

int main(int argc, char **argv) {
  static const size_t size[] = {1, 2, 3, 1023, 4097, 1 << 20, 1000003};
  static const char *const file[] = {"grid-flat.txt", "grid.txt"};
  MUST(MPI_Init(&argc, &argv));
  int ranks = size_of(MPI_COMM_WORLD);
  for (int f = 0; f < 2; f++) {
    for (int cut = 0; cut < 2; cut++) {
      MUST(set_up(MPI_COMM_WORLD, file[f], NULL, "two-tree", cut ? "1000" : NULL));
      expect(1 << 20, "two trees of half the message each");
      for (size_t i = 0; i < sizeof size / sizeof *size - 2 * (size_t)cut; i++)
        for (int root = 0; root < ranks; root += 1 + ranks / 8)
          for (uint64_t again = 0; again < 2; again++) /* a new plan, and the same again */
            check_broadcast(size[i], root, i * 7 + (uint64_t)root + again);
    }
  }
  MUST(set_up(MPI_COMM_WORLD, "grid.txt", "chain", "two-tree", "16k"));
  check_broadcast(300001, ranks - 1, 5);
  for (int f = 0; f < 2; f++) {
    MUST(set_up(MPI_COMM_WORLD, file[f], NULL, "scatter-allgather", NULL));
    expect(1 << 20, "16 trees of 1/16 of the message each");
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
      check_broadcast(size[i], (int)i % ranks, i);
  }
  MUST(MPI_Finalize());
  return 0;
}
