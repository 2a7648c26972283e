/* Messages of different purposes never have the same tag, in whatever runs: neither those of one run, nor
 * those of runs that may be under way at the same time. */
#include "mpi/exec/run.h"
#include "tests/support/mpi/check.h"

enum { TAGS = 32768 }; /* which every MPI has */

static void check(uint64_t first) {
  static bool taken[TAGS];
  memset(taken, 0, sizeof taken);
  for (uint64_t number = first; number < first + GB_RUNS_MOST; number++)
    for (int i = 0; i < GB_TAGS; i++) {
      const gb_exec exec = {.tag_blocks = 1};
      const int tag = gb_first_tag(&exec, number, 12345) + i;
      CHECK(tag >= 0 && tag < TAGS, "run %llu: tag %d", (unsigned long long)number, tag);
      CHECK(!taken[tag], "run %llu: tag %d is another's", (unsigned long long)number, tag);
      taken[tag] = true;
    }
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  check(0);
  check(100);
  check(UINT32_MAX - 50ull);
  MUST(MPI_Finalize());
  return 0;
}
