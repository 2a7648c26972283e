/* Broadcasts down two trees at once, each with half of the message: one half is empty when there is one byte.
 */
#include "check.h"

/* Two trees are what runs. */
static void expect_two(size_t n) {
  char *text = NULL;
  MUST(gbcast_explain(MPI_COMM_WORLD, n, 0, &text));
  CHECK(strstr(text, "two trees of half the message each") != NULL, "%s", text);
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
      expect_two(1 << 20);
      for (size_t i = 0; i < sizeof size / sizeof *size - 2 * (size_t)cut; i++)
        for (int root = 0; root < ranks; root += 1 + ranks / 8)
          for (uint64_t again = 0; again < 2; again++) /* a new plan, and the same again */
            check_broadcast(size[i], root, i * 7 + (uint64_t)root + again);
    }
  }
  MUST(set_up(MPI_COMM_WORLD, "grid.txt", "chain", "two-tree", "16k"));
  check_broadcast(300001, ranks - 1, 5);
  MUST(MPI_Finalize());
  return 0;
}
