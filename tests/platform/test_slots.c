/* The slots of a platform in the order of the file, and the numbers of the ranks on them. */
#include "plan/core/core.h"
#include "tests/support/plans.h"

#include <stdlib.h>

/* Names of the hosts of all slots, such as "a a b"; to be freed. */
static char *slots_of(const gbcast_platform *p) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  uint32_t of_host[64] = {0};
  cr_assert_not_null(out);
  for (uint32_t r = 0; r < p->run_count; r++) {
    const gb_slot_run *run = &p->run[r];
    for (uint32_t i = 0; i < gb_slot_run_length(p, r); i++) {
      cr_assert_eq(run->k + i, of_host[run->host]++, "run %u: its number on the host", r);
      fprintf(out, "%s%s", run->first + i > 0 ? " " : "", p->host[run->host].name);
    }
  }
  cr_assert_eq(fclose(out), 0);
  for (uint32_t h = 0; h < p->host_count; h++)
    cr_expect_eq(of_host[h], p->host[h].slots);
  cr_expect_eq(gbcast_platform_slots(p), p->slot_count);
  return text;
}

static void expect_slots(const gbcast_platform *p, const char *expected) {
  char *text = slots_of(p);
  cr_expect_str_eq(text, expected);
  free(text);
}

static gbcast_platform *printed(const gbcast_platform *p) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert_eq(gbcast_platform_print(p, out), GBCAST_OK);
  cr_assert_eq(fclose(out), 0);
  gbcast_platform *back = parse(text);
  free(text);
  return back;
}

/* What rank 0 sends the others is the platform printed. */
static void slots(const char *hosts, const char *expected) {
  gbcast_platform *p = parse(hosts), *back = printed(p);
  expect_slots(p, expected);
  expect_slots(back, expected);
  gbcast_platform_free(p);
  gbcast_platform_free(back);
}

Test(slots, are_in_the_order_of_the_lines) {
  slots("n0\nn1\nn0\nn1\n", "n0 n1 n0 n1");
  slots("n0:2\nn1:1\nn0:1\n", "n0 n0 n1 n0");
  slots("n[0-2]\nn[1-2]:2\nn0\nn0\n", "n0 n1 n2 n1 n1 n2 n2 n0 n0");
  slots("a.x\nb.y\na.x\nb.x\nb.y slots=2\n", "a.x b.y a.x b.x b.y b.y");
  slots("cluster x\na\nb\na\ncluster y\nc\nlink x y latency=1ms bandwidth=1Gbit/s\n", "a b a c");
  slots(
      "cluster x\ncluster y\na cluster=x\nb cluster=y\na cluster=x\nlink x y latency=1ms bandwidth=1Gbit/s\n",
      "a b a");
  slots("cluster x\na\nswitch s\nb\nc\nb\nswitch t\nd\nb switch=s\n", "a b c b d b");
  slots("a max_slots=2 foo=1\nb\na max_slots=2 foo=2\nb:3 cpu_max=1\n",
        "a a b a a b b b"); /* both limits are kept */
  slots("link:2\nu@n0 foo=bar\nlink:1\nn0\n[::1]:2\nn0\n[::1]\n", "link link n0 link n0 ::1 ::1 n0 ::1");
}

Test(slots, of_one_host_that_follow_each_other_are_one_run) {
  gbcast_platform *p = parse("a\na:2\nb\na\n");
  cr_expect_eq(p->run_count, 3);
  cr_expect_eq(gb_slot_run_length(p, 0), 3);
  cr_expect_eq(gb_slot_run_length(p, 2), 1);
  gbcast_platform_free(p);
}

/* "0 1 0": the hosts of the ranks of a job with these ranks on each host. */
static void numbers(const char *hosts, const uint32_t *ranks, const char *expected) {
  gbcast_platform *p = parse(hosts);
  uint32_t *host = NULL, count = 0;
  char text[256] = "";
  gbcast_error err = {""};
  cr_assert_eq(gb_numbering(p, ranks, NULL, &host, &count, &err), GBCAST_OK, "%s", err.message);
  for (uint32_t r = 0, length = 0; r < count; r++)
    length += (uint32_t)snprintf(text + length, sizeof text - length, "%s%u", r > 0 ? " " : "", host[r]);
  cr_expect_str_eq(text, expected, "%s: %s", hosts, text);
  free(host);
  gbcast_platform_free(p);
}

Test(slots, number_the_ranks) {
  numbers("a\nb\na\nb\n", (uint32_t[]){2, 2}, "0 1 0 1");
  numbers("a:2\nb\na\n", (uint32_t[]){3, 1}, "0 0 1 0");
  numbers("a\nb\na\nb\n", (uint32_t[]){1, 2}, "0 1 1");
  numbers("a\nb\na\nb\n", (uint32_t[]){0, 1}, "1");
  numbers("a\nb\na\nb\n", (uint32_t[]){5, 3},
          "0 1 0 0 0 0 1 1"); /* further ranks behind the host's last slot */
  numbers("a\nb:2\nc\n", (uint32_t[]){3, 1, 2}, "0 0 0 1 2 2");
}

static void root_is(const gbcast_platform *p, const gbcast_request *request, const char *host, uint32_t k) {
  gbcast_plan *plan = make(p, *request);
  const gb_endpoint *root = &plan->schedule.endpoint[plan->schedule.root];
  cr_expect_str_eq(p->host[root->host].name, host, "root %s is on %s", request->root,
                   p->host[root->host].name);
  cr_expect_eq(root->k, k, "root %s is #%u", request->root, root->k);
  gbcast_plan_free(plan);
}

static void root(const char *hosts, const char *name, const char *host, uint32_t k) {
  gbcast_platform *p = parse(hosts);
  root_is(p, &(gbcast_request){.bytes = 1000, .root = name}, host, k);
  gbcast_platform_free(p);
}

Test(slots, name_the_root) {
  root("n0\nn1\nn0\nn1\n", "1", "n1", 0);
  root("n0\nn1\nn0\nn1\n", "2", "n0", 1);
  root("n0:2\nn1\nn0\n", "3", "n0", 2);
  root("n0:2\nn1\nn0\n", "n0#2", "n0", 2);
  root("n0:2\nn1\nn0\n", "n0", "n0", 0);
  root("N0\nn1:2\n", "n0", "N0", 0); /* letter case does not matter, */
  root("N0\nn0\n", "n0", "n0", 0);   /* but an exact match wins */
  root("[FE80::1]:2\nn1\n", "[fe80::1]#1", "FE80::1", 1);
  root("28\n29\n0\n", "29", "29", 0); /* a host of that name comes before a rank */
  root("28\n29\n0\n", "2", "0", 0);
}

static void no_root(const char *hosts, const char *name, const char *message) {
  gbcast_platform *p = parse(hosts);
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  const gbcast_request request = {.bytes = 1000, .root = name};
  cr_expect_eq(gbcast_plan_make(p, &request, &plan, &err), GBCAST_EINPUT, "%s", name);
  cr_expect(strstr(err.message, message) != NULL, "'%s' has no '%s'", err.message, message);
  gbcast_platform_free(p);
}

Test(slots, do_not_name_it) {
  no_root("n0\nn1\nn0\n", "3", "found root '3', expected a host of the file, HOST#K");
  no_root("n0\nn1\nn0\n", "n0#2", "found root 'n0#2', expected a host of the job, and one of its ranks");
  no_root("n0\nn1\nn0\n", "n2#0", "found root 'n2#0', expected a host of the file");
  no_root("n0\nn1\nn0\n", "n0#", "found root 'n0#', expected a host of the file");
  no_root("n0\nn1\nn0\n", "n0#99999999999999999999", "found root");
  no_root("N0\nn0\n", "n0#1", "found root 'n0#1', expected a host of the job");
  no_root("Ab\naB\n", "ab", "found root 'ab', expected a host of the file"); /* which? */
}

/* A batch system's job numbers its ranks by its own list. */
Test(slots, of_a_job_number_its_ranks) {
  gbcast_platform *p = parse("a:4\nb:4\n");
  const uint32_t ranks[] = {1, 2}, order[] = {1, 0, 1};
  root_is(p, &(gbcast_request){.bytes = 9, .root = "2", .ranks = ranks, .rank_host = order}, "b", 1);
  root_is(p, &(gbcast_request){.bytes = 9, .root = "1", .ranks = ranks, .rank_host = order}, "a", 0);
  root_is(p, &(gbcast_request){.bytes = 9, .root = "1", .ranks = ranks}, "b", 0);
  const uint32_t wrong[][3] = {{1, 0, 0}, {1, 2, 1}};
  for (int i = 0; i < 2; i++) {
    gbcast_plan *plan = NULL;
    gbcast_error err = {""};
    const gbcast_request request = {.bytes = 9, .ranks = ranks, .rank_host = wrong[i]};
    cr_expect_eq(gbcast_plan_make(p, &request, &plan, &err), GBCAST_EUSAGE);
    cr_expect(strstr(err.message,
                     i == 0 ? "found rank 2 on host number 0" : "found rank 1 on host number 2") != NULL,
              "%s", err.message);
  }
  gbcast_platform_free(p);
}

static char *emitted(const char *hosts, gbcast_request request) {
  gbcast_platform *p = parse(hosts);
  gbcast_plan *plan = make(p, request);
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert_eq(gbcast_plan_print(plan, GBCAST_C, out), GBCAST_OK);
  cr_assert_eq(fclose(out), 0);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
  return text;
}

static void has(const char *text, const char *part) {
  cr_expect_not_null(strstr(text, part), "'%s' is not in\n%s", part, text);
}

/* The ranks that a generated routine is for. */
Test(slots, number_the_ranks_of_generated_routines) {
  char *text = emitted("x\ny\nx:2\ny\n", (gbcast_request){.bytes = 1000, .intra = "chain", .root = "y"});
  has(text, " *   0 on x\n *   1 on y\n *   2 to 3 on x\n *   4 on y\n */");
  has(text, "RANKS = 5, ROOT = 1,");
  free(text);
  text =
      emitted("x\ny\nx\n", (gbcast_request){.operation = GBCAST_ALLTOALL, .bytes = 1000, .sync = "no-sync"});
  has(text, "rank_list[RANKS] = {\n    0, 2, 1,\n");
  free(text);
  text =
      emitted("x:2\ny\n", (gbcast_request){.operation = GBCAST_ALLTOALL, .bytes = 1000, .sync = "no-sync"});
  has(text, "  return i;\n");
  free(text);
}
