/* Plans held against earlier ones: what is the same is told in one line, and what is not is found. */
#include "plan/api/api.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"

static char *diff_of(const gbcast_plan *then, const gbcast_plan *now) {
  gb_saved saved;
  gbcast_error err = {""};
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert_eq(gb_saved_of(then, &saved, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gb_plan_diff(&saved, now, out, &err), GBCAST_OK, "%s", err.message);
  fclose(out);
  gb_saved_release(&saved);
  return text;
}

static void expect_one_line(const gbcast_plan *then, const gbcast_plan *now) {
  char *text = diff_of(then, now);
  cr_expect_not_null(strstr(text, ": as in plan, predicted "), "%s", text);
  cr_expect_eq(strchr(text, '\n'), text + strlen(text) - 1, "%s", text);
  free(text);
}

static void expect_words(const gbcast_plan *then, const gbcast_plan *now, const char *const *word) {
  char *text = diff_of(then, now);
  for (; *word != NULL; word++)
    cr_expect_not_null(strstr(text, *word), "no '%s' in:\n%s", *word, text);
  free(text);
}

/* Any two plans, of the same hosts or not: one line exactly where they have the same hash and times. */
Test(diff, of_random_plans, .timeout = 120) {
  gb_random r = {2026};
  unsigned same = 0;
  gbcast_platform *platform[2] = {NULL, NULL};
  gbcast_plan *plan[2] = {NULL, NULL};
  for (int round = 0; round < ROUNDS(150); round++) {
    gbcast_request request = {.operation = round % 7 == 0 ? GBCAST_SCATTER : GBCAST_BCAST, .bytes = 50000};
    gbcast_platform_free(platform[0]);
    gbcast_plan_free(plan[0]);
    platform[0] = platform[1];
    plan[0] = plan[1];
    platform[1] =
        random_platform(&r, (gb_grid_kind){6, 4, 2, round % 2, round % 3, round % 5, false, round % 2});
    plan[1] = make(platform[1], request);
    expect_one_line(plan[1], plan[1]);
    if (plan[0] == NULL)
      continue;
    char *text = diff_of(plan[0], plan[1]);
    const bool line = strstr(text, ": as in plan") != NULL;
    cr_expect_eq(line,
                 gbcast_plan_hash(plan[0]) == gbcast_plan_hash(plan[1]) &&
                     plan[0]->predicted == plan[1]->predicted,
                 "round %d:\n%s", round, text);
    same += line;
    free(text);
  }
  cr_assert_lt(same, (unsigned)ROUNDS(150) / 2);
  for (int i = 0; i < 2; i++) {
    gbcast_plan_free(plan[i]);
    gbcast_platform_free(platform[i]);
  }
}

#define SITES "cluster a\na[0-1]\ncluster b\nb[0-1]\ncluster c\nc[0-1]\n"
#define LINK(ends, latency, rate) "link " ends " latency=" latency " bandwidth=" rate "\n"

/* A link that has got bad: who moved, how much it costs, and what the old plan would have cost. */
Test(diff, says_what_and_why) {
  gbcast_platform *good = parse(SITES LINK("a b", "5ms", "100Mbit/s") LINK("a c", "8ms", "100Mbit/s")
                                    LINK("b c", "5ms", "1Mbit/s")),
                  *bad = parse(SITES LINK("a b", "5ms", "100Mbit/s") LINK("a c", "9ms", "2Mbit/s")
                                   LINK("b c", "5ms", "100Mbit/s"));
  const gbcast_request request = {.bytes = 1 << 20, .inter = "flat", .intra = "chain", .segment = 8192};
  gbcast_plan *then = make(good, request);
  gbcast_plan *wrong = make(bad, request),
              *now = make(bad, (gbcast_request){.bytes = 1 << 20, .inter = "chain"});
  expect_words(
      then, now,
      (const char *const[]){"\nc     2      a -> b", "moved, slower by",
                            "\na -> c  8 ms -> 9 ms  100 Mbit/s -> 2 Mbit/s  slower, not used any more",
                            "\nb -> c  5 ms          1 Mbit/s -> 100 Mbit/s  faster, not used before",
                            "\nbetween sites  flat", "\nthe plan of then would take 4.2", NULL});
  expect_words(then, wrong,
               (const char *const[]){"the plan of then, over the network of now, is this plan",
                                     "a -> c  8 ms -> 9 ms  100 Mbit/s -> 2 Mbit/s  slower\n", NULL});
  gbcast_plan_free(then);
  gbcast_plan_free(wrong);
  gbcast_plan_free(now);
  gbcast_platform_free(good);
  gbcast_platform_free(bad);
}

/* Nothing but how streams begin: on a link that is used, and on one that is not. */
Test(diff, says_how_streams_begin) {
  gbcast_platform *cold = parse(SITES LINK("a b", "5ms", "100Mbit/s initial-window=14480")
                                    LINK("b c", "5ms", "100Mbit/s") LINK("a c", "50ms", "1Mbit/s")),
                  *warm = parse(SITES LINK("a b", "5ms", "100Mbit/s") LINK(
                      "b c", "5ms", "100Mbit/s initial-window=2k") LINK("a c", "50ms", "1Mbit/s"));
  const gbcast_request request = {.bytes = 1 << 20, .inter = "chain", .intra = "chain", .segment = 8192};
  gbcast_plan *then = make(cold, request), *now = make(warm, request);
  expect_words(then, now,
               (const char *const[]){"\na -> b  5 ms     100 Mbit/s  streams start faster\n",
                                     "\nb -> c  5 ms     100 Mbit/s  streams start more slowly\n", NULL});
  gbcast_plan_free(then);
  gbcast_plan_free(now);
  gbcast_platform_free(cold);
  gbcast_platform_free(warm);
}

/* Another order of sending alone. */
Test(diff, says_the_order) {
  gbcast_platform *b_far = parse(SITES LINK("a b", "6ms", "100Mbit/s") LINK("a c", "5ms", "100Mbit/s")),
                  *c_far = parse(SITES LINK("a b", "5ms", "100Mbit/s") LINK("a c", "6ms", "100Mbit/s"));
  const gbcast_request request = {.bytes = 1 << 20, .inter = "flat", .intra = "chain", .segment = 8192};
  gbcast_plan *then = make(b_far, request), *now = make(c_far, request);
  expect_words(then, now, (const char *const[]){"order 1 -> 2", "order 2 -> 1", NULL});
  gbcast_plan_free(then);
  gbcast_plan_free(now);
  gbcast_platform_free(b_far);
  gbcast_platform_free(c_far);
}

/* The same algorithm, but other hosts feed each other. */
Test(diff, says_another_tree) {
  gbcast_platform *forth = parse("cluster a\na0\na1\na2\n"), *back = parse("cluster a\na0\na2\na1\n");
  const gbcast_request request = {.bytes = 1 << 20, .intra = "chain", .segment = 8192};
  gbcast_plan *then = make(forth, request), *now = make(back, request);
  expect_words(then, now,
               (const char *const[]){"  other tree inside\n", "\nthe plan of then would take", NULL});
  gbcast_plan_free(then);
  gbcast_plan_free(now);
  gbcast_platform_free(forth);
  gbcast_platform_free(back);
}
