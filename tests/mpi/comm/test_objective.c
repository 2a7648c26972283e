/* GBCAST_OBJECTIVE: a job's plan is the one that the planner alone makes for that objective, without relays,
 * whose slots take no ranks; and it delivers. */
#include "tests/support/mpi/check.h"
#include <gbcast/plan.h>
#include <math.h>
#include <unistd.h>

enum { BYTES = 300000 };

/* From a to c straight is dear and fast, over b cheap, over the relay cheaper still. */
static const char hosts[] =
    "cluster a bandwidth=1Gbit/s egress=0.01USD/GB\na[0-1]\n"
    "cluster r bandwidth=1Gbit/s relay\nr[0-1]\n"
    "cluster b bandwidth=1Gbit/s egress=0.01USD/GB\nb0\n"
    "cluster c bandwidth=1Gbit/s\nc[0-1]\n"
    "link a b latency=1ms bandwidth=100Mbit/s\n"
    "link a c latency=1ms bandwidth=400Mbit/s egress=0.15USD/GB\n"
    "link b c latency=1ms bandwidth=100Mbit/s\n"
    "link a r latency=1ms bandwidth=400Mbit/s egress=0.001USD/GB\n"
    "link r b latency=1ms bandwidth=400Mbit/s\nlink r c latency=1ms bandwidth=400Mbit/s\n";

static void write_hosts(char *path) {
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
  const int fd = mkstemp(path);
  CHECK(fd >= 0, "no temporary file %s", path);
  CHECK(write(fd, hosts, sizeof hosts - 1) == (ssize_t)sizeof hosts - 1, "cannot write %s", path);
  CHECK(close(fd) == 0, "cannot write %s", path);
}

/* The hash that the planner alone gives for the job. */
static uint64_t hash_of(const char *path, double within) {
  gbcast_platform *platform = NULL;
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  const gbcast_request request = {.bytes = BYTES, .root = "a0", .within = within};
  CHECK(gbcast_platform_read(path, &platform, &err) == GBCAST_OK, "%s", err.message);
  CHECK(gbcast_plan_make(platform, &request, &plan, &err) == GBCAST_OK, "%s", err.message);
  const uint64_t hash = gbcast_plan_hash(plan);
  gbcast_plan_free(plan);
  gbcast_platform_free(platform);
  return hash;
}

/* Returns the hash on rank 0. */
static uint64_t with_objective(char *path, const char *objective, double within) {
  static unsigned char data[BYTES];
  uint64_t hash = 0;
  char *text = NULL;
  MPI_Comm comm;
  MPI_Info info;
  MUST(MPI_Info_create(&info));
  MUST(MPI_Info_set(info, "gbcast_map", "order"));
  MUST(MPI_Info_set(info, "gbcast_objective", objective));
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(gbcast_setup(comm, path, info));
  MUST(gbcast_explain(comm, BYTES, 0, &text));
  if (rank_in(comm) == 0) {
    char wanted[32];
    hash = hash_of(path, within);
    snprintf(wanted, sizeof wanted, "plan %016llx", (unsigned long long)hash);
    CHECK(strstr(text, wanted) != NULL, "%s: %s is not in:\n%s", objective, wanted, text);
  }
  free(text);
  for (int i = 0; i < BYTES; i++)
    data[i] = (unsigned char)(rank_in(comm) == 0 ? i * 7 + i / 251 : 0);
  MUST(gbcast(data, BYTES, 0, comm));
  for (int i = 0; i < BYTES; i++)
    CHECK(data[i] == (unsigned char)(i * 7 + i / 251), "%s: byte %d", objective, i);
  MUST(MPI_Comm_free(&comm));
  MUST(MPI_Info_free(&info));
  return hash;
}

int main(int argc, char **argv) {
  char path[] = "/tmp/gbcast-test-XXXXXX";
  MUST(MPI_Init(&argc, &argv));
  write_hosts(path);
  const uint64_t fast = with_objective(path, "time", 0), cheap = with_objective(path, "cost", INFINITY);
  const bool root = rank_in(MPI_COMM_WORLD) == 0;
  CHECK(!root || fast != cheap, "the cheapest plan is the fastest one");
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  if (root)
    CHECK(unlink(path) == 0, "cannot remove %s", path);
  MUST(MPI_Finalize());
  return 0;
}
