/* Broadcasts in several lanes, each with leaders of its own, also more than some sites have hosts and more
 * shares than the message has bytes. */
#include "check.h"

static void broadcast(size_t n, int root, uint64_t key) {
  unsigned char *buffer = allocate(n + 2);
  memset(buffer, 0xA5, n + 2);
  if (rank_in(MPI_COMM_WORLD) == root)
    fill(buffer + 1, n, key);
  MUST(gbcast(buffer + 1, n, root, MPI_COMM_WORLD));
  size_t at = differs(buffer + 1, n, key);
  CHECK(at == n, "%zu bytes from root %d: byte %zu is wrong", n, root, at);
  CHECK(buffer[0] == 0xA5 && buffer[n + 1] == 0xA5, "%zu bytes from root %d: wrote outside", n, root);
  free(buffer);
}

static int set_up_lanes(const char *hosts, const char *lanes, const char *inter, const char *intra,
                        const char *segment) {
  char path[1024];
  MPI_Info info;
  MUST(MPI_Info_create(&info));
  MUST(MPI_Info_set(info, "gbcast_map", "order"));
  MUST(MPI_Info_set(info, "gbcast_lanes", lanes));
  if (inter != NULL)
    MUST(MPI_Info_set(info, "gbcast_inter", inter));
  if (intra != NULL)
    MUST(MPI_Info_set(info, "gbcast_intra", intra));
  if (segment != NULL)
    MUST(MPI_Info_set(info, "gbcast_segment", segment));
  snprintf(path, sizeof path, "%s/%s", GB_TEST_DATA, hosts);
  int rc = gbcast_setup(MPI_COMM_WORLD, path, info);
  MUST(MPI_Info_free(&info));
  return rc;
}

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
        broadcast(size[i], root, i * 7 + (uint64_t)root + again);
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
    MUST(set_up_lanes(hosts, way[w].lanes, way[w].inter, way[w].intra, way[w].segment));
    expect(way[w].lanes);
    broadcast_all(step);
  }
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  CHECK(set_up_lanes("grid.txt", "0", NULL, NULL, NULL) != MPI_SUCCESS, "no lanes at all are taken");
  CHECK(set_up_lanes("grid.txt", "many", NULL, NULL, NULL) != MPI_SUCCESS, "'many' lanes are taken");
  MUST(MPI_Finalize());
  return 0;
}
