/* Contention-free binary and k-ary trees: the promise is held against paths that are enumerated here, the
 * heights against the paper's algorithm with path sets compared, and against all trees on few hosts. */
#include "intra/contention_free.h"
#include "intra/intra.h"
#include "tests/support/random_cluster.h"
#include "tests/support/rounds.h"

#define LINKS (4 * MOST)
#define FEW 9u

static void fresh_cluster(cluster_fixture *f, uint32_t switches, uint32_t hosts) {
  random_cluster(f, switches, hosts);
  f->cluster[0].latency = 1e-6 * (1 + rng(200));
  f->cluster[0].overhead = 1e-6 * rng(10);
  f->cluster[0].bandwidth = 1e6 * (1 + rng(1000));
}

/* Whether two edges of different senders share a directed link. */
static bool contended(const cluster_fixture *f, const uint32_t *host, const uint32_t *parent,
                      uint32_t count) {
  uint32_t sender[LINKS];
  memset(sender, 0xff, sizeof sender);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t used[LINKS] = {0};
    if (parent[i] == GB_NONE)
      continue;
    mark_path(f, host[parent[i]], host[i], used);
    for (uint32_t link = 0; link < LINKS; link++) {
      if (used[link] > 0 && sender[link] != GB_NONE && sender[link] != parent[i])
        return true;
      if (used[link] > 0)
        sender[link] = parent[i];
    }
  }
  return false;
}

static uint32_t most_children(const uint32_t *parent, uint32_t count) {
  uint32_t children[MOST] = {0}, most = 0;
  for (uint32_t i = 0; i < count; i++)
    if (parent[i] != GB_NONE && ++children[parent[i]] > most)
      most = children[parent[i]];
  return most;
}

static uint32_t height_of(const uint32_t *parent, uint32_t count) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t height = 0;
    for (uint32_t at = i; parent[at] != GB_NONE; at = parent[at])
      height++;
    most = height > most ? height : most;
  }
  return most;
}

static void build_for(const char *name, const gb_intra_job *job, uint32_t *parent) {
  gbcast_error err = {""};
  const gb_intra_algorithm *a = &gb_intra_table[gb_intra_find(name, GB_BCAST)];
  cr_assert_eq(a->build(job, parent, &err), GBCAST_OK, "%s", err.message);
  expect_spanning(parent, job->count, name);
}

static void build(const char *name, const cluster_fixture *f, const uint32_t *host, uint32_t count,
                  uint32_t *parent) {
  gb_intra_job job = job_of(f, host, count);
  build_for(name, &job, parent);
}

/* The hosts in the order of Algorithm 1. */
static void walk_order(const cluster_fixture *f, uint32_t *host, uint32_t count) {
  uint32_t parent[MOST] = {0}, order[MOST] = {0}, next[MOST] = {0};
  build("linear-contention-free", f, host, count, parent);
  for (uint32_t i = 1; i < count; i++)
    next[parent[i]] = i;
  for (uint32_t i = 0, at = 0; i < count; i++, at = i < count ? next[at] : 0)
    order[i] = host[at];
  memcpy(host, order, count * sizeof *host);
}

Test(contention_free, no_two_senders_share_a_link) {
  static cluster_fixture f;
  static const struct {
    const char *name;
    uint32_t children;
  } kind[] = {{"binary-contention-free", 2}, {"kary-contention-free", 8}};
  uint32_t more_than_two = 0;
  for (int round = 0; round < ROUNDS(6000); round++) {
    fresh_cluster(&f, rng(24), 1 + rng(45));
    uint32_t host[MOST] = {0}, parent[MOST] = {0}, count = pick(f.p.host_count, host);
    for (size_t k = 0; k < 2; k++) {
      gb_intra_job job = job_of(&f, host, count);
      job.bytes = (uint64_t)1 << rng(25);
      build_for(kind[k].name, &job, parent);
      cr_assert(!contended(&f, host, parent, count), "%s, round %d", kind[k].name, round);
      cr_assert_leq(most_children(parent, count), kind[k].children);
      more_than_two += most_children(parent, count) > 2;
    }
  }
  cr_assert_gt(more_than_two, (uint32_t)ROUNDS(1000));
}

Test(contention_free, a_complete_binary_tree_is_not) {
  static cluster_fixture f; /* so the check above can fail */
  uint32_t bad = 0;
  for (int round = 0; round < 100; round++) {
    fresh_cluster(&f, 10, 30);
    uint32_t host[MOST] = {0}, parent[MOST] = {0};
    for (uint32_t h = 0; h < 30; h++)
      host[h] = h;
    build("binary", &f, host, 30, parent);
    bad += contended(&f, host, parent, 30);
  }
  cr_assert_gt(bad, 95);
}

typedef struct drawn_tree {
  uint8_t links[LINKS]; /* by how many edges each is used */
  uint32_t height;
  uint32_t split;
} drawn_tree;

static bool meets(const uint8_t *a, const uint32_t *b) {
  for (uint32_t link = 0; link < LINKS; link++)
    if (a[link] > 0 && b[link] > 0)
      return true;
  return false;
}

/* Fig. 4 of the paper, line by line, with the links of each tree at hand. Fills parent by index into host,
 * which is in the order of Algorithm 1. */
static uint32_t figure_4(const cluster_fixture *f, const uint32_t *host, uint32_t p) {
  static drawn_tree t[16][16];
  memset(t, 0, sizeof t);
  for (uint32_t span = 1; span < p; span++)
    for (uint32_t i = 0; i + span < p; i++) {
      uint32_t j = i + span, first[LINKS] = {0};
      drawn_tree *best = &t[i][j];
      mark_path(f, host[i], host[i + 1], first);
      best->height = span == 1 ? 1 : UINT32_MAX;
      for (uint32_t k = i + 2; k <= j; k++) {
        uint32_t second[LINKS] = {0};
        mark_path(f, host[i], host[k], second);
        const drawn_tree *a = &t[i + 1][k - 1], *b = &t[k][j];
        uint32_t height = (a->height > b->height ? a->height : b->height) + 1;
        if (!meets(a->links, second) && height < best->height) {
          best->height = height;
          best->split = k;
        }
      }
      cr_assert_lt(best->height, UINT32_MAX);
      uint32_t k = best->split, last[LINKS] = {0};
      if (span > 1)
        mark_path(f, host[i], host[k], last);
      for (uint32_t link = 0; link < LINKS; link++) {
        uint32_t used = first[link] + last[link];
        used += span > 1 ? t[i + 1][k - 1].links[link] + t[k][j].links[link] : 0u;
        best->links[link] = used > 0;
      }
    }
  return t[0][p - 1].height;
}

Test(contention_free, heights_are_those_of_figure_4) {
  static cluster_fixture f;
  for (int round = 0; round < ROUNDS(3000); round++) {
    fresh_cluster(&f, 1 + rng(9), 1 + rng(16));
    uint32_t host[MOST] = {0}, parent[MOST] = {0}, count = pick(f.p.host_count, host);
    build("binary-contention-free", &f, host, count, parent);
    uint32_t height = height_of(parent, count);
    walk_order(&f, host, count);
    cr_assert_eq(height, figure_4(&f, host, count), "round %d", round);
  }
}

/* Every tree whose depth-first order is that of the walk: a host's parent is the host before it or one above
 * that. The least height, and the least time with L = 1 and g = 1, over those free of contention. `paper`:
 * only trees in which a host with one child is the parent of a leaf. */
static void brute_force(const cluster_fixture *f, const uint32_t *host, uint32_t count, uint32_t degree,
                        bool paper, uint32_t *height, double *seconds) {
  uint32_t parent[FEW] = {GB_NONE}, at = 1, children[FEW];
  gbcast_error err;
  *height = UINT32_MAX;
  *seconds = 1e9;
  for (uint32_t i = 1; i < count; i++)
    parent[i] = i - 1;
  do {
    bool good = !contended(f, host, parent, count) && most_children(parent, count) <= degree;
    memset(children, 0, sizeof children);
    for (uint32_t i = 1; i < count; i++)
      children[parent[i]]++;
    for (uint32_t i = 1; i < count && paper; i++)
      good = good && !(children[parent[i]] == 1 && children[i] > 0);
    if (good) {
      double time = 0;
      uint32_t most = 0;
      gb_tree_time(parent, count, 1, 1, &time, &most, &err);
      *height = height_of(parent, count) < *height ? height_of(parent, count) : *height;
      *seconds = time < *seconds ? time : *seconds;
    }
    for (at = count - 1; at > 0 && parent[at] == 0; at--) /* the next tree */
      ;
    if (at > 0) {
      parent[at] = parent[parent[at]];
      for (uint32_t i = at + 1; i < count; i++)
        parent[i] = i - 1;
    }
  } while (at > 0);
}

/* What intra/coverage.c finds for so many children. */
static uint32_t degree_wanted;
static bool by_time;
static int covering_tree(const gb_switch_order *order, const gb_conflicts *conflicts, const void *context,
                         uint32_t *parent, gbcast_error *err) {
  uint32_t cost[GB_MOST_CHILDREN + 1];
  (void)context;
  gb_coverage_costs(1, by_time ? 1 : 0, 2, degree_wanted, cost); /* L + u g = u + 1 units */
  return gb_coverage_build(order, conflicts, degree_wanted, cost, parent, err);
}

Test(contention_free, nothing_is_better_on_few_hosts) {
  static cluster_fixture f;
  gbcast_error err = {""};
  uint32_t higher = 0;
  for (int round = 0; round < ROUNDS(1500); round++) {
    fresh_cluster(&f, 1 + rng(9), 1 + rng(8));
    uint32_t host[MOST] = {0}, parent[MOST] = {0}, count = f.p.host_count, height = 0, papers = 0;
    double seconds = 0, made = 0;
    for (uint32_t h = 0; h < count; h++)
      host[h] = h;
    walk_order(&f, host, count);
    build("binary-contention-free", &f, host, count, parent);
    brute_force(&f, host, count, 2, true, &papers, &seconds);
    cr_assert_eq(height_of(parent, count), papers, "round %d", round);
    higher += count >> papers == 0;
    for (degree_wanted = 2; degree_wanted <= 4; degree_wanted++) {
      brute_force(&f, host, count, degree_wanted, false, &height, &seconds);
      gb_intra_job job = job_of(&f, host, count);
      for (by_time = false;; by_time = true) {
        cr_assert_eq(gb_build_by_position(&job, covering_tree, NULL, parent, &err), GBCAST_OK);
        cr_assert(!contended(&f, host, parent, count));
        cr_assert_leq(most_children(parent, count), degree_wanted);
        if (by_time)
          break;
        cr_assert_eq(height_of(parent, count), height, "round %d, %u children: %u, not %u", round,
                     degree_wanted, height_of(parent, count), height);
      }
      uint32_t most = 0;
      gb_tree_time(parent, count, 1, 1, &made, &most, &err);
      cr_assert(made >= seconds && (degree_wanted > 2 || made <= seconds), "round %d: %g, best %g", round,
                made, seconds);
    }
  }
  cr_assert_gt(higher, (uint32_t)ROUNDS(50), "%u",
               higher); /* links do make trees higher than the complete one */
}

/* intra/conflicts.c against enumerated paths: i -> k and a random tree over a .. b. The hosts are by
 * position.
 */
static void check_conflicts(const cluster_fixture *f, const gb_switch_order *order,
                            const gb_conflicts *conflicts, const uint32_t *host) {
  for (int tries = 0; tries < 40 && order->count > 2; tries++) {
    uint32_t i = rng(order->count - 2), k = i + 2 + rng(order->count - i - 2);
    uint32_t a = i + 1 + rng(k - i - 1), b = a + rng(k - a), edge[LINKS] = {0}, tree[LINKS] = {0};
    mark_path(f, host[i], host[k], edge);
    for (uint32_t v = a + 1; v <= b; v++)
      mark_path(f, host[a + rng(v - a)], host[v], tree);
    bool shared = false;
    for (uint32_t link = 0; link < LINKS; link++)
      shared = shared || (edge[link] > 0 && tree[link] > 0);
    uint32_t up = gb_switch_order_ancestor(order, order->node[i], order->node[a]);
    uint32_t down = gb_switch_order_ancestor(order, order->node[b], order->node[k]);
    bool apart = b < order->end[up] && a >= order->first[down];
    cr_assert_eq(shared, !apart, "%u -> %u and %u .. %u", i, k, a, b);
    if (a == i + 1 && b + 1 == k)
      cr_assert_eq(apart, b <= conflicts->right[i] && conflicts->left[k] <= a);
  }
}

Test(contention_free, the_criterion_knows_without_looking_at_paths) {
  static cluster_fixture f;
  gbcast_error err = {""};
  for (int round = 0; round < ROUNDS(5000); round++) {
    random_cluster(&f, 1 + rng(20), 1 + rng(30));
    uint32_t host[MOST] = {0}, position[MOST] = {0}, count = pick(f.p.host_count, host);
    gb_switch_order order;
    gb_conflicts conflicts;
    cr_assert_eq(gb_switch_order_new(&f.p, host, count, &order, &err), GBCAST_OK);
    cr_assert_eq(gb_conflicts_new(&order, &conflicts, &err), GBCAST_OK);
    for (uint32_t i = 0; i < count; i++)
      position[i] = host[order.host[i]];
    check_conflicts(&f, &order, &conflicts, position);
    gb_conflicts_free(&conflicts);
    gb_switch_order_free(&order);
  }
}

Test(contention_free, time_counts_the_service_order) {
  /* 0 -> 1, 2; 1 -> 3, 4; 3 -> 5: the child with more below goes first */
  static const uint32_t parent[] = {GB_NONE, 0, 0, 1, 1, 3};
  double seconds = 0;
  uint32_t degree = 0;
  gbcast_error err;
  cr_assert_eq(gb_tree_time(parent, 6, 10, 1, &seconds, &degree, &err), GBCAST_OK);
  cr_assert_float_eq(seconds, 33, 1e-12);
  cr_assert_eq(degree, 2);
  cr_assert_eq(gb_tree_time(parent, 1, 10, 1, &seconds, &degree, &err), GBCAST_OK);
  cr_assert_float_eq(seconds, 0, 1e-12);
}
