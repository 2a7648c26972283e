/* Plans as C: what is in the file. That it runs is tested in tests/plan/codegen/generated.sh. */
#include "tests/support/plans.h"

#include <stdlib.h>

static char *emitted(const gbcast_plan *plan, int expected) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert_not_null(out);
  cr_assert_eq(gbcast_plan_print(plan, GBCAST_C, out), expected);
  cr_assert_eq(fclose(out), 0);
  return text;
}

static char *emitted_for(const char *hosts, gbcast_request request) {
  gbcast_platform *p = parse(hosts);
  gbcast_plan *plan = make(p, request);
  char *text = emitted(plan, GBCAST_OK);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
  return text;
}

static void has(const char *text, const char *part) {
  cr_assert_not_null(strstr(text, part), "'%s' is not in\n%s", part, text);
}

/* Ranks follow the file; endpoints of a plan follow the sites. */
Test(emit, ranks_are_in_file_order) {
  char *text = emitted_for("cluster a\ncluster b\nlink a b latency=2ms bandwidth=1Gbit/s\nx cluster=a\n"
                           "y:2 cluster=b\nz cluster=a\n",
                           (gbcast_request){.bytes = 1000, .inter = "flat", .intra = "chain", .root = "y"});
  has(text, " *   0 on x\n *   1 to 2 on y\n *   3 on z\n */");
  has(text, "RANKS = 4, ROOT = 1, TREES = 1,");
  has(text, "    1, -1, 1, 0,\n");
  has(text, "    /* of 0 */ 3,\n    /* of 1 */ 0, 2, -1,\n");
  free(text);
}

/* Names come from a file that somebody else may have written. */
Test(emit, names_stay_in_their_comment) {
  static const char hosts[] = "a\n\xd7\x90\n";
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_platform_parse(hosts, strlen(hosts), "a*/int b\?\?/c\\", &p, &err), GBCAST_OK);
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1, .intra = "flat"});
  char *text = emitted(plan, GBCAST_OK);
  has(text, " * hosts      a_/int b__/c_\n");
  has(text, " *   0 on a\n *   1 on __\n */");
  free(text);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

Test(emit, the_same_input_gives_the_same_bytes) {
  const gbcast_request request = {.operation = GBCAST_ALLTOALL, .bytes = 4096, .sync = "sender-partial:2"};
  char *first = emitted_for("switch s\na:2\nb\nswitch t uplink=s\nc\nd:3\n", request);
  char *again = emitted_for("switch s\na:2\nb\nswitch t uplink=s\nc\nd:3\n", request);
  cr_assert_str_eq(first, again);
  has(first, "sender-partial:2");
  has(first, "MOST = 3 }");
  has(first, "int gbcast_generated_alltoall(");
  free(first);
  free(again);
}

Test(emit, no_scatter_and_no_reduction) {
  static const enum gbcast_operation none[] = {GBCAST_SCATTER, GBCAST_REDUCE, GBCAST_ALLREDUCE};
  gbcast_platform *p = parse("a\nb\n");
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    gbcast_plan *plan = make(p, (gbcast_request){.operation = none[i], .bytes = 10});
    char *text = emitted(plan, GBCAST_EUSAGE);
    cr_assert_str_eq(text, "");
    free(text);
    gbcast_plan_free(plan);
  }
  gbcast_platform_free(p);
}
