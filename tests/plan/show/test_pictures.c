/* What pictures are made from: the critical path of plans worked out by hand, rows that stand for more and
 * more endpoints, and text that means nothing to XML and Graphviz. (What is drawn:
 * tests/tools/test_pictures.py.) */
#include "plan/show/aggregate.h"
#include "plan/show/critical.h"
#include "plan/show/dot.h"
#include "plan/show/svg.h"
#include "tests/support/plans.h"

#include <math.h>
#include <stdlib.h>

#define BLOCK 125000u /* bytes: 10 ms at 100 Mbit/s, 1 ms at 1 Gbit/s */

static const char two_sites[] =
    "cluster a\na[0-2]\ncluster b\nb[0-1]\nlink a b latency=2ms bandwidth=100Mbit/s\n";

/* The names of the receivers on the critical path, in the order of the plan's endpoints. */
static void expect_path(const gbcast_plan *plan, const char *expected) {
  bool *critical = calloc(plan->schedule.endpoint_count, plan->schedule.tree_count * sizeof *critical);
  char names[200] = "";
  const uint32_t count = gb_critical_path(plan, critical);
  uint32_t marked = 0;
  for (uint32_t i = 0; i < plan->schedule.endpoint_count * plan->schedule.tree_count; i++)
    if (critical[i]) {
      const uint32_t host = plan->schedule.endpoint[i % plan->schedule.endpoint_count].host;
      (void)strcat(strcat(names, " "), gbcast_platform_host_name(plan->platform, host));
      marked++;
    }
  cr_assert_str_eq(names, expected);
  cr_assert_eq(count, marked);
  free(critical);
}

static void expect_path_of(const char *hosts, gbcast_request request, const char *expected) {
  gbcast_platform *p = parse(hosts);
  gbcast_plan *plan = make(p, request);
  expect_path(plan, expected);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

Test(critical, a_chain_is_critical_as_a_whole) {
  expect_path_of("n[0-3]\n", (gbcast_request){.bytes = BLOCK, .intra = "chain"}, " n1 n2 n3");
}

/* n0 sends to n1, n2, n3, each after the one before. */
Test(critical, sends_of_one_host_wait_for_each_other) {
  expect_path_of("n[0-3]\n", (gbcast_request){.bytes = BLOCK, .intra = "flat"}, " n1 n2 n3");
}

/* In segments they take turns. */
Test(critical, segments_do_not_wait_for_the_whole_of_others) {
  expect_path_of("n[0-3]\n",
                 (gbcast_request){.bytes = BLOCK, .intra = "flat-segmented", .segment = BLOCK / 100}, " n3");
}

/* a0 sends to the sites before it sends to a1 and a2; b0 is far away, so that b1 is last. */
Test(critical, another_site_is_later_than_what_is_sent_after) {
  expect_path_of(two_sites, (gbcast_request){.bytes = BLOCK, .inter = "flat", .intra = "flat"}, " b0 b1");
}

/* a0 sends b0, c0, c1 and b1 its block, in this order. b1 waits for c1 at a0, but for b0 on the slow link. */
Test(critical, a_link_holds_up_what_goes_to_the_same_site) {
  expect_path_of(
      "cluster a\na[0-3]\ncluster b\nb[0-1]\ncluster c\nc[0-1]\n"
      "link a b latency=1.6ms bandwidth=100Mbit/s\nlink a c latency=46ms bandwidth=200Mbit/s\n",
      (gbcast_request){.operation = GBCAST_SCATTER, .bytes = 1u << 20, .inter = "flat", .intra = "direct"},
      " b0 b1");
}

Test(critical, nothing_is_sent_to_one_rank) {
  expect_path_of("n0\n", (gbcast_request){.bytes = BLOCK}, "");
}

static void expect_fold(const char *grid, gb_aggregate_limits limits, enum gb_aggregate_by to, uint32_t rows,
                        const char *last) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  gb_aggregate fold;
  cr_assert_eq(gbcast_platform_synthetic(grid, &p, &err), GBCAST_OK, "%s", err.message);
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1000, .inter = "flat", .intra = "flat"});
  uint32_t *sites = malloc(plan->site_count * sizeof *sites), endpoints = 0;
  for (uint32_t s = 0; s < plan->site_count; s++)
    sites[s] = s;
  cr_assert_eq(gb_aggregate_new(plan, sites, limits, &fold), GBCAST_OK);
  cr_assert_eq(fold.to, to, "%s: %u", grid, (unsigned)fold.to);
  cr_assert_eq(fold.count, rows, "%s: %u rows", grid, fold.count);
  cr_assert_str_eq(gb_aggregate_name(plan, &fold, rows - 1, 20).s, last);
  for (uint32_t row = 0; row < rows; row++)
    endpoints += fold.row[row].count;
  for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++)
    cr_assert_lt(fold.of[e], rows);
  cr_assert_eq(endpoints, plan->schedule.endpoint_count);
  free(sites);
  gb_aggregate_free(&fold);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

Test(fold, large_grids_have_few_rows) {
  expect_fold("cluster:3 host:5", (gb_aggregate_limits){15, 15, 9}, GB_AGGREGATE_NONE, 15, "h4.c2");
  expect_fold("cluster:3 host:5", (gb_aggregate_limits){14, 15, 9}, GB_AGGREGATE_HOSTS, 15, "h4.c2");
  expect_fold("cluster:3 switch:2 host:5", (gb_aggregate_limits){14, 14, 9}, GB_AGGREGATE_SWITCHES, 6,
              "s1.c2");
  expect_fold("host:200", (gb_aggregate_limits){20, 20, 9}, GB_AGGREGATE_BLOCKS, 29, "h196 +3");
  expect_fold("cluster:2 host:100", (gb_aggregate_limits){20, 20, 9}, GB_AGGREGATE_SITES, 2, "100 hosts");
  expect_fold("cluster:10 host:1", (gb_aggregate_limits){20, 20, 9}, GB_AGGREGATE_SITES, 10, "1 host");
  expect_fold("cluster:120 host:1", (gb_aggregate_limits){20, 20, 9}, GB_AGGREGATE_MORE, 101, "20 hosts");
}

Test(labels, keep_clear_of_strokes) {
  gb_svg svg;
  cr_assert_eq(gb_svg_begin(&svg, NULL), GBCAST_OK);
  gb_svg_avoid(&svg, (gb_stroke){.x = 130, .half = 1, .top = 0, .bottom = 50});
  gb_svg_avoid(&svg, (gb_stroke){.x = 110, .half = 1, .top = 0, .bottom = 50});
  gb_svg_avoid(&svg, (gb_stroke){.x = 160, .half = 1, .top = 0, .bottom = 50, .covered = true});
  cr_assert_float_eq(gb_svg_clear(&svg, 100, 20, 0, 300, 60, false), 100, 1e-9); /* below them */
  cr_assert_float_eq(gb_svg_clear(&svg, 100, 20, 0, 300, 25, false), 87, 1e-9);
  cr_assert_float_eq(gb_svg_clear(&svg, 100, 20, 95, 300, 25, true), 133, 1e-9);
  cr_assert_float_eq(gb_svg_clear(&svg, 100, 30, 95, 300, 25, false), 163, 1e-9);
  cr_assert(isnan(gb_svg_clear(&svg, 100, 20, 95, 150, 25, true)));
  cr_assert(isnan(gb_svg_clear(&svg, 100, 70, 95, 150, 25, true)));
  cr_assert_eq(gb_svg_end(&svg, GBCAST_EUSAGE, "", "", stdout), GBCAST_EUSAGE);
}

Test(names, are_cut_at_letters) {
  cr_assert_str_eq(gb_short_name("plain", 5).s, "plain");
  cr_assert_str_eq(gb_short_name("plainer", 5).s, "pla\u2026r");
  cr_assert_str_eq(gb_short_name("\u00e9\u00e9\u00e9", 3).s, "\u00e9\u00e9\u00e9");
  cr_assert_str_eq(gb_short_name("\u00e9\u00e9\u00e9\u00e9", 3).s, "\u00e9\u00e9\u2026");
}

static void expect_escaped(void (*escape)(const char *text, FILE *out), const char *text,
                           const char *expected) {
  char *got = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&got, &length);
  cr_assert_not_null(out);
  escape(text, out);
  fclose(out);
  cr_assert_str_eq(got, expected);
  free(got);
}

/* Names need not come from a hosts file, where bytes that are no UTF-8 are refused. */
Test(names, mean_nothing_to_xml) {
  expect_escaped(gb_xml_escape, "a<b>&\"'", "a&#60;b&#62;&#38;&#34;&#39;");
  expect_escaped(gb_xml_escape, "\xff\x01\xef\xbf\xbe\u00e9", "&#255;??\u00e9");
}

Test(names, mean_nothing_to_graphviz) {
  expect_escaped(gb_dot_escape, "a\"b\\N&amp;<\n", "a\\\"b\\\\N&amp;amp;<\\l");
  expect_escaped(gb_dot_escape, "\xff\u00e9", "&#255;\u00e9");
}
