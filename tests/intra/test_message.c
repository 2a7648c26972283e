/* Trees that are made for one message: the segment that they are made for, and what they gain by it. */
#include "intra/algorithms.h"
#include "intra/intra.h"
#include "tests/support/random_cluster.h"
#include "tests/support/rounds.h"

static void fresh_cluster(cluster_fixture *f, uint32_t switches, uint32_t hosts) {
  random_cluster(f, switches, hosts);
  f->cluster[0].latency = 1e-6 * (1 + rng(200));
  f->cluster[0].overhead = 1e-6 * rng(10);
  f->cluster[0].bandwidth = 1e6 * (1 + rng(1000));
}

static double time_for(const gb_intra_job *job, const gb_lan *lan, const uint32_t *parent) {
  double seconds = 0;
  gbcast_error err = {""};
  cr_assert_eq(gb_pipeline_time(parent, job->count, lan, job->bytes, &seconds, &err), GBCAST_OK);
  return seconds;
}

static void build(const char *name, const gb_intra_job *job, uint32_t *parent) {
  gbcast_error err = {""};
  cr_assert_eq(gb_intra_table[gb_intra_find(name, GB_BCAST)].build(job, parent, &err), GBCAST_OK);
  expect_spanning(parent, job->count, name);
}

static uint32_t most_children(const uint32_t *parent, uint32_t count) {
  uint32_t children[MOST] = {0}, most = 0;
  for (uint32_t i = 1; i < count; i++)
    if (++children[parent[i]] > most)
      most = children[parent[i]];
  return most;
}

/* Eight hosts on each of four switches. */
Test(intra_message, more_children_for_a_short_one_and_two_for_a_long_one) {
  static cluster_fixture f;
  uint32_t host[MOST] = {0}, parent[MOST] = {0};
  random_cluster(&f, 4, 32);
  f.cluster[0] = (gb_cluster){.latency = 5e-5, .bandwidth = 1.25e8, .overhead = 2e-6, .switch_count = 4};
  f.cluster[1].switch_count = 0;
  for (uint32_t s = 0; s < 4; s++)
    f.sw[s] = (gb_switch){.uplink = s == 0 ? GB_NONE : 0, .depth = s > 0};
  for (uint32_t h = 0; h < 32; h++) {
    f.host[h].sw = h / 8;
    host[h] = h;
  }
  gb_intra_job job = job_of(&f, host, 32);
  for (uint32_t power = 0; power <= 24; power++) {
    job.bytes = (uint64_t)1 << power;
    build("kary-contention-free", &job, parent);
    if (power <= 10)
      cr_assert_gt(most_children(parent, 32), 2, "%u", power);
    if (power >= 16)
      cr_assert_eq(most_children(parent, 32), 2, "%u", power);
  }
  job.bytes = 0;
  build("kary-contention-free", &job, parent);
  cr_assert_gt(most_children(parent, 32), 2);
}

/* Against the tree for four segments of 2 KiB. Times are rounded in the search, and k is given the segment of
 * a tree that has no cables in its way, so the tree for another message may be a little better. */
Test(intra_message, predicted_no_later_than_with_a_nominal_one) {
  static cluster_fixture f;
  double sum = 0;
  uint32_t worse = 0, better = 0;
  const int rounds = ROUNDS(3000);
  for (int round = 0; round < rounds; round++) {
    fresh_cluster(&f, rng(24), 2 + rng(60));
    uint32_t host[MOST] = {0}, parent[MOST] = {0}, nominal[MOST] = {0}, count = pick(f.p.host_count, host);
    gb_lan lan = gb_lan_of(&f.p, 0);
    gb_intra_job job = job_of(&f, host, count);
    job.bytes = 8192;
    build("kary-contention-free", &job, nominal);
    job.bytes = (uint64_t)1 << rng(25);
    build("kary-contention-free", &job, parent);
    double made = time_for(&job, &lan, parent), before = time_for(&job, &lan, nominal);
    cr_assert_leq(made, 1.15 * before, "round %d, %u hosts", round, count);
    sum += before > 0 ? made / before : 1;
    worse += made > before * (1 + 1e-9);
    better += made < before * (1 - 1e-9);
  }
  cr_assert_lt(sum / rounds, 0.87, "%g", sum / rounds);
  cr_assert_lt(5 * worse, better, "%u worse, %u better", worse, better);
}

/* Formula (2) with the segment written out. */
static double formula_2(const gb_lan *lan, const uint32_t *parent, uint32_t count, uint64_t bytes,
                        uint64_t s) {
  uint64_t segments = bytes == 0 ? 1 : (bytes + s - 1) / s;
  double first = 0, gap = gb_lan_gap(lan, s);
  uint32_t degree = 0;
  gbcast_error err = {""};
  cr_assert_eq(gb_tree_time(parent, count, gb_lan_latency(lan, s), gap, &first, &degree, &err), GBCAST_OK);
  return first + (double)(segments - 1) * degree * gap;
}

Test(intra_message, the_best_segment_of_those_tried) {
  static cluster_fixture f;
  for (int round = 0; round < ROUNDS(2000); round++) {
    fresh_cluster(&f, rng(10), 2 + rng(60));
    uint32_t host[MOST] = {0}, parent[MOST] = {0}, count = pick(f.p.host_count, host);
    gb_plogp_point point[] = {{.bytes = 3000, .gap = 1e-5, .latency = 5e-5},
                              {.bytes = 9000, .gap = 2e-5 * (1 + rng(9)), .latency = 6e-5}};
    gb_plogp table = {.count = 2, .point = point};
    gb_lan lan = gb_lan_of(&f.p, 0);
    lan.plogp = rng(2) ? &table : NULL;
    gb_intra_job job = job_of(&f, host, count);
    job.bytes = rng(8) == 0 ? 0 : rng(1u << rng(25)); /* not only powers of two */
    build("binary", &job, parent);
    double least = formula_2(&lan, parent, count, job.bytes, job.bytes);
    for (uint64_t s = lan.plogp ? 3000 : 512; s < job.bytes; s *= 2) {
      double seconds = formula_2(&lan, parent, count, job.bytes, s);
      least = seconds < least ? seconds : least;
    }
    cr_assert_float_eq(time_for(&job, &lan, parent), least, 1e-12 * least, "round %d", round);
    uint64_t segment = gb_pipeline_segment(&lan, count, job.bytes, 2);
    cr_assert(segment == job.bytes || (segment < job.bytes && segment >= (lan.plogp ? 3000 : 512)));
    gb_intra_model *complete = gb_intra_table[gb_intra_find("binary-contention-free", GB_BCAST)].bcast_model;
    for (uint64_t s = lan.plogp ? 3000 : 512; s < job.bytes; s *= 2)
      cr_assert_leq(complete(&lan, count, job.bytes, segment), complete(&lan, count, job.bytes, s));
    cr_assert_leq(complete(&lan, count, job.bytes, segment), complete(&lan, count, job.bytes, job.bytes));
  }
}
