/* Broadcasts in several lanes, each with leaders of its own, also more than some sites have hosts and more
 * shares than the message has bytes. */
#include "tests/support/mpi/check.h"

/* So many lanes are what runs, where there are several sites. */
static void expect(const char *lanes) {
  char *text = NULL, words[32];
  snprintf(words, sizeof words, "%s lanes, ", lanes);
  MUST(gbcast_explain(MPI_COMM_WORLD, 1 << 20, 0, &text));
  CHECK(strstr(text, " in 1 site\n") != NULL || strstr(text, words) != NULL, "no '%s' in\n%s", words, text);
  free(text);
}

static void broadcast_all(int step) {
  static const size_t size[] = {0, 1, 5, 1023, 50000, 1000003};
  const int ranks = size_of(MPI_COMM_WORLD);
  for (size_t i = 0; i < sizeof size / sizeof *size; i++)
    for (int root = 0; root < ranks; root += step)
      for (uint64_t again = 0; again < 2; again++) /* a new plan, and the same again */
        check_broadcast(size[i], root, i * 7 + (uint64_t)root + again);
}

int main(int argc, char **argv) {
  static const struct {
    const char *hosts, *lanes, *inter, *intra, *segment;
  } way[] = {{"mesh.txt", "2", NULL, NULL, NULL},
             {"mesh.txt", "3", "packing", "two-tree", NULL},
             {"grid.txt", "5", NULL, "linear-contention-free", "4000"},
             {"grid.txt", "16", "flat", "binomial", NULL}};
  MUST(MPI_Init(&argc, &argv));
  const int step = 1 + size_of(MPI_COMM_WORLD) / 4;
  for (size_t w = 0; w < sizeof way / sizeof *way; w++) {
    const char *hosts = size_of(MPI_COMM_WORLD) <= 6 ? way[w].hosts : "grid.txt"; /* which has more slots */
    MUST(set_up_lanes(MPI_COMM_WORLD, hosts, way[w].lanes, way[w].inter, way[w].intra, way[w].segment));
    expect(way[w].lanes);
    broadcast_all(step);
  }
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  CHECK(set_up_lanes(MPI_COMM_WORLD, "grid.txt", "0", NULL, NULL, NULL) != MPI_SUCCESS,
        "no lanes at all are taken");
  CHECK(set_up_lanes(MPI_COMM_WORLD, "grid.txt", "many", NULL, NULL, NULL) != MPI_SUCCESS,
        "'many' lanes are taken");
  MUST(MPI_Finalize());
  return 0;
}
