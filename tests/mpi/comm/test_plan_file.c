/* GBCAST_PLAN: the trees of a file run whatever the hosts file says, for their operation, root and size;
 * files that do not fit are refused by name. */
#include "tests/support/mpi/heard.h"
#include "tests/support/mpi/shared_file.h"

enum { BYTES = 100000, BLOCK = 3000, TEXT = 8192 };

/* Up to two sites of `slots` slots together, and a link of that latency. */
static void hosts_text(char text[TEXT], int slots, const char *name, int latency) {
  int length = 0;
  for (int site = 0; site < 2 && site < slots; site++) {
    length += snprintf(text + length, TEXT - (size_t)length, "cluster s%d bandwidth=1Gbit/s\n", site);
    for (int r = site; r < slots; r += 2)
      length += snprintf(text + length, TEXT - (size_t)length, "%s%d.s%d\n", name, r, site);
  }
  if (slots > 1)
    snprintf(text + length, TEXT - (size_t)length, "link s0 s1 latency=%dms bandwidth=100Mbit/s\n", latency);
}

/* What gbcast-plan --format=json prints; the hash. */
static uint64_t write_plan(const char *path, const char *hosts, gbcast_request request) {
  gbcast_platform *p = NULL;
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  CHECK(gbcast_platform_parse(hosts, strlen(hosts), "hosts", &p, &err) == GBCAST_OK, "%s", err.message);
  CHECK(gbcast_plan_make(p, &request, &plan, &err) == GBCAST_OK, "%s", err.message);
  if (rank_in(MPI_COMM_WORLD) == 0) {
    FILE *out = fopen(path, "w");
    CHECK(out != NULL && gbcast_plan_print(plan, GBCAST_JSON, out) == GBCAST_OK && fclose(out) == 0,
          "cannot write %s", path);
  }
  const uint64_t hash = gbcast_plan_hash(plan);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  return hash;
}

static int set_up_plans(MPI_Comm comm, const char *hosts, const char *plans) {
  MPI_Info info;
  MUST(MPI_Info_create(&info));
  MUST(MPI_Info_set(info, "gbcast_map", "order"));
  if (plans != NULL)
    MUST(MPI_Info_set(info, "gbcast_plan", plans));
  int rc = gbcast_setup(comm, hosts, info);
  MUST(MPI_Info_free(&info));
  return rc;
}

static int explain(enum gbcast_operation operation, size_t bytes, int root, char **text) {
  switch (operation) {
  case GBCAST_SCATTER:
    return gbcast_explain_scatter(MPI_COMM_WORLD, bytes, root, text);
  case GBCAST_BARRIER:
    return gbcast_explain_barrier(MPI_COMM_WORLD, text);
  default:
    return gbcast_explain(MPI_COMM_WORLD, bytes, root, text);
  }
}

/* What is told of a broadcast, scatter or barrier: from the file, with its hash, or planned as ever. */
static void expect_plan(enum gbcast_operation operation, size_t bytes, int root, const char *file,
                        uint64_t hash) {
  char *text = NULL, as_in[256], is[64];
  snprintf(as_in, sizeof as_in, "As in %s, where it is plan %016llx, predicted ", file,
           (unsigned long long)hash);
  snprintf(is, sizeof is, "; plan %016llx", (unsigned long long)hash);
  MUST(explain(operation, bytes, root, &text));
  CHECK((strstr(text, as_in) != NULL) == (file != NULL), "%zu bytes from %d, expected '%s' in:\n%s", bytes,
        root, as_in, text);
  CHECK(file == NULL || strstr(text, is) != NULL, "another hash than%s in:\n%s", is, text);
  CHECK(file != NULL || strstr(text, "As in ") == NULL, "a plan of a file:\n%s", text);
  free(text);
}

static void check_scatter(size_t block, int root) {
  const int size = size_of(MPI_COMM_WORLD), rank = rank_in(MPI_COMM_WORLD);
  unsigned char *all = allocate(block * (size_t)size), *mine = allocate(block);
  for (int r = 0; r < size; r++)
    fill(all + block * (size_t)r, block, (uint64_t)r + block);
  MUST(gbcast_scatter(all, (MPI_Count)block, MPI_BYTE, mine, (MPI_Count)block, MPI_BYTE, root,
                      MPI_COMM_WORLD));
  CHECK(differs(mine, block, (uint64_t)rank + block) == block, "scatter of %zu bytes from %d", block, root);
  free(all);
  free(mine);
}

/* A broadcast from the first rank and a scatter from the last. */
static void run_them(const char *hosts, const char *text, char bcast[PATH], char scatter[PATH]) {
  const int last = size_of(MPI_COMM_WORLD) - 1;
  char root[16], list[2 * PATH];
  snprintf(root, sizeof root, "%d", 0);
  gbcast_request request = {
      .bytes = BYTES, .inter = "chain", .intra = "chain", .segment = 1000, .root = "h0.s0"};
  const uint64_t first = write_plan(bcast, text, request);
  /* the last rank in the order of the file's slots */
  snprintf(root, sizeof root, "%d", last);
  request = (gbcast_request){.operation = GBCAST_SCATTER, .bytes = BLOCK, .intra = "chain", .root = root};
  const uint64_t second = write_plan(scatter, text, request);
  snprintf(list, sizeof list, "%s:%s", bcast, scatter);
  char other[TEXT];
  for (int latency = 1; latency <= 80; latency += 79) { /* another network than that of the plan, too */
    hosts_text(other, last + 1, "h", latency);
    write_file(hosts, other);
    MUST(set_up_plans(MPI_COMM_WORLD, hosts, list));
    expect_plan(GBCAST_BCAST, BYTES, 0, bcast, first);
    expect_plan(GBCAST_BCAST, 10, 0, NULL, first);
    expect_plan(GBCAST_SCATTER, BLOCK, last, scatter, second);
    expect_plan(GBCAST_SCATTER, BYTES, last, NULL, first);
    if (last > 0)
      expect_plan(GBCAST_BCAST, BYTES, last, NULL, first);
    for (size_t n = BYTES - 500; n <= BYTES + 500; n += 500) /* of one class */
      check_broadcast(n, 0, n);
    check_broadcast(BYTES, last, 3);
    check_broadcast(77, 0, 4);
    check_scatter(BLOCK, last);
    check_scatter(BLOCK, 0);
  }
  MUST(gbcast_refresh(MPI_COMM_WORLD));
  expect_plan(GBCAST_BCAST, BYTES, 0, bcast, first);
  check_broadcast(BYTES, 0, 5);
}

static const char *tried_hosts, *tried_plan; /* the simulator's ranks all try the same */

static void try_one(MPI_Comm comm) {
  int class = MPI_SUCCESS, rc = set_up_plans(comm, tried_hosts, tried_plan);
  if (rc != MPI_SUCCESS)
    MUST(MPI_Error_class(rc, &class));
  CHECK(class == MPI_ERR_ARG, "%s: class %d", tried_plan, class);
}

static void expect_refused(MPI_Comm comm, const char *hosts, const char *plan, const char *why) {
  tried_hosts = hosts;
  tried_plan = plan;
#ifdef GB_TEST_SMPI
  (void)why;
  try_one(comm);
#else
  char *told = heard(try_one, comm);
  const bool first = rank_in(MPI_COMM_WORLD) == 0;
  CHECK(first ? strstr(told, why) != NULL && strstr(told, plan) != NULL : told[0] == '\0',
        "%s: expected '%s', is told: %s", plan, why, told);
  free(told);
#endif
  MUST(MPI_Barrier(MPI_COMM_WORLD));
}

static void refuse_them(const char *hosts, const char *text, char good[PATH], char bad[PATH]) {
  const int size = size_of(MPI_COMM_WORLD);
  char other[TEXT], list[2 * PATH];
  MPI_Comm comm;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  expect_refused(comm, hosts, "/nowhere/plan.json", "/nowhere/plan.json:1:1: cannot open: No such file");
  write_file(bad, "{\n  \"schema\": 1 }\n");
  expect_refused(comm, hosts, bad, ":2:13: \"schema\": expected a string");
  snprintf(list, sizeof list, "%s:%s", good, bad);
  expect_refused(comm, hosts, list + strlen(good) + 1, ":2:13: \"schema\": expected a string");
  write_plan(bad, text, (gbcast_request){.operation = GBCAST_ALLTOALL, .bytes = 10});
  expect_refused(comm, hosts, bad, "found an all-to-all, which is not read back");
  hosts_text(other, size, "x", 1);
  write_plan(bad, other, (gbcast_request){.bytes = 10});
  expect_refused(comm, hosts, bad, "found the host 'x0.s0', which is not in the hosts file");
  hosts_text(other, size + 1, "h", 1);
  write_plan(bad, other, (gbcast_request){.bytes = 10});
  snprintf(list, sizeof list, "found the host 'h%d.s%d', which is not in the hosts file", size, size % 2);
  expect_refused(comm, hosts, bad, list);
  if (size > 1) {
    hosts_text(other, size - 1, "h", 1);
    write_plan(bad, other, (gbcast_request){.bytes = 10});
    snprintf(list, sizeof list, "does not reach 'h%d.s%d#0', a rank of the job", size - 1, (size - 1) % 2);
    expect_refused(comm, hosts, bad, list);
  }
  MUST(set_up_plans(comm, hosts, good)); /* and then all is well */
  MUST(MPI_Comm_free(&comm));
}

/* A barrier has no size: every one is by the plan of the file. */
static void run_barrier(const char *hosts, const char *text, const char *plan) {
  const uint64_t hash = write_plan(
      plan, text, (gbcast_request){.operation = GBCAST_BARRIER, .inter = "chain", .intra = "chain"});
  MUST(set_up_plans(MPI_COMM_WORLD, hosts, plan));
  expect_plan(GBCAST_BARRIER, 0, 0, plan, hash);
  MUST(gbcast_barrier(MPI_COMM_WORLD));
}

/* In the environment: the whole job's communicators run it, and a part of the job plans as ever. */
static void from_environment(const char *hosts, const char *plan) {
  MPI_Comm half, again;
  int value = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  setenv("GBCAST_PLAN", plan, 1);
  MUST(MPI_Comm_split(MPI_COMM_WORLD, value % 2, value, &half));
  MUST(set_up_plans(half, hosts, NULL));
  if (size_of(half) < size) {
    char *text = NULL;
    MUST(gbcast_explain(half, BYTES, 0, &text));
    CHECK(strstr(text, "As in ") == NULL, "a plan for other ranks:\n%s", text);
    free(text);
  }
  int got = value;
  MUST(gbcast(&got, sizeof got, 0, half));
  CHECK(got == value % 2, "got %d", got);
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &again));
  MUST(set_up_plans(again, hosts, NULL));
  char *text = NULL;
  MUST(gbcast_explain(again, BYTES, 0, &text));
  CHECK(strstr(text, "As in ") != NULL, "the plan of the environment is not used:\n%s", text);
  free(text);
  MUST(MPI_Comm_free(&half));
  MUST(MPI_Comm_free(&again));
}

int main(int argc, char **argv) {
  char hosts[PATH], bcast[PATH], scatter[PATH], bad[PATH], text[TEXT];
  MUST(MPI_Init(&argc, &argv));
  make_file(hosts);
  make_file(bcast);
  make_file(scatter);
  make_file(bad);
  hosts_text(text, size_of(MPI_COMM_WORLD), "h", 20);
  run_them(hosts, text, bcast, scatter);
  run_barrier(hosts, text, bad);
  refuse_them(hosts, text, bcast, bad);
  from_environment(hosts, bcast);
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  if (rank_in(MPI_COMM_WORLD) == 0) {
    const char *const file[] = {hosts, bcast, scatter, bad};
    for (int i = 0; i < 4; i++)
      CHECK(unlink(file[i]) == 0, "cannot remove %s", file[i]);
  }
  MUST(MPI_Finalize());
  return 0;
}
