/* Two-tree: Sanders, Speck and Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan
 * (Parallel Computing 35, 2009), here on a tree of switches. Each of two binary trees carries half of the
 * message; a host is inner in at most one of them, so it sends two halves and receives two: one message each
 * way.
 *
 *   source  0        first tree  0          second tree  0        depth h, k segments of s bytes in all:
 *   hosts   1 .. 6               1                       2        about h (L(s) + 3/2 g(s)) + k g(s) seconds
 *                               / \                     / \
 *                              3   5                   4   6      (a chain: P - 1 in place of h)
 *                             / \ / \                 / \ / \
 *                            2  4 6  -               1  3 5  -
 *
 * The rule for cables. Call the hosts behind a cable, seen from the source, a bundle. A tree has to come in
 * at least once; two trees make two halves, so each tree comes in exactly once and the bundle is connected in
 * it. Both trees together may go out twice. A host is a bundle behind its own link. All cables keep the rule
 * when each switch joins the bundles (and hosts) that meet there into one, each used as a whole: one entry
 * for each tree, two exits over both (intra/two_tree_join.c). What remains to be proven is that there are
 * always enough exits. A bundle of N hosts has x exits in a tree:
 *
 *   N odd    x = 2 in one tree, which may be either, 0 in the other     (a host: where it is inner)
 *   N even   x = 1 in both
 *
 * Let o odd and e even bundles meet, a of the o with their exits in the first tree. That tree needs an entry
 * into each but the one where it comes in, and x out: o + e - 1 + x <= 2 a + e. N is odd when o is. With o
 * even, a = o / 2 leaves x = 1, and so in the second tree; with o odd, a = (o + 1) / 2 leaves x = 2 there,
 * and the other (o - 1) / 2 leave x = 0 in the second. At the source's switch x = 0, the source itself is one
 * entry for each tree, and the same a does.
 *
 * No other pair has more exits: with a of N hosts inner in the first tree that has x <= 2 a - N + 1 of
 * them, the second 2 (N - a) - N + 1 at most, and neither is less than 0. So N even means one each, N odd
 * means that one tree has none. What follows for the depth, of any pair that keeps the rules:
 *
 *   Even bundles that meet are passed one after the other. S switches with an even number of hosts each on
 *   one core: at least S - 1.
 *
 *   A tree that has no exit of a bundle comes in there last. In a line of S switches with an odd number of
 *   hosts each, S / 2 nested bundles are odd. Each adds a hop to one of the two trees: at least about S / 4.
 *
 * Depths made: ceil(log2 P) on one switch; 6 for 4 x 8 hosts on a core, 36 for 32 x 32, 16 for 32 x 31; 7 for
 * a line of 8 x 8, 14 for 64 x 8, 22 for 64 x 7, 68 for 256 x 1. On up to 8 hosts the tests find no pair that
 * is less deep by more than one hop, and one that is less deep by one in 1 of 100 random clusters.
 *
 * O(P log P + S) times the few values of `exit_worth` that are tried. */
#include "intra/two_tree.h"
#include "intra/algorithms.h"
#include "intra/intra.h"

#include <stdlib.h>
#include <string.h>

typedef struct two_tree {
  gb_switch_order order;
  gb_joiner joiner;
  gb_bundle *bundle;        /* of a node */
  bool *swapped;            /* of a node: its trees are the other ones there */
  uint32_t *beyond, *aside; /* nodes with hosts beyond a node: beyond[node], then aside[node] */
} two_tree;

static int reserve(two_tree *t, gbcast_error *err) {
  size_t hosts = t->order.count, nodes = t->order.node_count;
  gb_joiner *j = &t->joiner;
  j->hosts = t->order.count - 1;
  t->bundle = malloc(nodes * sizeof *t->bundle);
  t->swapped = malloc(nodes * sizeof *t->swapped);
  t->beyond = malloc(nodes * sizeof *t->beyond);
  t->aside = malloc(nodes * sizeof *t->aside);
  j->item = malloc((hosts + nodes) * sizeof *j->item);
  j->heap = malloc((hosts + nodes + 2) * sizeof *j->heap);
  j->key = malloc(nodes * sizeof *j->key);
  j->edge = calloc(2 * hosts, sizeof *j->edge);
  j->edge_count = malloc(hosts * sizeof *j->edge_count);
  bool all = t->bundle != NULL && t->swapped != NULL && t->beyond != NULL && t->aside != NULL &&
             j->item != NULL && j->heap != NULL && j->key != NULL && j->edge != NULL && j->edge_count != NULL;
  return all ? GBCAST_OK : gb_no_memory(err);
}

static void release(two_tree *t) {
  gb_switch_order_free(&t->order);
  free(t->bundle);
  free(t->swapped);
  free(t->beyond);
  free(t->aside);
  free(t->joiner.item);
  free(t->joiner.heap);
  free(t->joiner.key);
  free(t->joiner.edge);
  free(t->joiner.edge_count);
}

/* What meets at a node: bundles behind cables, then its hosts but for the source. */
static void list_items(two_tree *t, uint32_t v) {
  const gb_switch_order *w = &t->order;
  gb_joiner *j = &t->joiner;
  j->item_count = 0;
  for (uint32_t b = t->beyond[v]; b != GB_NONE; b = t->aside[b]) {
    j->item[j->item_count++] = t->bundle[b];
  }
  j->subtree_count = j->item_count;
  for (uint32_t place = w->first[v]; place < w->end[v] && w->node[place] == v; place++) {
    if (place != 0) {
      j->item[j->item_count++] = gb_two_tree_host(place);
    }
  }
}

/* Joins switch after switch, from the far ones to that of the source. Returns the greater height. */
static uint32_t join_all(two_tree *t, uint32_t exit_worth) {
  gb_joiner *j = &t->joiner;
  gb_bundle made = {0};
  j->exit_worth = exit_worth;
  memset(j->edge_count, 0, t->order.count * sizeof *j->edge_count);
  for (uint32_t v = 0; v < t->order.node_count; v++) {
    t->beyond[v] = GB_NONE;
    t->swapped[v] = false;
  }
  for (uint32_t v = t->order.node_count; v-- > 0;) {
    uint32_t toward = t->order.from[v];
    list_items(t, v);
    if (j->item_count == 0) {
      continue;
    }
    gb_two_tree_join(j, v, toward == GB_NONE ? 0 : GB_NONE, &made);
    for (uint32_t b = 0; b < j->subtree_count; b++) {
      t->swapped[j->item[b].node] = j->item[b].swapped;
    }
    if (toward != GB_NONE) {
      t->bundle[v] = made;
      t->aside[v] = t->beyond[toward];
      t->beyond[toward] = v;
    }
  }
  return made.side[0].height > made.side[1].height ? made.side[0].height : made.side[1].height;
}

/* Which of the trees of a node is which of the source's is known when all are joined. Positions
 * become indices. */
static void read_trees(two_tree *t, uint32_t *parent) {
  const gb_switch_order *w = &t->order;
  for (uint32_t v = 1; v < w->node_count; v++) {
    t->swapped[v] ^= t->swapped[w->from[v]];
  }
  parent[0] = parent[w->count] = GB_NONE;
  for (uint32_t place = 1; place < w->count; place++) {
    for (uint32_t k = 0; k < 2; k++) {
      const gb_two_tree_edge *edge = &t->joiner.edge[2 * (size_t)place + k];
      uint32_t tree = edge->side ^ (uint32_t)t->swapped[edge->node];
      parent[(size_t)tree * w->count + w->host[place]] = w->host[edge->parent];
    }
  }
}

static int build(two_tree *t, uint32_t *parent, gbcast_error *err) {
  static const uint32_t exit_worth[] = {1, 4, 16, 32, 64, 256};
  enum { TRIES = sizeof exit_worth / sizeof *exit_worth };
  int status = reserve(t, err);
  if (status != GBCAST_OK) {
    return status;
  }
  uint32_t tries = t->order.node_count > 1 ? TRIES : 1, best = 0, least = UINT32_MAX;
  for (uint32_t i = 0; i < tries; i++) {
    uint32_t height = join_all(t, exit_worth[i]);
    if (height < least) {
      least = height;
      best = i;
    }
  }
  if (best != tries - 1) {
    join_all(t, exit_worth[best]);
  }
  read_trees(t, parent);
  return GBCAST_OK;
}

int gb_intra_build_two_tree(const gb_intra_job *job, uint32_t *parent, gbcast_error *err) {
  two_tree t = {0};
  if (job->count == 0) {
    return GBCAST_OK;
  }
  int status = gb_switch_order_new(job->p, job->host, job->count, &t.order, err);
  if (status != GBCAST_OK) {
    return status;
  }
  status = build(&t, parent, err);
  release(&t);
  return status;
}
