/* GBCAST_LIVE: all ranks plan with the same live values, those that gbcast-plan would lay over the same file;
 * gbcast_refresh() reads them again; a source that is gone, or lies, breaks nothing. */
#include "platform/live/live.h"
#include "tests/support/mpi/shared_file.h"
#include <unistd.h>

enum { BYTES = 300000 };

/* Three sites with one slot for each rank: all of the file takes part, as in gbcast-plan. */
static void write_hosts(const char *path) {
  char text[4096];
  int length = 0, size = size_of(MPI_COMM_WORLD);
  for (int site = 0; site < 3; site++) {
    length += snprintf(text + length, sizeof text - (size_t)length, "cluster s%d bandwidth=1Gbit/s\n", site);
    for (int r = site; r < size; r += 3)
      length += snprintf(text + length, sizeof text - (size_t)length, "h%d.s%d\n", r, site);
  }
  snprintf(text + length, sizeof text - (size_t)length,
           "link s0 s1 latency=1ms bandwidth=100Mbit/s\nlink s0 s2 latency=2ms bandwidth=100Mbit/s\n"
           "link s1 s2 latency=40ms bandwidth=1Gbit/s\n");
  write_file(path, text);
}

/* "plan HASH" of the plan that gbcast-plan makes. */
static void plan_alone(const char *hosts, const char *live_text, char hash[32]) {
  gbcast_platform *p = NULL;
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  gbcast_request request = {.bytes = BYTES};
  gb_live live = {.source = "another name"};
  gb_weather weather;
  CHECK(gbcast_platform_read(hosts, &p, &err) == GBCAST_OK, "%s", err.message);
  CHECK(gb_live_parse(&live, live_text, strlen(live_text), "live", 0, &err) == GBCAST_OK, "%s", err.message);
  CHECK(gb_weather_find(p, &live, 300, &weather, &err) == GBCAST_OK, "%s", err.message);
  CHECK(gb_overlay(p, &weather, &err) == GBCAST_OK, "%s", err.message);
  CHECK(gbcast_plan_make(p, &request, &plan, &err) == GBCAST_OK, "%s", err.message);
  snprintf(hash, 32, "plan %016llx", (unsigned long long)gbcast_plan_hash(plan));
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
  gb_live_release(&live);
}

/* Broadcasts, which fails when ranks planned differently, and looks at the hash. */
static void use(MPI_Comm comm, const char *hosts, const char *live_text, char hash[32]) {
  char *text = NULL, *first = allocate(BYTES);
  if (rank_in(comm) == 0)
    fill(first, BYTES, 5);
  MUST(gbcast(first, BYTES, 0, comm));
  CHECK(differs(first, BYTES, 5) == BYTES, "wrong bytes");
  free(first);
  MUST(gbcast_explain(comm, BYTES, 0, &text));
  if (rank_in(comm) == 0)
    plan_alone(hosts, live_text, hash);
  MUST(MPI_Bcast(hash, 32, MPI_CHAR, 0, comm));
  CHECK(strstr(text, hash) != NULL, "with '%s': %s is not in:\n%s", live_text, hash, text);
  free(text);
}

/* What may be told of links, and is not true: data arrive all the same, and before long. */
static void believe(MPI_Comm comm, const char *hosts, const char *live) {
  static const char *const lies[] = {
      "0 0", "nan nan", "-5 -5", "1000000 1000000", "1000000 0.000001", "0.000001 1000000", "1e300 1e-300"};
  char text[200], hash[32];
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    const char *lie = lies[i];
    snprintf(text, sizeof text, "s0 s1 %s\ns0 s2 %s\ns1 s2 %s\ns1 s0 %s\n", lie, lie, lie, lie);
    write_file(live, text);
    MUST(gbcast_refresh(comm));
    use(comm, hosts, text, hash);
  }
}

int main(int argc, char **argv) {
  static const char *const weather[] = {"s0 s1 80 20 0\n", "h0.s0 H1 80 10 299 # by host\ns0 s1 1 99 300.5\n",
                                        "s0 s1 90 100 301\n", ""};
  char hosts[PATH], live[PATH], source[PATH + 8], hash[5][32];
  MPI_Comm comm;
  MPI_Info info;
  MUST(MPI_Init(&argc, &argv));
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  make_file(hosts);
  make_file(live);
  write_hosts(hosts);
  write_file(live, weather[0]);
  snprintf(source, sizeof source, "file:%s", live);
  MUST(MPI_Info_create(&info));
  MUST(MPI_Info_set(info, "gbcast_map", "order"));
  MUST(MPI_Info_set(info, "gbcast_live", source));
  MUST(MPI_Info_set(info, "gbcast_max_age", "300"));
  MUST(gbcast_setup(comm, hosts, info));
  for (int i = 0; i < 4; i++) {
    if (i > 0) {
      write_file(live, weather[i]);
      MUST(gbcast_refresh(comm));
    }
    use(comm, hosts, weather[i], hash[i]);
  }
  CHECK(strcmp(hash[0], hash[1]) != 0, "another bandwidth, and the same hash");
  CHECK(strcmp(hash[0], hash[2]) != 0, "values that are too old count");
  CHECK(strcmp(hash[2], hash[3]) == 0, "values that are too old count for something");
  write_file(live, "s0 s1 fast\ns0 s1 80 20 0\ns0 s2 1"); /* what is wrong is left out, and the rest counts */
  MUST(gbcast_refresh(comm));
  use(comm, hosts, "s0 s1 80 20 0\ns0 s2 1\n", hash[4]);
  CHECK(strcmp(hash[4], hash[3]) != 0, "a wrong line, and the others do not count");
  believe(comm, hosts, live);
  write_file(live, "s0 s1 fast\n"); /* half written, or gone: the hosts file's values */
  MUST(gbcast_refresh(comm));
  use(comm, hosts, "", hash[4]);
  if (rank_in(comm) == 0)
    unlink(live);
  MUST(gbcast_refresh(comm));
  use(comm, hosts, "", hash[4]);
  MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  MUST(MPI_Info_set(info, "gbcast_live", "-"));
  CHECK(gbcast_setup(comm, hosts, info) == MPI_ERR_ARG, "the program's standard input was taken");
  MUST(MPI_Info_set(info, "gbcast_live", source));
  MUST(MPI_Info_set(info, "gbcast_max_age", "soon"));
  CHECK(gbcast_setup(comm, hosts, info) == MPI_ERR_ARG, "an age that is none was taken");
  MUST(MPI_Info_free(&info));
  MUST(MPI_Comm_free(&comm));
  if (rank_in(MPI_COMM_WORLD) == 0)
    unlink(hosts);
  MUST(MPI_Finalize());
  return 0;
}
