/* Paths and what a message costs on them, on a platform small enough to work out by hand. */
#include "platform/cost/cost.h"

#include <criterion/criterion.h>
#include <math.h>

/* Cluster 0: tops s0 and s2, s1 under s0; hosts 0 on s0, 1 and 2 on s1, 3 on s2, 4 loose. Clusters 1..4: one
 * host each (5..8). Links 0->1, 1->2, 0->3, 3->2, 0->2 missing; 2->1, 1->0; 4 is out of reach. WAN caps on 0
 * and 1. */
static gb_plogp_point measured[] = {
    {.bytes = 100, .gap = 5, .latency = 7, .send_overhead = 1, .receive_overhead = 2}};
static gb_host host[9];
static gb_switch sw[3];
static gb_cluster cluster[5];
static gb_link link_of[6];
static uint32_t link_start[] = {0, 2, 4, 5, 6, 6};
static struct gbcast_platform p;
static gb_route r;

static void build(void) {
  const uint32_t on[] = {0, 1, 1, 2, GB_NONE, GB_NONE, GB_NONE, GB_NONE, GB_NONE};
  for (uint32_t h = 0; h < 9; h++) {
    host[h] = (gb_host){.cluster = h < 5 ? 0 : h - 4, .sw = on[h]};
  }
  sw[0] = (gb_switch){.uplink = GB_NONE, .bandwidth = 500, .latency = 0.1};
  sw[1] = (gb_switch){.uplink = 0, .depth = 1, .bandwidth = 50, .latency = 0.01};
  sw[2] = (gb_switch){.uplink = GB_NONE, .bandwidth = 70, .latency = 0.001};
  static char names[5][2] = {"a", "b", "c", "d", "e"};
  for (uint32_t c = 0; c < 5; c++) {
    cluster[c] = (gb_cluster){.name = names[c],
                              .latency = 1,
                              .bandwidth = 100 + c,
                              .overhead = 0.5,
                              .wan_bandwidth = INFINITY,
                              .where = {.file = "f", .line = 7, .column = 1}};
  }
  cluster[0].wan_bandwidth = 60;
  cluster[1].wan_bandwidth = 40;
  const uint32_t ends[][2] = {{0, 1}, {0, 3}, {1, 0}, {1, 2}, {2, 1}, {3, 2}};
  const double latency[] = {10, 20, 11, 30, 31, 20};
  for (uint32_t l = 0; l < 6; l++) {
    link_of[l] = (gb_link){.from = ends[l][0],
                           .to = ends[l][1],
                           .latency = latency[l],
                           .bandwidth = 80 - l,
                           .overhead = 0.25 * l,
                           .stream_bandwidth = INFINITY,
                           .injection = -1};
  }
  p = (struct gbcast_platform){.host_count = 9,
                               .switch_count = 3,
                               .cluster_count = 5,
                               .link_count = 6,
                               .host = host,
                               .sw = sw,
                               .cluster = cluster,
                               .link = link_of,
                               .link_start = link_start};
  r = (gb_route){0};
}

static void release(void) {
  gb_route_release(&r);
  cr_assert(r.hop == NULL && r.hop_count == 0);
}

static void equal(double got, double want) {
  cr_assert(got >= want - 1e-12 && got <= want + 1e-12, "got %.17g, want %.17g", got, want);
}

/* Hosts up and down 0..17, cables 18..23, WAN 24..33, links 34..39. */
static void expect_hops(uint32_t count, const uint64_t *resource, const double *bandwidth) {
  cr_assert_eq(r.hop_count, count, "%u hops, want %u", r.hop_count, count);
  for (uint32_t i = 0; i < count; i++) {
    cr_assert_eq(r.hop[i].resource, resource[i], "hop %u is %lu", i, (unsigned long)r.hop[i].resource);
    equal(r.hop[i].bandwidth, bandwidth[i]);
  }
}

static void expect_times(uint64_t bytes, const double *seconds) {
  gb_cost c = gb_route_cost(&r, bytes);
  for (uint32_t i = 0; i < r.hop_count; i++) {
    equal(gb_route_hop_time(&r, &c, i, bytes), seconds[i]);
  }
}

static void route(uint32_t u, uint32_t v) {
  gbcast_error err;
  cr_assert_eq(gb_route_between(&p, u, v, NULL, &r, &err), GBCAST_OK);
}

TestSuite(route, .init = build, .fini = release);

Test(route, resources_are_counted) {
  cr_assert_eq(gb_resource_count(&p), 40);
  p.assumed_mesh = true;
  cr_assert_eq(gb_resource_count(&p), 34 + 25);
}

Test(route, on_one_switch_no_cable_counts) {
  route(1, 2);
  expect_hops(2, (uint64_t[]){2, 5}, (double[]){100, 100});
  equal(r.latency, 1);
  equal(r.overhead, 0.5);
  equal(r.narrowest, 100);
  cr_assert(!r.wan && r.plogp == NULL && r.injection < 0);
}

Test(route, up_and_down_one_tree) {
  route(1, 0);
  expect_hops(3, (uint64_t[]){2, 20, 1}, (double[]){100, 50, 100});
  equal(r.latency, 1.01);
  route(0, 2);
  expect_hops(3, (uint64_t[]){0, 21, 5}, (double[]){100, 50, 100});
  equal(r.narrowest, 50);
}

Test(route, two_tops_and_loose_hosts_meet_at_the_core) {
  route(1, 3);
  expect_hops(5, (uint64_t[]){2, 20, 18, 23, 7},
              (double[]){100, 50, 500, 70, 100}); /* inside a site all at once */
  equal(r.latency, 1.111);
  route(3, 1);
  expect_hops(5, (uint64_t[]){6, 22, 19, 21, 3}, (double[]){100, 70, 500, 50, 100});
  route(4, 2);
  expect_hops(4, (uint64_t[]){8, 19, 21, 5}, (double[]){100, 500, 50, 100});
  route(0, 4);
  expect_hops(3, (uint64_t[]){0, 18, 9}, (double[]){100, 500, 100});
  equal(r.latency, 1.1);
}

Test(route, a_measured_cluster_replaces_g_and_l) {
  cluster[0].plogp = (gb_plogp){.count = 1, .point = measured};
  route(1, 3);
  cr_assert_eq(r.plogp, &cluster[0].plogp);
  gb_cost c = gb_route_cost(&r, 200);
  equal(c.delta, 10); /* os is between sites only */
  equal(c.gap, 10);
  equal(c.tail, 7);
  expect_times(200, (double[]){10, 4, 0.4, 200.0 / 70, 10}); /* the hosts' own links for g */
  measured[0].gap = 0.1;
  expect_times(200, (double[]){0.2, 0.2, 0.2, 0.2, 0.2}); /* none for longer than g */
}

Test(route, a_measured_pair_of_sites_is_busy_for_os_and_or) {
  link_of[3].plogp = (gb_plogp){.count = 1, .point = measured};
  route(5, 6);
  expect_hops(4, (uint64_t[]){10, 26, 37, 13}, (double[]){101, 40, 77, 102});
  gb_cost c = gb_route_cost(&r, 200);
  equal(c.delta, 2);
  equal(c.gap, 10);
  equal(c.tail, 7);
  expect_times(200, (double[]){2, 5, 200.0 / 77, 4});           /* L, not the link's latency */
  measured[0].send_overhead = measured[0].receive_overhead = 0; /* the links themselves are still taken */
  expect_times(200, (double[]){200.0 / 101, 5, 200.0 / 77, 200.0 / 102});
  measured[0].send_overhead = measured[0].receive_overhead = -1;
  equal(gb_route_cost(&r, 200).delta, 10);
  expect_times(200, (double[]){10, 5, 200.0 / 77, 10});
}

Test(route, a_direct_link_without_the_cables_of_the_sites) {
  link_of[0].stream_bandwidth = 30;
  link_of[0].injection = 2;
  route(1, 5);
  expect_hops(5, (uint64_t[]){2, 24, 34, 27, 11}, (double[]){100, 60, 80, 40, 101});
  expect_times(300, (double[]){3, 5, 3.75, 7.5, 300.0 / 101});
  equal(r.latency, 10);
  equal(r.overhead, 0);
  equal(r.narrowest, 30); /* one stream; the link itself stays 80 for all */
  equal(r.own_link, 100);
  equal(r.injection, 2);
  cr_assert(r.wan);
  gb_cost c = gb_route_cost(&r, 300);
  equal(c.delta, 2);
  equal(c.gap, 10);
  equal(c.tail, 10);
  c = gb_route_cost(&r, 3);
  equal(c.gap, 2); /* Delta */
}

Test(route, several_links) {
  link_of[0].injection = 3;
  link_of[3].injection = 9;
  link_of[3].plogp = (gb_plogp){.count = 1, .point = measured}; /* only where the direct link carries it */
  link_of[3].latency = 29;
  route(0, 6); /* 0 -> 1 -> 2: 39, before 0 -> 3 -> 2: 40 */
  expect_hops(7, (uint64_t[]){0, 24, 34, 27, 26, 37, 13}, (double[]){100, 60, 80, 40, 40, 77, 102});
  equal(r.latency, 39);
  equal(r.overhead, 0.75);
  equal(r.injection, 3);
  equal(r.narrowest, 40);
  cr_assert_null(r.plogp);
  route(5, 6);
  cr_assert_eq(r.plogp, &link_of[3].plogp);
}

Test(route, ties_and_rows) {
  uint32_t prev[5];
  double distance[5];
  gbcast_error err;
  cr_assert_eq(gb_route_row(&p, 0, prev, distance, &err), GBCAST_OK);
  const uint32_t want[] = {GB_NONE, 0, 1, 0,
                           GB_NONE}; /* 40 both ways, two links both ways: site 1 comes first */
  for (uint32_t c = 0; c < 5; c++) {
    cr_assert_eq(prev[c], want[c], "site %u", c);
  }
  equal(distance[2], 40);
  cr_assert(isinf(distance[4]));
  gb_route other = {0};
  cr_assert_eq(gb_route_between(&p, 0, 6, prev, &other, &err), GBCAST_OK);
  route(0, 6);
  cr_assert_eq(other.hop_count, r.hop_count);
  equal(other.latency, r.latency);
  gb_route_release(&other);
}

Test(route, out_of_reach_says_where) {
  gbcast_error err;
  cr_assert_eq(gb_route_between(&p, 0, 8, NULL, &r, &err), GBCAST_EINPUT);
  cr_assert(r.hop == NULL && r.hop_count == 0);
  cr_assert_arr_eq(err.message, "f:7:1: ", 7);
}

Test(route, an_assumed_mesh_joins_every_pair) {
  p.assumed_mesh = true;
  p.link_count = 0;
  p.assumed = (gb_link){
      .latency = 5, .bandwidth = 90, .overhead = 0.1, .stream_bandwidth = INFINITY, .injection = -1};
  route(5, 8);
  expect_hops(4, (uint64_t[]){10, 26, 34 + 1 * 5 + 4, 17}, (double[]){101, 40, 90, 104});
  uint32_t prev[5];
  double distance[5];
  cr_assert_eq(gb_route_row(&p, 3, prev, distance, NULL), GBCAST_OK);
  cr_assert(prev[3] == GB_NONE && prev[0] == 3);
  equal(distance[0], 5);
  equal(distance[3], 0);
}

Test(route, cost_without_injection) {
  gb_route one = {.latency = 4, .overhead = 1, .own_link = 10, .narrowest = 5, .injection = -1};
  gb_cost c = gb_route_cost(&one, 100);
  equal(c.delta, 11);
  equal(c.gap, 21);
  equal(c.tail, 5);
  one.injection = 0;
  equal(gb_route_cost(&one, 100).delta, 0);
  equal(gb_route_cost(&one, 100).gap, 21);
}
