/* Plans printed as JSON and read back: the same plan, to the last digit; and files that cannot be used. */
#include "plan/api/api.h"
#include "plan/search/search.h"
#include "plan/show/show.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"

static char *json_of(const gbcast_plan *plan) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert_eq(gbcast_plan_print(plan, GBCAST_JSON, out), GBCAST_OK);
  fclose(out);
  return text;
}

static uint32_t *slots_of(const gbcast_platform *p) {
  uint32_t *ranks = malloc(p->host_count * sizeof *ranks);
  for (uint32_t h = 0; h < p->host_count; h++)
    ranks[h] = p->host[h].slots;
  return ranks;
}

static int place(const char *text, const gbcast_platform *p, const uint32_t *ranks, gbcast_plan **out,
                 gbcast_error *err) {
  gb_saved saved;
  int status = gb_saved_parse(text, strlen(text), "p.json", &saved, err);
  if (status == GBCAST_OK) {
    status = gb_saved_bind(&saved, p, ranks, out, err);
    gb_saved_release(&saved);
  }
  return status;
}

static void expect_round_trip(const gbcast_plan *plan, const char *what) {
  gbcast_error err = {""};
  gbcast_plan *again = NULL;
  char *text = json_of(plan);
  uint32_t *ranks = slots_of(plan->given);
  cr_assert_eq(place(text, plan->given, ranks, &again, &err), GBCAST_OK, "%s: %s\n%s", what, err.message,
               text);
  cr_assert_eq(again->hash, plan->hash, "%s: %016llx, was %016llx", what, (unsigned long long)again->hash,
               (unsigned long long)plan->hash);
  cr_assert_eq(gbcast_plan_check(again, &err), GBCAST_OK, "%s: %s", what, err.message);
  char *second = json_of(again);
  cr_assert_str_eq(second, text, "%s", what);
  cr_assert_eq(gb_plan_retime(again, &err), GBCAST_OK, "%s: %s", what, err.message);
  free(second);
  second = json_of(again);
  cr_assert_str_eq(second, text, "%s: other times when walked again", what);
  gbcast_plan_free(again);
  free(second);
  free(ranks);
  free(text);
}

/* Over random grids: all operations with trees, several lanes and ranks, announced messages, any root. */
Test(saved, is_the_same_plan, .timeout = 170) {
  gb_random r = {2026};
  static const char *const intra[] = {NULL, NULL, "binomial-rendezvous", "native", "two-tree"};
  unsigned lanes = 0, trees = 0, native = 0, announced = 0, paced = 0, turns = 0;
  for (int round = 0; round < ROUNDS(200); round++) {
    gbcast_platform *p =
        random_platform(&r, (gb_grid_kind){5, 5, 3, round % 2, round % 3, round % 5, round % 7, round % 2});
    for (unsigned k = 0; k < WITH_TREES; k++) {
      const enum gbcast_operation operation = with_trees[k];
      gbcast_request request = {.operation = operation};
      char root[16], what[64];
      request.bytes = (uint64_t)1 << random_below(&r, 24);
      request.bytes += random_below(&r, 1000);
      request.lanes = random_below(&r, 4);
      snprintf(root, sizeof root, "%u", random_below(&r, gbcast_platform_slots(p)));
      request.root = root;
      if (operation == GBCAST_BCAST)
        request.intra = intra[round % 5];
      if (operation == GBCAST_BCAST && round % 2 == 0) {
        request.inter = "in-turn";
        request.bytes |= 1 << 20; /* short messages need no turns */
      }
      snprintf(what, sizeof what, "round %d, operation %u", round, operation);
      gbcast_plan *plan = make(p, request);
      lanes += plan->lanes > 1;
      trees += plan->schedule.tree_count > 1;
      native += plan->native;
      announced += plan->rendezvous;
      paced += plan->schedule.pace != 1;
      turns += plan->schedule.tree[plan->schedule.tree_count - 1].stage > 0;
      expect_round_trip(plan, what);
      gbcast_plan_free(plan);
    }
    gbcast_platform_free(p);
  }
  const unsigned few = 5 / GB_ROUNDS_PART;
  cr_assert(lanes > few && trees > few && native > few && announced > few && paced > few && turns > few / 2,
            "%u %u %u %u %u %u", lanes, trees, native, announced, paced, turns);
}

#define EDGE(ends) "{ \"from\": \"a0\", \"to\": \"" ends "\", \"level\": "
#define HEAD(root) "{ \"schema\": \"gbcast-plan/1\", \"operation\": \"bcast\", \"root\": \"" root "\", "
#define OF(bytes)                                                                                            \
  "\"message_bytes\": " bytes ", \"predicted_seconds\": 1, \"lanes\": 1, \"native\": false, "                \
  "\"rendezvous\": false, \"pace\": 1, \"inter\": \"flat\",\n\"clusters\": [], \"trees\": [\n"
#define REST OF("1000")
#define TREE "{ \"share\": 1, \"weight\": 1, \"segment_bytes\": 1000, \"edges\": [\n"
#define TO_A1 EDGE("a1") "\"lan\", \"order\": 1 }"
#define TO_B0 EDGE("b0") "\"wan\", \"order\": 2 }"
#define END "] } ] }"

static const char two_sites[] =
    "cluster a\na[0-1]\ncluster b\nb0\nb1\nlink a b latency=1ms bandwidth=1Gbit/s\n";

/* Two ranks in site a and one in b, as most of the files below say. */
static int place_three(const char *text, gbcast_error *err, gbcast_plan **plan) {
  gbcast_platform *p = parse(two_sites);
  const uint32_t ranks[] = {1, 1, 1, 0};
  *plan = NULL;
  int status = place(text, p, ranks, plan, err);
  if (status == GBCAST_OK)
    cr_expect_eq((*plan)->schedule.endpoint_count, 3);
  gbcast_plan_free(*plan);
  gbcast_platform_free(p);
  return status;
}

Test(saved, from_a_small_file) {
  gbcast_error err = {""};
  gbcast_plan *plan;
  static const char text[] =
      HEAD("a0") "\"of a later version\": {\"x\": [null]}, " REST TREE TO_B0 ", " TO_A1 END;
  cr_expect_eq(place_three(text, &err, &plan), GBCAST_OK, "%s", err.message);
}

/* The file, the place in it and the host are named. */
Test(saved, files_that_do_not_fit) {
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"{}", "p.json:1:1: found no \"schema\", which is needed here"},
      {"[1]", "p.json:1:1: expected an object"},
      {"{\"schema\": \"gbcast-plan/2\"}",
       "p.json:1:12: found the schema 'gbcast-plan/2', expected gbcast-plan/1"},
      {"{\"schema\": \"gbcast-plan/1\", \"operation\": \"alltoall\", \"message_bytes\": 1, "
       "\"predicted_seconds\": 1}",
       "p.json:1:1: found an all-to-all, which is not read back; expected an operation with trees"},
      {HEAD("c0") REST TREE TO_A1 ", " TO_B0 END,
       "p.json:1:60: found the host 'c0', which is not in the hosts file"},
      {HEAD("b1") REST TREE TO_A1 ", " TO_B0 END,
       "p.json:1:60: found the root 'b1#0', expected a rank of the job, which has 0 on that host"},
      {HEAD("a0") REST TREE TO_A1 ",\n" EDGE("c7") "\"wan\", \"order\": 2 }" END,
       "p.json:5:1: found the host 'c7', which is not in the hosts file"},
      {HEAD("a0") REST TREE TO_A1 ",\n" EDGE("b1") "\"wan\", \"order\": 2 }" END,
       "p.json:5:1: found 'b1#0', expected a rank of the job, which has 0 on that host"},
      {HEAD("a0") REST TREE TO_A1 ",\n" EDGE("b0#1") "\"wan\", \"order\": 2 }" END,
       "p.json:5:1: found 'b0#1', expected a rank of the job, which has 1 on that host"},
      {HEAD("a0") REST TREE TO_A1 END, "p.json:3:1: this tree does not reach 'b0#0', a rank of the job"},
      {HEAD("a0") REST TREE TO_A1 ",\n" TO_A1 ", " TO_B0 END,
       "p.json:5:1: 'a1#0' has two ranks above it in this tree"},
      {HEAD("a0") REST TREE EDGE("a0") "\"lan\", \"order\": 1 }" END,
       "p.json:4:1: 'a0#0' is the root, which has nobody above it"},
      {HEAD("a0") REST TREE TO_B0 ",\n" EDGE("a1") "\"lan\", \"order\": 2 }" END,
       "p.json:5:1: found order 2, expected each of 1 to 2 once among the edges from 'a0'"},
      {HEAD("a0") REST TREE TO_B0 ",\n" EDGE("a1") "\"far\", \"order\": 1 }" END,
       "p.json:5:38: found 'far', expected wan, lan or node"},
      {HEAD("a0") REST TREE "{ \"from\": \"a1\", \"to\": \"b0\", \"level\": \"wan\", \"order\": 1 },\n"
                            "{ \"from\": \"b0\", \"to\": \"a1\", \"level\": \"wan\", \"order\": 1 }" END,
       "p.json:1:1: tree 0: reaches 1 of 3 ranks"},
      {HEAD("a0") REST TREE TO_A1 ", " TO_B0 "]},\n" TREE END,
       "p.json:5:1: this tree does not reach 'a1#0', a rank of the job"},
      {HEAD("a0") REST "{ \"share\": 1, \"weight\": 1, \"segment_bytes\": 2000000000, \"edges\": []} ] }",
       "p.json:3:1: found segments of 2000000000 bytes, expected at most 1073741824 and no more than 4194304 "
       "of "
       "them"},
      {HEAD("a0") REST "] }", "p.json:2:26: found no tree"},
      {HEAD("a0") REST
       "{ \"share\": 1, \"weight\": 1, \"turn\": 1, \"segment_bytes\": 1000, \"edges\": [" TO_A1 ", " TO_B0
       "]},\n" TREE TO_A1 ", " TO_B0 END,
       "p.json:4:1: found turn 0 after turn 1, expected ascending ones"},
      {HEAD("a0")
           OF("100000") "{ \"share\": 1, \"weight\": 1, \"turn\": 1, \"segment_bytes\": 1, \"edges\": [" TO_A1
                        ", " TO_B0 END,
       "p.json:3:1: found segments of 1 bytes, expected no more than 65536 of them where trees follow "
       "others"},
      {HEAD("a0") "\"message_bytes\": 1000, \"predicted_seconds\": 1, \"clusters\": [], \"trees\": [" TREE
           TO_A1 ", " TO_B0 END,
       "p.json:1:1: found no \"lanes\", without which a plan cannot be run: print it anew with this version"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    gbcast_error err = {""};
    gbcast_plan *plan;
    cr_expect_eq(place_three(bad[i].text, &err, &plan), GBCAST_EINPUT, "%s", bad[i].text);
    cr_expect_str_eq(err.message, bad[i].message, "%s\n%s", err.message, bad[i].text);
  }
}

/* The trees stay what they are when the hosts file has other values, another order and other sites. */
Test(saved, over_another_hosts_file) {
  gbcast_platform *then =
                      parse("cluster a\na[0-2]\ncluster b\nb[0-2]\nlink a b latency=1ms bandwidth=1Gbit/s\n"),
                  *now = parse("cluster c latency=1ms\nb2\na1\ncluster d\nb[0-1]\na2\na0\n"
                               "link c d latency=90ms bandwidth=2Mbit/s\n");
  gbcast_plan *plan = make(then, (gbcast_request){.bytes = 1 << 20}), *again = NULL;
  uint32_t *ranks = slots_of(now);
  char *text = json_of(plan);
  gbcast_error err = {""};
  cr_assert_eq(place(text, now, ranks, &again, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gb_plan_retime(again, &err), GBCAST_OK, "%s", err.message);
  cr_expect_gt(again->predicted, 8.0 * (1 << 20) / 2e6, "over the slow link");
  for (uint32_t e = 0; e < 6; e++)
    for (uint32_t f = 0; f < 6; f++) {
      if (strcmp(then->host[plan->schedule.endpoint[e].host].name,
                 now->host[again->schedule.endpoint[f].host].name) != 0)
        continue;
      const uint32_t from = plan->schedule.tree[0].parent[e], to = again->schedule.tree[0].parent[f];
      cr_expect_eq(from == GB_NONE, to == GB_NONE);
      if (from != GB_NONE)
        cr_expect_str_eq(then->host[plan->schedule.endpoint[from].host].name,
                         now->host[again->schedule.endpoint[to].host].name);
    }
  gbcast_plan_free(plan);
  gbcast_plan_free(again);
  gbcast_platform_free(then);
  gbcast_platform_free(now);
  free(ranks);
  free(text);
}
