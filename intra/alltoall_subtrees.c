/* The root of an all-to-all and the subtrees around it (section 4.1).
 *
 *         T_0           T_1       Every link lies in some subtree or leads into one. When no subtree has more
 *       o   o         o           than half of the machines, what lies beyond a link is at most a whole
 *        \ /         / \          subtree, so none has a higher load than the link to the largest: the root
 *         s --root-- s   o        is at a bottleneck.
 *               |
 *               o T_2
 *
 * The paper walks along bottlenecks until it comes to such a switch with a third branch; here all switches
 * are looked at, from one with a machine on it, and the first is taken. It has a third branch (of three
 * machines or more): two would have half of the machines each, and the switch before it would have been
 * taken. */
#include "intra/intra.h"

#include <stdlib.h>

typedef struct piece { /* a subtree: how it is found, and what it is sorted by */
  uint32_t key;
  uint32_t size, first; /* machines; the first of the list */
} piece;

/* The first node of the order without a branch of more than half of the machines; a machine's own branch
 * never matters. largest: node_count words. */
static uint32_t find_root(const gb_machines *m, uint32_t *largest) {
  const gb_switch_order *w = &m->order;
  for (uint32_t v = 0; v < w->node_count; v++) {
    largest[v] = m->count - (w->end[v] - w->first[v]); /* towards node 0 */
  }
  for (uint32_t v = 1; v < w->node_count; v++) {
    uint32_t below = w->end[v] - w->first[v], up = w->from[v];
    largest[up] = largest[up] > below ? largest[up] : below;
  }
  uint32_t root = 0;
  while (largest[root] > m->count / 2) {
    root++;
  }
  return root;
}

/* key[machine]: equal within a subtree, below node_count + count. branch: node_count words. */
static void find_keys(const gb_machines *m, uint32_t root, uint32_t *branch, uint32_t *key) {
  const gb_switch_order *w = &m->order;
  branch[0] = root; /* stands for what lies towards node 0 */
  for (uint32_t v = 1; v < w->node_count; v++) {
    branch[v] = w->from[v] == root ? v : branch[w->from[v]];
  }
  for (uint32_t i = 0; i < m->count; i++) {
    key[i] = m->node[i] == root ? w->node_count + i : branch[m->node[i]];
  }
}

static int compare(const void *a, const void *b) {
  const piece *x = a, *y = b;
  if (x->size != y->size) {
    return x->size > y->size ? -1 : 1;
  }
  return x->first < y->first ? -1 : x->first > y->first;
}

/* piece_of: node_count + count words, for the piece of each key, then its position in the order. */
static void sort_out(const gb_machines *m, const uint32_t *key, piece *found, uint32_t *piece_of,
                     gb_subtrees *s) {
  for (uint32_t i = 0; i < m->order.node_count + m->count; i++) {
    piece_of[i] = GB_NONE;
  }
  for (uint32_t i = 0; i < m->count; i++) {
    if (piece_of[key[i]] == GB_NONE) {
      piece_of[key[i]] = s->count;
      found[s->count++] = (piece){.key = key[i], .first = i};
    }
    found[piece_of[key[i]]].size++;
  }
  qsort(found, s->count, sizeof *found, compare);
  s->start[0] = 0;
  for (uint32_t t = 0; t < s->count; t++) {
    piece_of[found[t].key] = s->start[t]; /* where its next member goes */
    s->start[t + 1] = s->start[t] + found[t].size;
  }
  for (uint32_t i = 0; i < m->count; i++) {
    s->member[piece_of[key[i]]++] = i;
  }
}

int gb_subtrees_new(const gb_machines *m, gb_subtrees *s, gbcast_error *err) {
  size_t nodes = m->order.node_count, count = m->count;
  *s = (gb_subtrees){.start = calloc(2 * count + 1, sizeof *s->start)};
  uint32_t *words = calloc(nodes + 2 * count, sizeof *words);
  piece *found = calloc(count, sizeof *found);
  int status = s->start != NULL && words != NULL && found != NULL ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    s->member = s->start + count + 1;
    s->root = find_root(m, words);
    find_keys(m, s->root, words, words + nodes + count);
    sort_out(m, words + nodes + count, found, words, s);
  }
  free(words);
  free(found);
  if (status != GBCAST_OK) {
    gb_subtrees_free(s);
  }
  return status;
}

void gb_subtrees_free(gb_subtrees *s) {
  free(s->start);
  *s = (gb_subtrees){0};
}
