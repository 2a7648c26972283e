/* Messages of different purposes never have the same tag, in whatever runs: neither those of different trees,
 * nor those of runs that may be under way at the same time. */
#include "mpi/exec/exchanging.h"
#include "tests/support/mpi/check.h"

enum { TAGS = 32768 }; /* which every MPI has */

/* An all-to-all has purposes in place of trees. */
_Static_assert(GB_FOR_SYNC_MOST <= GB_TREES_MOST, "syncs have tags that are not data's");
_Static_assert(GB_FOR_BLOCK != GB_FOR_DUMMY && GB_FOR_BLOCK != GB_FOR_BARRIER &&
                   GB_FOR_DUMMY != GB_FOR_BARRIER && GB_FOR_SYNC > GB_FOR_BLOCK &&
                   GB_FOR_SYNC > GB_FOR_DUMMY && GB_FOR_SYNC > GB_FOR_BARRIER &&
                   GB_FOR_SYNC < GB_FOR_SYNC_MOST,
               "messages of an all-to-all share a tag");

static void check(uint64_t first) {
  static bool taken[TAGS];
  memset(taken, 0, sizeof taken);
  for (uint64_t number = first; number < first + GB_SLOTS; number++)
    for (uint32_t tree = 0; tree < GB_TREES_MOST; tree++) {
      const gb_exec exec = {.tag_blocks = 1};
      const gb_run run = {.tag = gb_first_tag(&exec, number, 12345)};
      const int tag = gb_data_tag(&run, tree);
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
