/* Several trees over the sites, each with a share of the message, that together fill the narrowest cut from
 * the root: as many bytes a second as any trees can bring (packing_rates.c), with no more than 16 trees.
 *
 *        /--100--> a               150 for both: 100 down r-a-b, 50 down r-b-a
 *       r          | 200           one tree alone: 100
 *        \---50--> b
 *
 * The greatest total may need many trees. First all but the heaviest 16 are left out, then a quarter of the
 * rest, again and again, each time with new rates for the others; the set that should end first is taken.
 * Then the same with trees for an end at that time, as long as that gains something. docs/planning.md says
 * how much of the greatest total 16 trees keep.
 *
 * Shares: with rate x(T) and the time L(T) until the last site has the first message, the share m(T) is there
 * at L(T) + m(T) / x(T), so all trees end together, at t, if
 *
 *   m(T) = x(T) (t - L(T)),   sum of m(T) = messages,   t = (messages + sum of x(T) L(T)) / sum of x(T)   [s]
 *
 * and a tree with L(T) > t has no share. */
#include "inter/packing.h"
#include <stdlib.h>
#include <string.h>

#define GOOD_WEIGHTS 1.02  /* of the greatest weight / share */
#define WORTH_IT 0.95      /* of the end so far */
#define WORK_A_SITE 20000u /* additions: 16 sites take 1 ms */

void gb_site_trees_free(gb_site_trees *trees) {
  free(trees->parent);
  free(trees->feeder);
  *trees = (gb_site_trees){0};
}

/* m(T) of each tree; 0 for those that would end too late. */
static void set_shares(const gb_site_graph *g, const gb_rated_trees *trees, const double *length,
                       double *share) {
  bool in[GB_SITE_TREES_MOST], changed = true;
  for (uint32_t i = 0; i < trees->count; i++)
    in[i] = true;
  while (changed) {
    double messages = g->messages, rate = 0;
    for (uint32_t i = 0; i < trees->count; i++)
      if (in[i]) {
        messages += trees->rate[i] * length[i];
        rate += trees->rate[i];
      }
    changed = false;
    for (uint32_t i = 0; i < trees->count; i++) {
      share[i] = in[i] ? trees->rate[i] * (messages / rate - length[i]) : 0;
      if (in[i] && share[i] <= 0) {
        in[i] = false;
        share[i] = 0;
        changed = true;
      }
    }
  }
}

/* Small integer weights near the shares. One unit after the other goes to the tree that is furthest below its
 * share, by D'Hondt's rule, which keeps the greatest weight / share least. Stops at the first sum at which no
 * tree has more than 2 % too much, or at the best sum. */
static void set_weights(const double *share, uint32_t count, uint32_t most, uint32_t *weight) {
  uint32_t next[GB_SITE_TREES_MOST] = {0};
  double all = 0, least = INFINITY;
  for (uint32_t i = 0; i < count; i++)
    all += share[i];
  if (!(all > 0)) /* less than rounding */
    weight[0] = 1;
  for (uint32_t sum = 1; all > 0 && least > GOOD_WEIGHTS; sum++) {
    uint32_t best = UINT32_MAX;
    double excess = 0;
    for (uint32_t i = 0; i < count; i++)
      if (share[i] > 0 && (best == UINT32_MAX || (next[i] + 1) * share[best] < (next[best] + 1) * share[i]))
        best = i;
    if (++next[best] > most)
      return;
    for (uint32_t i = 0; i < count; i++)
      if (next[i] > 0 && next[i] * all > excess * share[i] * sum)
        excess = next[i] * all / (share[i] * sum);
    if (excess < least) {
      least = excess;
      memcpy(weight, next, count * sizeof *weight);
    }
  }
}

/* USD that a second is worth, where the message is worth g->worth: as much as is gained a second. */
static double price_of_time(const gb_site_graph *g, const gb_rated_trees *trees) {
  double gain = 0;
  for (uint32_t i = 0; i < trees->count; i++)
    gain += trees->rate[i] * (g->worth - gb_site_tree_price(g, trees->parent + (size_t)i * g->n));
  return gain / g->messages;
}

/* The trees that get a weight, by decreasing weight, into `out`, which has room for all. Returns when the
 * last of them should end (s). */
static double choose(const gb_site_graph *g, const gb_rated_trees *trees, gb_site_trees *out) {
  const size_t n = g->n;
  double share[GB_SITE_TREES_MOST] = {0}, length[GB_SITE_TREES_MOST], end = 0;
  uint32_t weight[GB_SITE_TREES_MOST] = {0}, sum = 0;
  out->count = 0;
  for (uint32_t i = 0; i < trees->count; i++)
    length[i] = gb_site_tree_length(g, trees->parent + i * n);
  set_shares(g, trees, length, share);
  set_weights(share, trees->count, g->most_weight, weight);
  for (uint32_t i = 0; i < trees->count; i++)
    sum += weight[i];
  for (uint32_t i = 0; i < trees->count; i++) {
    const double ends = length[i] + g->messages * weight[i] / sum / trees->rate[i];
    uint32_t at = out->count;
    if (weight[i] == 0)
      continue;
    end = ends > end ? ends : end;
    for (; at > 0 && out->weight[at - 1] < weight[i]; at--) {
      out->weight[at] = out->weight[at - 1];
      memcpy(out->parent + at * n, out->parent + (at - 1) * n, n * sizeof *out->parent);
    }
    out->weight[at] = weight[i];
    memcpy(out->parent + at * n, trees->parent + i * n, n * sizeof *out->parent);
    out->count++;
  }
  return end;
}

/* New rates for the first `most` trees. */
static int keep_first(const gb_site_graph *g, double end, gb_rated_trees *trees, uint32_t most,
                      gbcast_error *err) {
  gb_rated_trees fewer;
  if (trees->count <= most)
    return GBCAST_OK;
  trees->count = most;
  int status = gb_inter_rates(g, end, UINT64_MAX, trees, &fewer, err);
  if (status == GBCAST_OK) {
    gb_rated_trees_free(trees);
    *trees = fewer;
  }
  return status;
}

/* Takes the best set among those that the rates for an end at `aim` lead to, if it ends before *end. Where
 * the cost counts, *end is the end at which the best one would cost as much as it does. */
static int improve(const gb_site_graph *g, double aim, gb_site_trees *out, gb_site_trees *scratch,
                   double *end, gbcast_error *err) {
  gb_rated_trees trees;
  int status = gb_inter_rates(g, aim, WORK_A_SITE * (uint64_t)g->n, NULL, &trees, err);
  if (status == GBCAST_OK)
    status = keep_first(g, aim, &trees, g->most_trees, err);
  const double usd_a_second = status == GBCAST_OK && g->worth > 0 ? price_of_time(g, &trees) : 0;
  while (status == GBCAST_OK) {
    double ends = choose(g, &trees, scratch);
    if (usd_a_second > 0)
      ends += gb_site_trees_price(g, scratch) / usd_a_second;
    if (ends < *end) {
      gb_site_trees kept = *out;
      *out = *scratch;
      *scratch = kept;
      *end = ends;
    }
    if (trees.count == 1)
      break;
    status = keep_first(g, aim, &trees, trees.count - (trees.count + 3) / 4, err);
  }
  gb_rated_trees_free(&trees);
  return status;
}

int gb_inter_packing(const gb_site_graph *g, gb_site_trees *out, gbcast_error *err) {
  const size_t room = (size_t)GB_SITE_TREES_MOST * g->n * sizeof *out->parent;
  gb_site_trees scratch = {.parent = malloc(room)};
  double end = INFINITY, aim = INFINITY;
  *out = (gb_site_trees){.parent = malloc(room)};
  int status = scratch.parent && out->parent ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK)
    status = improve(g, INFINITY, out, &scratch, &end, err);
  while (status == GBCAST_OK && g->worth == 0 && end < aim * WORTH_IT) {
    aim = end;
    status = improve(g, aim, out, &scratch, &end, err);
  }
  gb_site_trees_free(&scratch);
  if (status != GBCAST_OK)
    gb_site_trees_free(out);
  return status;
}
