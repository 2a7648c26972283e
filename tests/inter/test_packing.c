/* Several trees over sites: held against enumeration, another simplex method, the smallest cut, and what
 * links can carry. */
#include "tests/support/random_sites.h"

static random_sites sites;
enum { MOST_WORK = 10000000 };

/* The next of all parent arrays; false after the last. Those with cycles are among them. */
static bool next_parents(const gb_site_graph *g, uint32_t *parent) {
  for (uint32_t v = 0; v < g->n; v++) {
    if (v == g->root)
      continue;
    if (++parent[v] < g->n)
      return true;
    parent[v] = 0;
  }
  return false;
}

static bool is_tree(const gb_site_graph *g, const uint32_t *parent) {
  for (uint32_t v = 0; v < g->n; v++) {
    uint32_t x = v, steps = 0;
    for (; x != g->root; x = parent[x])
      if (!gb_site_usable(g, parent[x], x) || ++steps == g->n)
        return false;
  }
  return true;
}

Test(packing, arborescence_is_least) {
  gb_random r = {1};
  int unreached = 0;
  for (int round = 0; round < ROUNDS(3000); round++) {
    const uint32_t n = 1 + random_below(&r, 5), root = random_below(&r, n);
    double cost[25], best = INFINITY;
    uint32_t parent[5] = {0}, found[5];
    for (uint32_t e = 0; e < n * n; e++) {
      cost[e] = random_below(&r, 4) ? (double)random_below(&r, 20) : INFINITY;
      sites.delta[e] = sites.weight[e] = cost[e];
    }
    const gb_site_graph g = {.n = n, .root = root, .delta = sites.delta, .weight = sites.weight};
    parent[root] = UINT32_MAX;
    do {
      double total = 0;
      for (uint32_t v = 0; v < n; v++)
        total += v == root ? 0 : cost[parent[v] * n + v];
      if (total < best && is_tree(&g, parent))
        best = total;
    } while (next_parents(&g, parent));
    const int status = gb_inter_arborescence(n, root, cost, found, NULL);
    unreached += status != GBCAST_OK;
    cr_assert_eq(status, best < INFINITY ? GBCAST_OK : GBCAST_EINPUT, "round %d", round);
    if (status != GBCAST_OK)
      continue;
    double total = 0;
    for (uint32_t v = 0; v < n; v++)
      total += v == root ? 0 : cost[found[v] * n + v];
    cr_assert(is_tree(&g, found), "round %d", round);
    cr_assert_eq(total, best, "round %d: %g, not %g", round, total, best);
  }
  cr_assert_gt(unreached, ROUNDS(100));
}

Test(packing, small_systems_are_solved) {
  gb_random r = {2};
  for (int round = 0; round < 500; round++) {
    const uint32_t k = 1 + random_below(&r, 12);
    double m[144], factors[144], b[12], x[12], y[12];
    uint32_t exchange[12];
    for (uint32_t i = 0; i < k * k; i++)
      factors[i] = m[i] = random_below(&r, 3) ? random_below(&r, 100) - 50.0 : 0;
    for (uint32_t i = 0; i < k; i++)
      x[i] = y[i] = b[i] = random_below(&r, 100);
    if (!gb_lu_factor(factors, k, exchange))
      continue;
    double least = INFINITY; /* hardly solvable ones prove nothing */
    for (uint32_t i = 0; i < k; i++)
      least = fmin(least, fabs(factors[i * k + i]));
    if (least < 1e-3)
      continue;
    gb_lu_solve(factors, k, exchange, x);
    gb_lu_solve_transposed(factors, k, exchange, y);
    for (uint32_t i = 0; i < k; i++) {
      double row = 0, column = 0;
      for (uint32_t j = 0; j < k; j++) {
        row += m[i * k + j] * x[j];
        column += m[j * k + i] * y[j];
      }
      cr_assert_float_eq(row, b[i], 1e-6, "round %d: %g, not %g", round, row, b[i]);
      cr_assert_float_eq(column, b[i], 1e-6, "round %d, transposed: %g, not %g", round, column, b[i]);
    }
  }
}

/* The same program over the list of all trees, by a tableau and Bland's rule. Columns: trees, slacks, right
 * side. */
static double best_total(const gb_site_graph *g) {
  const uint32_t rows = g->loads->resources;
  uint32_t parent[5] = {0}, trees = 0;
  double *load = calloc((size_t)rows * 300, sizeof *load);
  parent[g->root] = UINT32_MAX;
  do
    if (is_tree(g, parent))
      add_tree_load(g, parent, 1, load + (size_t)rows * trees++);
  while (next_parents(g, parent));
  double unit = 0; /* messages a second of one tree: keeps the numbers near 1 */
  unit = 1 / fullest(g, load);
  const uint32_t width = trees + rows + 1;
  double *t = calloc((size_t)(rows + 1) * width, sizeof *t);
  uint32_t *basic = calloc(rows, sizeof *basic);
  for (uint32_t i = 0; i < rows; i++) {
    for (uint32_t j = 0; j < trees; j++)
      t[i * width + j] = unit * load[(size_t)rows * j + i];
    t[i * width + trees + i] = t[i * width + width - 1] = 1;
    basic[i] = trees + i;
  }
  for (uint32_t j = 0; j < trees; j++)
    t[rows * width + j] = -1;
  for (;;) {
    uint32_t in = 0, out = UINT32_MAX;
    while (in < width - 1 && t[rows * width + in] > -1e-9)
      in++;
    if (in == width - 1)
      break;
    for (uint32_t i = 0; i < rows; i++) {
      if (t[i * width + in] < 1e-9)
        continue;
      double ratio = t[i * width + width - 1] / t[i * width + in];
      double least = out == UINT32_MAX ? INFINITY : t[out * width + width - 1] / t[out * width + in];
      if (ratio < least || (ratio == least && basic[i] < basic[out]))
        out = i;
    }
    cr_assert_neq(out, UINT32_MAX, "no limit");
    const double pivot = t[out * width + in];
    for (uint32_t j = 0; j < width; j++)
      t[out * width + j] /= pivot;
    for (uint32_t i = 0; i <= rows; i++) {
      const double factor = t[i * width + in];
      for (uint32_t j = 0; i != out && factor != 0 && j < width; j++)
        t[i * width + j] -= factor * t[out * width + j];
    }
    basic[out] = in;
  }
  const double total = unit * t[rows * width + width - 1];
  free(load);
  free(t);
  free(basic);
  return total;
}

/* Nothing is used for longer than there is time, and the totals say what they should. */
static void check_rates(const gb_site_graph *g, const gb_rated_trees *trees) {
  double *load = calloc(g->loads->resources, sizeof *load), total = 0;
  cr_assert_gt(trees->count, 0);
  for (uint32_t i = 0; i < trees->count; i++) {
    cr_assert_gt(trees->rate[i], 0);
    cr_assert(i == 0 || trees->rate[i] <= trees->rate[i - 1]);
    add_tree_load(g, trees->parent + (size_t)i * g->n, trees->rate[i], load);
    total += trees->rate[i];
  }
  cr_assert_leq(fullest(g, load), 1 + 1e-9, "something is busy for %.12g of the time", fullest(g, load));
  cr_assert_float_eq(trees->total, total, 1e-9 * total);
  cr_assert_geq(trees->bound, total * (1 - 1e-9));
  free(load);
}

Test(packing, total_is_the_optimum) {
  gb_random r = {3};
  int several = 0;
  for (int round = 0; round < ROUNDS(4000); round++) {
    draw_sites(&r, 2 + random_below(&r, round % 8 ? 3 : 4), random_below(&r, 8), round % 4 != 0, &sites);
    gb_rated_trees trees;
    cr_assert_eq(gb_inter_rates(&sites.g, INFINITY, MOST_WORK, NULL, &trees, NULL), GBCAST_OK);
    check_rates(&sites.g, &trees);
    const double best = best_total(&sites.g);
    cr_assert_float_eq(trees.total, best, 1e-5 * best, "round %d: %u sites, %g, not %g", round, sites.g.n,
                       trees.total, best);
    cr_assert_leq(trees.bound, best * (1 + 1e-5));
    several += trees.count > 1;
    gb_rated_trees_free(&trees);
  }
  cr_assert_gt(several, ROUNDS(500));
}

/* Largest flow by augmenting paths of most capacity left. */
static double max_flow(uint32_t n, const double *capacity, uint32_t from, uint32_t to) {
  double left[16 * 16], flow = 0;
  memcpy(left, capacity, (size_t)n * n * sizeof *left);
  for (;;) {
    double width[16] = {0};
    uint32_t via[16];
    bool done[16] = {false};
    width[from] = INFINITY;
    for (;;) {
      uint32_t u = UINT32_MAX;
      for (uint32_t v = 0; v < n; v++)
        if (!done[v] && width[v] > 0 && (u == UINT32_MAX || width[v] > width[u]))
          u = v;
      if (u == UINT32_MAX)
        break;
      done[u] = true;
      for (uint32_t v = 0; v < n; v++)
        if (!done[v] && fmin(width[u], left[u * n + v]) > width[v]) {
          width[v] = fmin(width[u], left[u * n + v]);
          via[v] = u;
        }
    }
    if (!(width[to] > 1e-9))
      return flow;
    for (uint32_t v = to; v != from; v = via[v]) {
      left[via[v] * n + v] -= width[to];
      left[v * n + via[v]] += width[to];
    }
    flow += width[to];
  }
}

/* Edmonds' theorem. */
Test(packing, links_alone_carry_the_smallest_cut) {
  gb_random r = {4};
  for (int round = 0; round < 400; round++) {
    const uint32_t n = 2 + random_below(&r, 12);
    draw_sites(&r, n, random_below(&r, 8), false, &sites);
    double capacity[16 * 16] = {0}, cut = INFINITY;
    for (uint32_t e = 0; e < n * n; e++)
      if (sites.direct[e])
        capacity[e] = 1 / sites.use[sites.start[e]].busy;
    for (uint32_t v = 0; v < n; v++)
      if (v != sites.g.root)
        cut = fmin(cut, max_flow(n, capacity, sites.g.root, v));
    gb_rated_trees trees;
    cr_assert_eq(gb_inter_rates(&sites.g, INFINITY, MOST_WORK, NULL, &trees, NULL), GBCAST_OK);
    check_rates(&sites.g, &trees);
    cr_assert_float_eq(trees.total, cut, 1e-5 * cut, "round %d: %u sites, %.9g, the cut is %.9g", round, n,
                       trees.total, cut);
    gb_rated_trees_free(&trees);
  }
}

/* Where the work is cut off, what was found is right. */
Test(packing, many_sites) {
  gb_random r = {5};
  for (uint32_t round = 0; round < 6; round++) {
    draw_sites(&r, round < 3 ? 64 : SITES_MOST, round % 3 * 3, round % 2, &sites);
    gb_rated_trees trees;
    cr_assert_eq(gb_inter_rates(&sites.g, INFINITY, MOST_WORK, NULL, &trees, NULL), GBCAST_OK);
    check_rates(&sites.g, &trees);
    gb_rated_trees_free(&trees);
  }
}

/* What goes through the shares of a choice, in messages a second. */
static double throughput(const gb_site_graph *g, const gb_site_trees *trees) {
  double *load = calloc(g->loads->resources, sizeof *load);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < trees->count; i++)
    sum += trees->weight[i];
  for (uint32_t i = 0; i < trees->count; i++)
    add_tree_load(g, trees->parent + (size_t)i * g->n, trees->weight[i] / (double)sum, load);
  const double rate = 1 / fullest(g, load);
  free(load);
  return rate;
}

Test(packing, shares) {
  gb_random r = {6};
  double kept = 0;
  int rounds = 0, several = 0;
  for (int round = 0; round < 1500; round++) {
    draw_sites(&r, 2 + random_below(&r, 15), random_below(&r, 8), round % 4 != 0, &sites);
    gb_site_trees packed, again;
    gb_rated_trees trees;
    cr_assert_eq(gb_inter_rates(&sites.g, INFINITY, MOST_WORK, NULL, &trees, NULL), GBCAST_OK);
    cr_assert_eq(gb_inter_packing(&sites.g, &packed, NULL), GBCAST_OK);
    cr_assert_eq(gb_inter_packing(&sites.g, &again, NULL), GBCAST_OK);
    cr_assert(packed.count >= 1 && packed.count <= GB_SITE_TREES_MOST && packed.count == again.count);
    cr_assert_eq(memcmp(packed.weight, again.weight, packed.count * sizeof(uint32_t)), 0);
    cr_assert_eq(memcmp(packed.parent, again.parent, packed.count * sites.g.n * sizeof(uint32_t)), 0);
    for (uint32_t t = 0; t < packed.count; t++)
      cr_assert(packed.weight[t] >= 1 && packed.weight[t] <= packed.weight[t ? t - 1 : 0]);
    cr_assert_leq(packed.weight[0], sites.g.most_weight);
    const double part = throughput(&sites.g, &packed) / trees.total;
    cr_assert_leq(part, trees.bound / trees.total * (1 + 2 * GB_NEARLY_GREATEST));
    several += packed.count > 1;
    if (trees.count <= GB_SITE_TREES_MOST) { /* what is lost is rounding of the shares */
      kept += part;
      rounds++;
      cr_assert_geq(part, 0.85, "round %d: %g of the rate", round, part);
    }
    gb_site_trees_free(&packed);
    gb_site_trees_free(&again);
    gb_rated_trees_free(&trees);
  }
  cr_assert_geq(kept / rounds, 0.99, "%g of the rates", kept / rounds);
  cr_assert_geq(several, 300, "%d", several);
}

/* The greatest way of a tree that has a share. */
static double longest_way(const gb_site_graph *g, double messages) {
  gb_site_graph few = *g;
  gb_site_trees packed;
  double longest = 0;
  few.messages = messages;
  cr_assert_eq(gb_inter_packing(&few, &packed, NULL), GBCAST_OK);
  for (uint32_t t = 0; t < packed.count; t++)
    longest = fmax(longest, gb_site_tree_length(g, packed.parent + (size_t)t * g->n));
  gb_site_trees_free(&packed);
  return longest;
}

/* A message or two are not worth a longer way than the shortest to the farthest site, or not by much. */
Test(packing, few_messages_take_short_ways) {
  gb_random r = {7};
  int shorter = 0;
  double excess = 0;
  for (int round = 0; round < 300; round++) {
    draw_sites(&r, 2 + random_below(&r, 8), random_below(&r, 6), true, &sites);
    const gb_site_graph *g = &sites.g;
    double none[100], time[100], shortest;
    uint32_t parent[10];
    for (uint32_t e = 0; e < g->n * g->n; e++) {
      time[e] = g->delta[e] + g->weight[e];
      none[e] = time[e] < INFINITY ? 0 : INFINITY;
    }
    cr_assert_eq(gb_inter_shallow(g->n, g->root, none, time, 1, INFINITY, parent, NULL), GBCAST_OK);
    cr_assert(is_tree(g, parent));
    shortest = gb_site_tree_length(g, parent);
    const double few = longest_way(g, 1e-9), many = longest_way(g, 1e9);
    cr_assert_geq(few, shortest * (1 - 1e-12));
    cr_assert_leq(few, many * (1 + 1e-12));
    shorter += few < many * 0.99;
    excess += few / shortest;
  }
  cr_assert_gt(shorter, 100);
  cr_assert_lt(excess / 300, 1.1, "%g", excess / 300);
}

/* r sends 100 to a and 50 to b, which have 200 between them: 150 for both, by two trees. */
Test(packing, two_paths) {
  static const struct {
    uint32_t from, to;
    double bandwidth;
  } link[] = {{0, 1, 100}, {0, 2, 50}, {1, 2, 200}, {2, 1, 200}};
  size_t at = 0;
  for (uint32_t e = 0; e < 9; e++) {
    sites.start[e] = at;
    sites.delta[e] = sites.weight[e] = INFINITY;
    for (uint32_t l = 0; l < 4; l++)
      if (e == link[l].from * 3 + link[l].to) {
        sites.delta[e] = 0;
        sites.weight[e] = 1 / link[l].bandwidth;
        sites.use[at++] = (struct gb_site_use){l, 1 / link[l].bandwidth};
      }
  }
  sites.start[9] = at;
  sites.loads = (gb_site_loads){.resources = 4, .start = sites.start, .use = sites.use};
  const gb_site_graph g = {.n = 3,
                           .delta = sites.delta,
                           .weight = sites.weight,
                           .loads = &sites.loads,
                           .messages = 1e9,
                           .most_weight = 32,
                           .most_trees = GB_SITE_TREES_MOST};
  gb_site_trees packed;
  cr_assert_eq(gb_inter_packing(&g, &packed, NULL), GBCAST_OK);
  static const uint32_t parents[] = {UINT32_MAX, 0, 1, UINT32_MAX, 2, 0};
  cr_assert(packed.count == 2 && packed.weight[0] == 2 && packed.weight[1] == 1);
  cr_assert_eq(memcmp(packed.parent, parents, sizeof parents), 0);
  gb_site_trees_free(&packed);

  /* The second path takes 0.1 s more: of 30 messages at 100 and 50 a second the first tree gets 100 (t -
   * 0.015), the other 50 (t - 0.125), both at t = 0.2517. */
  sites.weight[2] += 0.1;
  gb_site_graph few = g;
  few.messages = 30;
  cr_assert_eq(gb_inter_packing(&few, &packed, NULL), GBCAST_OK);
  cr_assert_eq(packed.count, 2);
  cr_assert_float_eq(packed.weight[0] / (double)packed.weight[1], 23.667 / 6.333, 0.3);
  gb_site_trees_free(&packed);
}

Test(packing, unreachable_site) {
  gb_random r = {8};
  draw_sites(&r, 6, 0, true, &sites);
  const uint32_t cut = (sites.g.root + 1) % 6;
  for (uint32_t u = 0; u < 6; u++)
    sites.delta[u * 6 + cut] = INFINITY;
  gb_site_trees packed;
  gbcast_error err = {""};
  cr_assert_eq(gb_inter_packing(&sites.g, &packed, &err), GBCAST_EINPUT);
  cr_assert_null(packed.parent);
  cr_assert_neq(err.message[0], '\0');
}
