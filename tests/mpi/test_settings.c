/* Ranks found by the names of their processors, the hash that the planner alone gives for the same,
 * GBCAST_DISABLE. */
#include "check.h"
#include <gbcast/plan.h>
#include <unistd.h>

enum { NAME = MPI_MAX_PROCESSOR_NAME };

/* A hosts file of this job on rank 0: each processor with as many slots as it has ranks, by its whole name or
 * by what comes before the first dot. Without names that differ in the short form false. */
static bool write_hosts(char *path, bool brief, char *root) {
  char mine[NAME] = "", *all = NULL;
  int length, size = size_of(MPI_COMM_WORLD);
  MUST(MPI_Get_processor_name(mine, &length));
  if (rank_in(MPI_COMM_WORLD) == 0)
    all = allocate((size_t)size * NAME);
  MUST(MPI_Gather(mine, NAME, MPI_CHAR, all, NAME, MPI_CHAR, 0, MPI_COMM_WORLD));
  int usable = 1;
  if (all) {
    int fd = mkstemp(path);
    CHECK(fd >= 0, "no temporary file %s", path);
    FILE *out = fdopen(fd, "w");
    CHECK(out != NULL, "no stream for %s", path);
    fprintf(out, "cluster here latency=70us bandwidth=1Gbit/s\n");
    for (int r = 0; r < size; r++) {
      char *name = all + (size_t)r * NAME, *dot = strchr(name, '.');
      if (brief && dot)
        *dot = '\0';
      usable = usable && !(brief && !dot);
      fprintf(out, "%s\n", name);
    }
    strcpy(root, all);
    CHECK(fclose(out) == 0, "cannot write %s", path);
    free(all);
  }
  MUST(MPI_Bcast(&usable, 1, MPI_INT, 0, MPI_COMM_WORLD));
  return usable;
}

static void by_name(bool brief) {
  char path[] = "/tmp/gbcast-test-XXXXXX", root[NAME] = "", *text;
  MPI_Comm comm;
  bool usable = write_hosts(path, brief, root);
  if (usable) {
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(gbcast_setup(comm, path, MPI_INFO_NULL));
    for (size_t n = 1000; n < 3000000; n *= 13) {
      MUST(gbcast_explain(comm, n, 0, &text));
      if (rank_in(comm) == 0) {
        gbcast_platform *platform = NULL;
        gbcast_plan *plan = NULL;
        gbcast_error err = {""};
        gbcast_request request = {.bytes = n, .root = root};
        char hash[32];
        CHECK(gbcast_platform_read(path, &platform, &err) == GBCAST_OK, "%s", err.message);
        CHECK(gbcast_plan_make(platform, &request, &plan, &err) == GBCAST_OK, "%s", err.message);
        snprintf(hash, sizeof hash, "plan %016llx", (unsigned long long)gbcast_plan_hash(plan));
        CHECK(strstr(text, hash) != NULL, "%s is not in:\n%s", hash, text);
        gbcast_plan_free(plan);
        gbcast_platform_free(platform);
      }
      free(text);
    }
    MUST(MPI_Comm_free(&comm));
  }
  if (rank_in(MPI_COMM_WORLD) == 0)
    unlink(path);
}

static void disabled(void) {
  MPI_Comm comm;
  MPI_Info info;
  char buffer[100];
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Info_create(&info));
  MUST(MPI_Info_set(info, "gbcast_disable", "1"));
  MUST(gbcast_setup(comm, NULL, info));
  MUST(MPI_Info_free(&info));
  int root = size_of(comm) - 1;
  if (rank_in(comm) == root)
    fill(buffer, sizeof buffer, 7);
  MUST(gbcast(buffer, sizeof buffer, root, comm));
  CHECK(differs(buffer, sizeof buffer, 7) == sizeof buffer, "wrong bytes when disabled");
  MUST(MPI_Comm_free(&comm));
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  by_name(false);
  by_name(true);
  disabled();
  MUST(MPI_Finalize());
  return 0;
}
