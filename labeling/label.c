/* The label of a node and the order of its sends.
 *
 *   label(v) = max(own(v), max_{1<=i<=k} label(c_i) + weight(c_i) + delta(c_1) + ... + delta(c_i))      [s]
 *
 * over the children c_1 .. c_k of v in sending order, which is by decreasing tail q_i = label(c_i) +
 * weight(c_i), equal tails by index. Source: Mateescu and Taylor, Fig. 3; theirs has i * delta(v) where this
 * has the sum.
 *
 * Why decreasing tails, also when delta differs from child to child: take any order with two neighbours a, b
 * such that q_a <= q_b and a is sent first, after t seconds. Their branches end at t + d_a + q_a and t + d_a
 * + d_b + q_b. Swapped, they end at t + d_b + q_b, which is below the second, and t + d_a + d_b + q_a, which
 * is not above the second. Nothing else moves, so the swap never makes the maximum larger, and such swaps
 * sort the children. delta does not enter the comparison. This is Jackson's rule (1955) for one machine with
 * delivery times, 1|q_j|Cmax. It also makes the label monotone in the labels of the children, so ordering
 * every node by itself is optimal for the whole tree.
 *
 * This needs the cost of a child to be separable: a time in which the sender is busy, then a tail that does
 * not depend on the other sends. When sends share a link beyond the sender's own, a send stretches the tails
 * of those that overlap with it, here or in another subtree. Then the swap does change other branches:
 * neither the order nor the label is optimal, nor is the label a bound in either direction. The predictor
 * prices the plan in that case; the label only proposes an order. */
#include "labeling/labeling.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static int fail(gbcast_error *err, int status, const char *format,
                                                      ...) {
  va_list args;
  va_start(args, format);
  if (err != NULL)
    (void)vsnprintf(err->message, sizeof err->message, format, args);
  va_end(args);
  return status;
}

typedef struct label_child {
  double tail, delta;
  uint32_t node;
} label_child;

typedef struct label_work {
  double *label;      /* n */
  uint32_t *start;    /* n + 1: children of v are child[start[v] .. start[v + 1] - 1] */
  uint32_t *order;    /* n: parents before their children */
  label_child *child; /* n */
  uint32_t met;       /* how many nodes are in the tree */
} label_work;

static int by_decreasing_tail(const void *left, const void *right) {
  const label_child *a = left, *b = right;
  if (a->tail != b->tail)
    return a->tail > b->tail ? -1 : 1;
  return a->node < b->node ? -1 : a->node > b->node;
}

/* Groups the nodes by parent, in index order within each. */
static int group_children(const gb_label_tree *t, label_work *w, gbcast_error *err) {
  const uint32_t n = t->n;
  if (t->root >= n)
    return fail(err, GBCAST_EINPUT, "the root %u is not one of the tree's %u nodes", t->root, n);
  if (t->parent[t->root] != UINT32_MAX)
    return fail(err, GBCAST_EINPUT, "the root %u of a tree has a parent, %u", t->root, t->parent[t->root]);
  for (uint32_t v = 0; v < n; v++) {
    if (t->parent[v] == UINT32_MAX) /* the root, or left out */
      continue;
    if (t->parent[v] >= n)
      return fail(err, GBCAST_EINPUT, "node %u of a tree with %u nodes has no valid parent", v, n);
    w->start[t->parent[v] + 1]++;
  }
  for (uint32_t v = 0; v < n; v++)
    w->start[v + 1] += w->start[v];
  for (uint32_t v = 0; v < n; v++) /* order serves as the fill level of each group */
    w->order[v] = w->start[v];
  for (uint32_t v = 0; v < n; v++)
    if (t->parent[v] != UINT32_MAX)
      w->child[w->order[t->parent[v]]++].node = v;
  return GBCAST_OK;
}

/* Breadth first from the root. The nodes make a tree if and only if all that have a parent are met. */
static int order_nodes(const gb_label_tree *t, label_work *w, gbcast_error *err) {
  uint32_t met = 1;
  w->order[0] = t->root;
  for (uint32_t next = 0; next < met; next++) {
    const uint32_t v = w->order[next];
    for (uint32_t i = w->start[v]; i < w->start[v + 1]; i++)
      w->order[met++] = w->child[i].node;
  }
  w->met = met;
  if (met != w->start[t->n] + 1)
    return fail(err, GBCAST_EINPUT, "only %u of the %u nodes of a tree hang off its root %u", met,
                w->start[t->n] + 1, t->root);
  return GBCAST_OK;
}

/* Children before parents: breadth first backwards, so that a chain of any length needs no stack. */
static void label_nodes(const gb_label_tree *t, label_work *w) {
  for (uint32_t next = w->met; next-- > 0;) {
    const uint32_t v = w->order[next];
    label_child *first = w->child + w->start[v];
    const uint32_t count = w->start[v + 1] - w->start[v];
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t c = first[i].node;
      first[i].tail = w->label[c] + t->weight[c];
      first[i].delta = t->delta[c];
    }
    if (count > 1)
      qsort(first, count, sizeof *first, by_decreasing_tail);
    double label = t->own ? t->own[v] : 0, busy = 0;
    for (uint32_t i = 0; i < count; i++) {
      busy += first[i].delta;
      if (busy + first[i].tail > label)
        label = busy + first[i].tail;
    }
    w->label[v] = label;
  }
}

int gb_label(const gb_label_tree *t, double *label, uint32_t *child_start, uint32_t *child,
             gbcast_error *err) {
  const size_t n = t->n;
  label_work w = {
      .label = calloc(n + 1, sizeof *w.label),
      .start = calloc(n + 1, sizeof *w.start),
      .order = calloc(n + 1, sizeof *w.order),
      .child = calloc(n + 1, sizeof *w.child),
  };
  int status = GBCAST_OK;
  if (!w.label || !w.start || !w.order || !w.child) {
    status = fail(err, GBCAST_EMEMORY, "out of memory for the labels of %u nodes", t->n);
    goto free_work;
  }
  status = group_children(t, &w, err);
  if (status == GBCAST_OK)
    status = order_nodes(t, &w, err);
  if (status == GBCAST_OK) {
    label_nodes(t, &w);
    if (label)
      memcpy(label, w.label, n * sizeof *label);
    if (child_start && child) {
      memcpy(child_start, w.start, (n + 1) * sizeof *child_start);
      for (size_t i = 0; i + 1 < w.met; i++)
        child[i] = w.child[i].node;
    }
  }
free_work:
  free(w.label);
  free(w.start);
  free(w.order);
  free(w.child);
  return status;
}
