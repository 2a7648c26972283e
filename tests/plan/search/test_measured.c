/* Plans between sites whose gaps were measured: what os= means, against closed formulas. One host a site. */
#include "plan/build/host_trees.h"
#include "plan/build/site_graph.h"
#include "tests/support/random_platform.h"
#include <math.h>

enum { LOW = 1024, HIGH = 1048576 };

typedef struct measured { /* a pair of sites; times in ns at LOW and HIGH bytes */
  uint32_t gap[2], os[2], latency;
} measured;

static double at(const uint32_t ns[2], uint64_t bytes) {
  double share = ((double)bytes - LOW) / (HIGH - LOW);
  return 1e-9 * (ns[0] + share * ((double)ns[1] - ns[0]));
}

static measured random_pair(gb_random *r) {
  measured x = {.latency = random_below(r, 50000000)};
  x.gap[0] = 20000 + random_below(r, 100000);
  x.gap[1] = 9000000 + random_below(r, 200000000);
  x.os[0] = 9000 + random_below(r, 11000); /* not below m / 1 Gbit/s, and not above g */
  x.os[1] = 8400000 + random_below(r, 600000);
  return x;
}

enum words { NO_OS, OS, OS_ZERO, OS_ABOVE };

static void write_pair(FILE *out, const char *ends, const measured *x, enum words words) {
  fprintf(out, "link %s latency=1ms bandwidth=1Mbit/s\n", ends); /* is replaced */
  for (int i = 0; i < 2; i++) {
    fprintf(out, "plogp %s size=%s gap=%uns latency=%uns", ends, i ? "1M" : "1k", x->gap[i], x->latency);
    if (words != NO_OS)
      fprintf(out, " os=%uns", words == OS ? x->os[i] : words == OS_ZERO ? 0 : x->gap[i] + 77);
    fprintf(out, "\n");
  }
}

static uint64_t random_segment(gb_random *r) {
  return LOW + random_below(r, HIGH);
}

/* Two pairs of sites, and a message of X segments between them. */
typedef struct drawn {
  measured pair[2];
  uint64_t segment, X;
  gbcast_request request;
} drawn;

static drawn random_drawn(gb_random *r, const char *inter) {
  drawn d;
  for (int i = 0; i < 2; i++)
    d.pair[i] = random_pair(r);
  d.segment = random_segment(r);
  d.X = 1 + random_below(r, 60);
  d.request = (gbcast_request){
      .bytes = d.X * d.segment, .segment = d.segment, .inter = inter, .intra = "flat-segmented"};
  return d;
}

/* Site r, and a and b that `ends` join; `keys` are r's. */
static gbcast_plan *make(const char *keys, const char *const ends[2], const measured pair[2],
                         enum words words, gbcast_request request) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  fprintf(out, "cluster r bandwidth=1Gbit/s %s\nr0\ncluster a\na0\ncluster b\nb0\n", keys);
  for (int i = 0; i < 2; i++)
    write_pair(out, ends[i], &pair[i], words);
  fclose(out);
  gbcast_platform *p = NULL;
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_platform_parse(text, length, "text", &p, &err), GBCAST_OK, "%s\n%s", err.message, text);
  cr_assert_eq(gbcast_plan_make(p, &request, &plan, &err), GBCAST_OK, "%s", err.message);
  cr_assert_geq(plan->predicted, plan->bound * (1 - 1e-12), "%g below the bound %g\n%s", plan->predicted,
                plan->bound, text);
  free(text);
  return plan; /* keeps p */
}

static void release(gbcast_plan *plan) {
  gbcast_platform *p = (gbcast_platform *)plan->platform;
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

static const char *const star[2] = {"r a", "r b"}, *const chain[2] = {"r a", "a b"};

static void equal(double got, double want) {
  cr_assert_float_eq(got, want, 1e-9 * want, "got %.12g, want %.12g", got, want);
}

/* X segments, in turn to two children; port: Delta of each; shared: what each takes of a link of both.
 *
 *   child 1   |==g1==|==g1==|...            g1 + (X - 1) max(g1, D1 + D2) + L1
 *   child 2     |==g2==|==g2==|...     D1 + g2 + (X - 1) max(g2, D1 + D2) + L2
 *   shared    |1|2|1|2|...                  2 X - 1 of them until the last for child 1, 2 X for child 2 */
static double flat_tree(const gbcast_plan *plan, const measured pair[2], const double port[2], double shared,
                        uint64_t segment, double X) {
  double makespan = 0, start = 0;
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t to = plan->schedule.tree[0].child[i] - 1;
    double g = at(pair[to].gap, segment), round = port[0] + port[1];
    double end = start + g + (X - 1) * (g > round ? g : round);
    end = fmax(end, (2 * X - 1 + i) * shared) + 1e-9 * pair[to].latency;
    makespan = fmax(makespan, end);
    start = port[to];
  }
  return makespan;
}

Test(measured, two_slow_sites_are_fed_at_the_same_time) {
  gb_random r = {21};
  for (int round = 0; round < ROUNDS(300); round++) {
    drawn d = random_drawn(&r, "flat");
    double os[2], gap[2];
    for (int i = 0; i < 2; i++) {
      os[i] = at(d.pair[i].os, d.segment);
      gap[i] = at(d.pair[i].gap, d.segment);
    }
    gbcast_plan *with = make("", star, d.pair, OS, d.request);
    equal(with->predicted, flat_tree(with, d.pair, os, 0, d.segment, (double)d.X));
    gbcast_plan *without = make("", star, d.pair, NO_OS, d.request);
    equal(without->predicted, flat_tree(without, d.pair, gap, 0, d.segment, (double)d.X));
    cr_assert_leq(with->predicted, without->predicted);
    gbcast_plan *above = make("", star, d.pair, OS_ABOVE, d.request);
    cr_assert_eq(above->predicted, without->predicted);
    release(with);
    release(without);
    release(above);
  }
}

/* A send that returns at once has not left: the sender's own link, 125 MB/s, or its site's, is still taken.
 */
Test(measured, what_both_share_is_shared) {
  gb_random r = {22};
  for (int round = 0; round < ROUNDS(300); round++) {
    drawn d = random_drawn(&r, "flat");
    const double none[2] = {0, 0};
    gbcast_plan *plan = make("", star, d.pair, OS_ZERO, d.request);
    equal(plan->predicted, flat_tree(plan, d.pair, none, (double)d.segment / 125e6, d.segment, (double)d.X));
    release(plan);
    for (int i = 0; i < 2; i++) /* as if the uplink had been seen in both gaps */
      d.pair[i].gap[0] += 30000, d.pair[i].gap[1] += 21000000;
    plan = make("wan-bandwidth=400Mbit/s", star, d.pair, OS_ZERO, d.request);
    equal(plan->predicted, flat_tree(plan, d.pair, none, (double)d.segment / 50e6, d.segment, (double)d.X));
    release(plan);
  }
}

/* With one child each nobody waits for a port: g alone counts. */
Test(measured, a_chain_of_measured_links_goes_at_the_slower_gap) {
  gb_random r = {23};
  for (int round = 0; round < ROUNDS(100); round++) {
    drawn d = random_drawn(&r, "chain");
    double a = at(d.pair[0].gap, d.segment), b = at(d.pair[1].gap, d.segment);
    double want = a + b + ((double)d.X - 1) * fmax(a, b) + 1e-9 * (d.pair[0].latency + d.pair[1].latency);
    for (enum words words = NO_OS; words <= OS_ABOVE; words++) {
      gbcast_plan *plan = make("", chain, d.pair, words, d.request);
      equal(plan->predicted, want);
      release(plan);
    }
  }
}

/* Delta of the first, and then the longer way: the label, and the order that it implies. */
Test(measured, labels_take_os_for_delta) {
  gb_random r = {24};
  for (int round = 0; round < ROUNDS(100); round++) {
    measured pair[2];
    double os[2], tail[2];
    uint64_t bytes = random_segment(&r);
    for (int i = 0; i < 2; i++) {
      pair[i] = random_pair(&r);
      os[i] = at(pair[i].os, bytes);
      tail[i] = at(pair[i].gap, bytes) - os[i] + 1e-9 * pair[i].latency;
    }
    gbcast_request request = {.bytes = bytes, .segment = bytes, .inter = "flat", .intra = "flat-segmented"};
    gbcast_plan *plan = make("", star, pair, OS, request);
    uint32_t first = tail[0] >= tail[1] ? 0 : 1;
    cr_assert_eq(plan->schedule.tree[0].child[0] - 1, first);
    equal(plan->site[0].label, os[first] + fmax(tail[first], os[1 - first] + tail[1 - first]));
    equal(plan->predicted, plan->site[0].label);
    release(plan);
  }
}

/* Of each edge r -> a, r -> b: Delta is os, or the uplink's time where that is more, but never above g. */
static void check_graph(const char *keys, double uplink, enum words words, const measured pair[2],
                        uint64_t bytes) {
  gbcast_plan *plan = make(keys, star, pair, words, (gbcast_request){.bytes = bytes, .segment = bytes});
  gb_planner pl;
  gb_flow flow = {.bytes = bytes, .segment = bytes};
  gb_host_choice choice[3];
  gb_site_graph graph;
  gbcast_error err;
  cr_assert_eq(gb_planner_new(&pl, plan, &err), GBCAST_OK);
  cr_assert_eq(plan->site_count, 3);
  for (uint32_t s = 0; s < plan->site_count; s++)
    choice[s] = (gb_host_choice){.intra = gb_intra_find("flat", GB_BCAST)};
  cr_assert_eq(gb_site_graph_make(&pl, &flow, choice, &graph, &err), GBCAST_OK);
  for (uint32_t i = 0; i < 2; i++) {
    double g = at(pair[i].gap, bytes), delta = words == OS ? at(pair[i].os, bytes) : g;
    delta = fmin(g, fmax(delta, (double)bytes / uplink));
    equal(graph.delta[1 + i], delta);
    equal(graph.weight[1 + i], g - delta + 1e-9 * pair[i].latency);
  }
  gb_site_graph_free(&graph);
  gb_planner_release(&pl);
  release(plan);
}

Test(measured, the_graph_of_sites_has_os_or_the_uplink_for_delta) {
  gb_random r = {25};
  for (int round = 0; round < ROUNDS(100); round++) {
    uint64_t bytes = random_segment(&r);
    measured pair[2];
    for (int i = 0; i < 2; i++)
      pair[i] = random_pair(&r);
    for (enum words words = NO_OS; words <= OS; words++) {
      check_graph("", INFINITY, words, pair, bytes);
      check_graph("wan-bandwidth=80Mbit/s", 10e6, words, pair, bytes);
    }
  }
}
