/* All-to-all in phases: the paper's example, and random switch trees with links enumerated here. */
#include "intra/intra.h"
#include "tests/support/plans.h"
#include "tests/support/random_cluster.h"

#define LINKS (4 * MOST)

static void schedule(const gbcast_platform *p, const uint32_t *host, uint32_t count, gb_machines *m,
                     gb_phases *phases) {
  gbcast_error err = {""};
  cr_assert_eq(gb_machines_new(p, host, count, m, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gb_phases_new(m, phases, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gb_phases_check(m, phases, &err), GBCAST_OK, "%s", err.message);
}

static void drop(gb_machines *m, gb_phases *phases) {
  gb_phases_free(phases);
  gb_machines_free(m);
}

/* Fig. 1: the machines are m00 = n0, m01 = n1, m10 = n3, m11 = n4, m20 = n2. */
static const char figure_1[] = "switch s0 uplink=s1\nn0\nswitch s4 uplink=s0\nn1\nswitch s1 uplink=s2\n"
                               "switch s2 uplink=s3\nswitch s3\nn2\nswitch s5 uplink=s3\nn3\nn4\n";

Test(alltoall, gives_the_papers_table_4) {
  static const char *const table_4[] = {
      "n0>n3 n3>n2 n2>n1 n1>n0 ", "n1>n4 n4>n2 n2>n0 n0>n1 ", "n1>n3 n3>n0 ",
      "n0>n4 n3>n1 n4>n3 ",       "n0>n2 n4>n1 n2>n3 n3>n4 ", "n1>n2 n4>n0 n2>n4 "};
  gbcast_platform *p = parse(figure_1);
  gb_machines m;
  gb_phases phases;
  schedule(p, p->host_of_cluster, p->host_count, &m, &phases);
  cr_assert_eq(phases.count, 6);
  cr_assert_str_eq(p->sw[phases.root].name, "s3");
  for (uint32_t phase = 0; phase < 6; phase++) {
    char text[128] = "";
    for (uint32_t k = phases.start[phase]; k < phases.start[phase + 1]; k++) {
      const gb_message *message = &phases.message[k];
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s>%s ",
               gbcast_platform_host_name(p, m.host[message->from]),
               gbcast_platform_host_name(p, m.host[message->to]));
    }
    cr_assert_str_eq(text, table_4[phase], "phase %u", phase);
  }
  drop(&m, &phases);
  gbcast_platform_free(p);
}

/* The most messages on a directed link, all pairs enumerated. */
static uint32_t brute_load(const cluster_fixture *f, const uint32_t *host, uint32_t count) {
  uint32_t used[LINKS] = {0}, load = 0;
  for (uint32_t a = 0; a < count; a++) {
    for (uint32_t b = 0; b < count; b++) {
      if (a != b) {
        mark_path(f, host[a], host[b], used);
      }
    }
  }
  for (uint32_t link = 0; link < LINKS; link++) {
    load = used[link] > load ? used[link] : load;
  }
  return load;
}

static void expect_phases(const cluster_fixture *f, const uint32_t *host, uint32_t count,
                          const gb_phases *phases) {
  bool sent[MOST][MOST] = {{false}};
  cr_assert_eq(phases->count, brute_load(f, host, count));
  cr_assert_eq(phases->start[0], 0);
  cr_assert_eq(phases->start[phases->count], count * (count - 1));
  for (uint32_t p = 0; p < phases->count; p++) {
    uint32_t used[LINKS] = {0};
    for (uint32_t k = phases->start[p]; k < phases->start[p + 1]; k++) {
      uint32_t from = phases->message[k].from, to = phases->message[k].to;
      cr_assert(from != to && !sent[from][to], "%u to %u again, or to itself", from, to);
      cr_assert_eq(phases->phase[k], p);
      sent[from][to] = true;
      mark_path(f, host[from], host[to], used);
    }
    for (uint32_t link = 0; link < LINKS; link++) {
      cr_assert(used[link] <= 1, "link %u is used %u times in phase %u", link, used[link], p);
    }
  }
}

Test(alltoall, the_longest_way_is_that_of_all_pairs) {
  for (uint32_t round = 0; round < 300; round++) {
    cluster_fixture f;
    uint32_t chosen[MOST] = {0};
    const uint32_t hosts = 1 + rng(20);
    random_cluster(&f, rng(20), hosts);
    for (uint32_t s = 0; s < f.p.switch_count; s++)
      f.sw[s].latency = rng(1000);
    const uint32_t count = pick(hosts, chosen);
    gb_machines m;
    gbcast_error err = {""};
    double most = 0;
    for (uint32_t a = 0; a < count; a++)
      for (uint32_t b = 0; b < count; b++) {
        uint32_t used[LINKS] = {0};
        double way = 0;
        mark_path(&f, chosen[a], chosen[b], used);
        for (uint32_t s = 0; s < f.p.switch_count; s++)
          way += f.sw[s].latency * (used[2 * (MOST + s)] + used[2 * (MOST + s) + 1]);
        most = way > most ? way : most;
      }
    cr_assert_eq(gb_machines_new(&f.p, chosen, count, &m, &err), GBCAST_OK, "%s", err.message);
    cr_assert(gb_machines_farthest(&m) == most, "%g, expected %g", gb_machines_farthest(&m), most);
    gb_machines_free(&m);
  }
}

Test(alltoall, is_complete_shortest_and_free_of_contention_on_random_trees) {
  for (uint32_t round = 0; round < 3000; round++) {
    cluster_fixture f;
    uint32_t chosen[MOST] = {0};
    const uint32_t hosts = 1 + rng(round % 8 == 0 ? MOST : 16);
    random_cluster(&f, rng(round % 2 == 0 ? 6 : MOST), hosts);
    const uint32_t count = round % 2 == 0 ? pick(hosts, chosen) : (pick(hosts, chosen), hosts);
    gb_machines m;
    gb_phases phases, again;
    gbcast_error err = {""};
    schedule(&f.p, chosen, count, &m, &phases);
    expect_phases(&f, chosen, count, &phases);
    cr_assert_eq(gb_phases_new(&m, &again, &err), GBCAST_OK, "%s", err.message);
    cr_assert_arr_eq(again.message, phases.message, phases.message_count * sizeof *phases.message);
    gb_phases_free(&again);
    drop(&m, &phases);
  }
}

/* The description of gbcast_platform_synthetic, and |M_0| (|M| - |M_0|). */
static void expect_count(const char *description, uint32_t count) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_platform_synthetic(description, &p, &err), GBCAST_OK, "%s", err.message);
  gb_machines m;
  gb_phases phases;
  schedule(p, p->host_of_cluster, p->host_count, &m, &phases);
  cr_assert_eq(phases.count, count, "%s: %u phases", description, phases.count);
  drop(&m, &phases);
  gbcast_platform_free(p);
}

Test(alltoall, has_as_many_phases_as_its_load) {
  expect_count("host:1", 0);
  expect_count("switch:1 switch:1 host:1", 0);
  expect_count("host:2", 1);
  expect_count("switch:2 host:1", 1);
  expect_count("host:3", 2);
  expect_count("host:40", 39);
  expect_count("switch:1 switch:1 host:40", 39);
  expect_count("switch:5 host:1", 4);
  expect_count("switch:2 host:9", 81);
  expect_count("switch:3 switch:2 host:4", 8 * 16);
  expect_count("switch:2 host:256", 256 * 256);
  expect_count("switch:16 host:32", 32 * 480);
}

Test(alltoall, has_the_root_in_the_middle) {
  gbcast_platform *p = parse("switch a uplink=b\nx[0-2]\nswitch b uplink=c\ny\nswitch c\nz[0-2]\n");
  gb_machines m;
  gb_phases phases;
  schedule(p, p->host_of_cluster, p->host_count, &m, &phases);
  cr_assert_str_eq(p->sw[phases.root].name, "b");
  cr_assert_eq(phases.count, 12);
  drop(&m, &phases);
  gbcast_platform_free(p);
}

/* Each change of a good schedule is found out. */
Test(alltoall, check_finds_what_is_wrong) {
  gbcast_platform *p = parse(figure_1);
  gb_machines m;
  gb_phases phases;
  gbcast_error err = {""};
  schedule(p, p->host_of_cluster, p->host_count, &m, &phases);
  for (uint32_t k = 0; k < phases.message_count; k++) {
    const gb_message kept = phases.message[k];
    for (uint32_t other = 0; other < 36; other++) {
      phases.message[k] = (gb_message){other / 6, other % 6}; /* also a machine too many, or itself */
      const bool same = kept.from == other / 6 && kept.to == other % 6;
      cr_assert_eq(gb_phases_check(&m, &phases, &err), same ? GBCAST_OK : GBCAST_EINPUT);
    }
    phases.message[k] = kept;
  }
  for (uint32_t a = 0; a < phases.message_count; a++) { /* complete, but two have changed places */
    for (uint32_t b = 0; b < a; b++) {
      const gb_message first = phases.message[a], second = phases.message[b];
      phases.message[a] = second;
      phases.message[b] = first;
      bool free_of_contention = true;
      for (uint32_t q = 0; q < 6; q++) {
        bool up[5] = {false}, down[5] = {false};
        for (uint32_t k = phases.start[q]; k < phases.start[q + 1]; k++) {
          free_of_contention &= !up[phases.message[k].from] && !down[phases.message[k].to];
          up[phases.message[k].from] = down[phases.message[k].to] = true;
        }
      }
      const int status = gb_phases_check(&m, &phases, &err);
      cr_assert(free_of_contention || status == GBCAST_EINPUT);
      phases.message[a] = first;
      phases.message[b] = second;
    }
  }
  phases.phase[3]++;
  cr_assert_eq(gb_phases_check(&m, &phases, &err), GBCAST_EINPUT);
  phases.phase[3]--;
  phases.start[2]++;
  cr_assert_eq(gb_phases_check(&m, &phases, &err), GBCAST_EINPUT);
  phases.start[2]--;
  phases.count--;
  cr_assert_eq(gb_phases_check(&m, &phases, &err), GBCAST_EINPUT);
  phases.count++;
  cr_assert_eq(gb_phases_check(&m, &phases, &err), GBCAST_OK);
  drop(&m, &phases);
  gbcast_platform_free(p);
}
