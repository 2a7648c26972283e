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
 * when each switch joins the bundles (and hosts) that meet there into one, each used as a whole: one way in
 * for each tree, two ways out over both (intra/two_tree_join.c). Nothing else needs proof but that there are
 * always enough ways out. A bundle of N hosts has x ways out in a tree:
 *
 *   N odd    x = 2 in one tree, which may be either, 0 in the other     (a host: where it is inner)
 *   N even   x = 1 in both
 *
 * Let o odd and e even bundles meet, a of the o with their ways out in the first tree. That tree needs a way
 * into each but the one where it comes in, and x out: o + e - 1 + x <= 2 a + e. N is odd when o is. With o
 * even, a = o / 2 leaves x = 1, and so in the second tree; with o odd, a = (o + 1) / 2 leaves x = 2 there,
 * and the other (o - 1) / 2 leave x = 0 in the second. At the source's switch x = 0, the source itself is one
 * way in for each tree, and the same a does.
 *
 * No other pair has more ways out: with a of N hosts inner in the first tree that has x <= 2 a - N + 1 of
 * them, the second 2 (N - a) - N + 1 at most, and neither is less than 0. So N even means one each, N odd
 * means that one tree has none. What follows for the depth, of any pair that keeps the rules:
 *
 *   Even bundles that meet are passed one after the other. S switches with an even number of hosts each on
 * one core: at least S - 1.
 *
 *   A tree that has no way out of a bundle comes in there last. In a line of S switches with an odd number of
 *   hosts each, S / 2 nested bundles are odd. Each adds a hop to one of the two trees: at least about S / 4.
 *
 * Depths made: ceil(log2 P) on one switch; 6 for 4 x 8 hosts on a core, 36 for 32 x 32, 16 for 32 x 31; 7 for
 * a line of 8 x 8, 14 for 64 x 8, 22 for 64 x 7, 68 for 256 x 1. On up to 8 hosts the tests find no pair that
 * is less deep by more than one hop, and one that is by one in 1 of 100 random clusters.
 *
 * O(P log P + S) times the few values of `haste` that are tried. */
#include "intra/two_tree.h"
#include "intra/algorithms.h"

#include <stdlib.h>
#include <string.h>

typedef struct two_tree {
  gb_two_tree_nodes nodes;
  gb_joiner joiner;
  gb_bundle *bundle; /* of a node */
  bool *turned;      /* of a node: its trees are the other ones there */
} two_tree;

static int reserve(two_tree *t, uint32_t count, gbcast_error *err) {
  size_t hosts = count, nodes = t->nodes.count;
  gb_joiner *j = &t->joiner;
  j->hosts = count - 1;
  t->bundle = malloc(nodes * sizeof *t->bundle);
  t->turned = malloc(nodes * sizeof *t->turned);
  j->item = malloc((hosts + nodes) * sizeof *j->item);
  j->heap = malloc((hosts + nodes + 2) * sizeof *j->heap);
  j->key = malloc(nodes * sizeof *j->key);
  j->edge = malloc(2 * hosts * sizeof *j->edge);
  j->edge_count = malloc(hosts * sizeof *j->edge_count);
  bool all = t->bundle != NULL && t->turned != NULL && j->item != NULL && j->heap != NULL && j->key != NULL &&
             j->edge != NULL && j->edge_count != NULL;
  return all ? GBCAST_OK : gb_no_memory(err);
}

static void release(two_tree *t) {
  gb_two_tree_free_nodes(&t->nodes);
  free(t->bundle);
  free(t->turned);
  free(t->joiner.item);
  free(t->joiner.heap);
  free(t->joiner.key);
  free(t->joiner.edge);
  free(t->joiner.edge_count);
}

/* Joins switch after switch, from the far ones to that of the source. Returns the greater height. */
static uint32_t join_all(two_tree *t, uint32_t count, uint32_t haste) {
  gb_two_tree_nodes *nodes = &t->nodes;
  gb_joiner *j = &t->joiner;
  gb_bundle made = {0};
  j->haste = haste;
  memset(j->edge_count, 0, count * sizeof *j->edge_count);
  for (uint32_t v = 0; v < nodes->count; v++) {
    nodes->beyond[v] = GB_NONE;
    t->turned[v] = false;
  }
  for (uint32_t i = 0; i < nodes->visited; i++) {
    uint32_t v = nodes->order[i], toward = nodes->toward[v];
    j->item_count = 0;
    for (uint32_t b = nodes->beyond[v]; b != GB_NONE; b = nodes->aside[b]) {
      j->item[j->item_count++] = t->bundle[b];
    }
    j->subtree_count = j->item_count;
    for (uint32_t h = nodes->first[v]; h != GB_NONE; h = nodes->next[h]) {
      j->item[j->item_count++] = gb_two_tree_host(h);
    }
    if (j->item_count == 0) {
      continue;
    }
    gb_two_tree_join(j, v, toward == GB_NONE ? 0 : GB_NONE, &made);
    for (uint32_t b = 0; b < j->subtree_count; b++) {
      t->turned[j->item[b].node] = j->item[b].turned;
    }
    if (toward != GB_NONE) {
      t->bundle[v] = made;
      nodes->aside[v] = nodes->beyond[toward];
      nodes->beyond[toward] = v;
    }
  }
  return made.side[0].height > made.side[1].height ? made.side[0].height : made.side[1].height;
}

/* Which of the trees of a node is which of the source's is known when all are joined. */
static void read_tree(two_tree *t, uint32_t count, uint32_t tree, uint32_t *parent) {
  for (uint32_t i = t->nodes.visited; i-- > 0;) {
    uint32_t v = t->nodes.order[i], toward = t->nodes.toward[v];
    t->turned[v] ^= toward != GB_NONE && t->turned[toward];
  }
  parent[0] = GB_NONE;
  for (uint32_t i = 1; i < count; i++) {
    for (uint32_t k = 0; k < 2; k++) {
      const gb_two_tree_edge *edge = &t->joiner.edge[2 * (size_t)i + k];
      if ((edge->side ^ (uint32_t)t->turned[edge->node]) == tree) {
        parent[i] = edge->parent;
      }
    }
  }
}

int gb_intra_build_two_tree(const gbcast_platform *p, const uint32_t *host, uint32_t count, uint32_t tree,
                            uint32_t *parent, gbcast_error *err) {
  static const uint32_t haste[] = {1, 4, 16, 32, 64, 256};
  enum { TRIES = sizeof haste / sizeof *haste };
  if (tree > 1) {
    return gb_fail(err, GBCAST_EUSAGE, "two-tree has trees 0 and 1, not %lu", (unsigned long)tree);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (p->host[host[i]].cluster != p->host[host[0]].cluster) {
      return gb_fail(err, GBCAST_EUSAGE, "host '%s' is not in the cluster of '%s'", p->host[host[i]].name,
                     p->host[host[0]].name);
    }
  }
  two_tree t = {0};
  int status = count == 0 ? GBCAST_OK : gb_two_tree_find_nodes(p, host, count, &t.nodes, err);
  if (status == GBCAST_OK && count > 0) {
    status = reserve(&t, count, err);
  }
  if (status == GBCAST_OK && count > 0) {
    uint32_t tries = t.nodes.visited > 1 ? TRIES : 1, best = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < tries; i++) {
      uint32_t height = join_all(&t, count, haste[i]);
      if (height < least) {
        least = height;
        best = i;
      }
    }
    if (best != tries - 1) {
      join_all(&t, count, haste[best]);
    }
    read_tree(&t, count, tree, parent);
  }
  release(&t);
  return status;
}
