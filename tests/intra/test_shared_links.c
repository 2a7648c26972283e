/* Binary trees whose senders share links: what each link carries is added up here, edge by edge. */
#include "bench/figure5_cluster.h"
#include "intra/contention_free.h"
#include "intra/intra.h"
#include "tests/support/random_cluster.h"
#include "tests/support/rounds.h"

/* Children of each host, at most two. */
static void count_children(const uint32_t *parent, uint32_t count, uint32_t *children) {
  memset(children, 0, count * sizeof *children);
  for (uint32_t i = 0; i < count; i++)
    if (parent[i] != GB_NONE)
      children[parent[i]]++;
  for (uint32_t i = 0; i < count; i++)
    cr_assert_leq(children[i], 2);
}

/* Adds to each directed link of the way the half or the whole that the edge takes: cables up at 2 s, down at
 * 2 s
 * + 1. Links of hosts are not shared by trees. */
static void add_edge(const struct gbcast_platform *p, uint32_t from, uint32_t to, uint32_t halves,
                     uint32_t *load) {
  uint32_t a = p->host[from].sw, b = p->host[to].sw;
  while (a != b) { /* the lower end climbs */
    if (b == GB_NONE || (a != GB_NONE && p->sw[a].depth >= p->sw[b].depth)) {
      load[2 * (size_t)a] += halves;
      a = p->sw[a].uplink;
    } else {
      load[2 * (size_t)b + 1] += halves;
      b = p->sw[b].uplink;
    }
  }
}

/* The most halves on a link; `senders` counts the links with edges of different senders. */
static uint32_t heaviest(const struct gbcast_platform *p, const uint32_t *host, const uint32_t *parent,
                         uint32_t count, uint32_t *shared) {
  uint32_t *load = calloc(2 * (size_t)p->switch_count + 1, sizeof *load), most = 0;
  uint32_t *users = calloc(2 * (size_t)p->switch_count + 1, sizeof *users);
  uint32_t *children = malloc((count + 1) * sizeof *children);
  count_children(parent, count, children);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t child = 0; child < count; child++)
      if (parent[child] == i)
        add_edge(p, host[i], host[child], children[i] == 1 ? 2 : 1, load);
    for (uint32_t link = 0; link < 2 * p->switch_count; link++) {
      users[link] += load[link] > 0;
      *shared += load[link] > 0 && users[link] == 2;
      load[link] = 0;
    }
  }
  for (uint32_t i = 0; i < count; i++)
    if (parent[i] != GB_NONE)
      add_edge(p, host[parent[i]], host[i], children[parent[i]] == 1 ? 2 : 1, load);
  for (uint32_t link = 0; link < 2 * p->switch_count; link++)
    most = load[link] > most ? load[link] : most;
  free(load);
  free(users);
  free(children);
  return most;
}

static double lan_latency, lan_gap;
static int strict_tree(const gb_switch_order *order, const gb_conflicts *conflicts, const void *context,
                       uint32_t *parent, gbcast_error *err) {
  static const uint32_t height[] = {0, 1, 1};
  (void)context;
  return gb_coverage_build(order, conflicts, 2, height, parent, err);
}

static double time_of(const uint32_t *parent, uint32_t count) {
  double seconds = 0;
  uint32_t degree = 0;
  gbcast_error err;
  cr_assert_eq(gb_tree_time(parent, count, lan_latency, lan_gap, &seconds, &degree, &err), GBCAST_OK);
  return seconds;
}

Test(shared_links, no_link_carries_more_than_one_message) {
  static cluster_fixture f;
  static const double gap[] = {0, 0.5, 3};
  uint32_t shared = 0, lower = 0;
  gbcast_error err = {""};
  lan_latency = 1;
  for (int round = 0; round < ROUNDS(6000); round++) {
    random_cluster(&f, rng(24), 1 + rng(50));
    uint32_t host[MOST] = {0}, parent[MOST] = {0}, strict[MOST] = {0}, count = pick(f.p.host_count, host);
    lan_gap = gap[rng(3)];
    gb_intra_job job = job_of(&f, host, count);
    cr_assert_eq(gb_shared_links_tree(&job, lan_latency, lan_gap, parent, &err), GBCAST_OK);
    expect_spanning(parent, count, "shared");
    cr_assert_leq(heaviest(&f.p, host, parent, count, &shared), 2, "round %d", round);
    cr_assert_eq(gb_build_by_position(&job, strict_tree, NULL, strict, &err), GBCAST_OK);
    if (lan_gap <= 0)
      cr_assert_leq(time_of(parent, count), time_of(strict, count), "round %d", round);
    lower += time_of(parent, count) < time_of(strict, count) - 0.5;
  }
  cr_assert_gt(shared, (uint32_t)ROUNDS(1000), "links are shared");
  cr_assert_gt(lower, (uint32_t)ROUNDS(1000), "and that makes trees lower");
}

Test(shared_links, a_complete_binary_tree_asks_for_more) {
  static cluster_fixture f; /* so the check above can fail */
  uint32_t bad = 0, shared = 0;
  gbcast_error err = {""};
  for (int round = 0; round < 100; round++) {
    random_cluster(&f, 10, 40);
    uint32_t host[MOST] = {0}, parent[MOST] = {0};
    for (uint32_t h = 0; h < 40; h++)
      host[h] = h;
    gb_intra_job job = job_of(&f, host, 40);
    cr_assert_eq(gb_intra_table[gb_intra_find("binary", GB_BCAST)].build(&job, parent, &err), GBCAST_OK);
    bad += heaviest(&f.p, host, parent, 40, &shared) > 2;
  }
  cr_assert_gt(bad, 90);
}

/* All binary trees on few hosts, parents in any order; least height within the rule. */
static uint32_t brute_force(const cluster_fixture *f, const uint32_t *host, uint32_t count) {
  uint32_t parent[6] = {GB_NONE}, digits = 1, best = UINT32_MAX, shared = 0;
  for (uint32_t i = 1; i < count; i++)
    digits *= count;
  for (uint32_t code = 0; code < digits; code++) {
    uint32_t rest = code, height = 0, children[6] = {0};
    bool good = true;
    for (uint32_t i = 1; i < count; i++, rest /= count) {
      parent[i] = rest % count;
      good = ++children[parent[i]] <= 2 && good;
    }
    for (uint32_t i = 1; i < count && good; i++) {
      uint32_t depth = 0;
      for (uint32_t at = i; at != 0 && depth <= count; at = parent[at])
        depth++;
      good = depth < count;
      height = depth > height ? depth : height;
    }
    if (good && height < best && heaviest(&f->p, host, parent, count, &shared) <= 2)
      best = height;
  }
  return count == 1 ? 0 : best;
}

Test(shared_links, near_the_best_on_few_hosts) {
  static cluster_fixture f;
  gbcast_error err = {""};
  uint32_t best = 0, off = 0;
  lan_latency = 1;
  lan_gap = 0;
  for (int round = 0; round < 300; round++) {
    random_cluster(&f, 1 + rng(8), 1 + rng(6));
    uint32_t host[MOST] = {0}, parent[MOST] = {0}, count = f.p.host_count;
    for (uint32_t h = 0; h < count; h++)
      host[h] = h;
    gb_intra_job job = job_of(&f, host, count);
    cr_assert_eq(gb_shared_links_tree(&job, lan_latency, lan_gap, parent, &err), GBCAST_OK);
    double height = time_of(parent, count);
    uint32_t least = brute_force(&f, host, count);
    cr_assert_geq(height, least, "round %d", round);
    cr_assert_leq(height, least + 1, "round %d", round);
    best += height <= least;
    off += height > least;
  }
  cr_assert_lt(10 * off, best, "%u trees of %u are higher than they must be", off, best + off);
}

Test(shared_links, low_on_the_clusters_of_figure_5) {
  static const struct {
    uint32_t hosts, switches;
    double most; /* times the height of the complete binary tree */
  } want[] = {{1024, 64, 1.4}, {1024, 128, 1.6}, {512, 32, 1.4}, {300, 40, 1.6}};
  gbcast_error err = {""};
  lan_latency = 1;
  lan_gap = 0;
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    uint64_t state = i;
    uint32_t *parent = malloc(want[i].hosts * sizeof *parent), shared = 0;
    double sum = 0, complete = 0;
    for (uint32_t n = want[i].hosts; n > 1; n /= 2)
      complete++;
    for (int round = 0; round < 4; round++) {
      figure5_cluster c;
      cr_assert(figure5_cluster_new(&c, &state, want[i].switches, want[i].hosts));
      gb_intra_job job = {.p = &c.platform, .host = c.order, .count = want[i].hosts};
      cr_assert_eq(gb_shared_links_tree(&job, lan_latency, lan_gap, parent, &err), GBCAST_OK);
      expect_spanning(parent, want[i].hosts, "shared");
      cr_assert_leq(heaviest(&c.platform, c.order, parent, want[i].hosts, &shared), 2);
      sum += time_of(parent, want[i].hosts);
      figure5_cluster_free(&c);
    }
    cr_assert_leq(sum / 4, want[i].most * complete, "%u hosts: %g", want[i].hosts, sum / 4);
    free(parent);
  }
}

/* Above 1,024 hosts other tables are used. */
Test(shared_links, large_clusters) {
  static const char *const name[] = {"binary-contention-free", "kary-contention-free", "binary-shared-links"};
  gbcast_error err = {""};
  uint32_t hosts = 5000, *parent = malloc(hosts * sizeof *parent), shared = 0;
  uint64_t state = 3;
  figure5_cluster c;
  cr_assert(figure5_cluster_new(&c, &state, 300, hosts));
  for (int i = 0; i < 3; i++) {
    gb_intra_job job = {.p = &c.platform, .host = c.order, .count = hosts, .bytes = 1u << 20};
    cr_assert_eq(gb_intra_table[gb_intra_find(name[i], GB_BCAST)].build(&job, parent, &err), GBCAST_OK);
    expect_spanning(parent, hosts, name[i]);
    shared = 0;
    cr_assert_leq(heaviest(&c.platform, c.order, parent, hosts, &shared), 2, "%s", name[i]);
    cr_assert_eq(shared > 0, i == 2, "%s", name[i]);
  }
  figure5_cluster_free(&c);
  free(parent);
}
