/* A tree over sites with labels that stay right while it changes. Children are lists by decreasing tail
 * (equal tails by index), so the order, and with it every bit of the labels, depends on the tree alone and
 * not on the moves that led to it: undoing a move restores the labels exactly. A move costs the children of
 * the nodes between its ends and the root, and stops early where a label stays. */
#include "inter/labelled_tree.h"
#include <stdlib.h>

static void detach(gb_labelled_tree *t, uint32_t v) {
  uint32_t *link = &t->node[t->node[v].parent].first;
  for (; *link != v; link = &t->node[*link].next)
    t->steps++;
  *link = t->node[v].next;
}

static void attach(gb_labelled_tree *t, uint32_t v, uint32_t u) {
  gb_labelled_node *const node = &t->node[v];
  node->parent = u;
  node->delta = gb_site_delta(t->g, u, v);
  node->tail = node->label + gb_site_weight(t->g, u, v);
  uint32_t *link = &t->node[u].first;
  for (; *link != UINT32_MAX; link = &t->node[*link].next) {
    const gb_labelled_node *other = &t->node[*link];
    if (other->tail < node->tail || (other->tail == node->tail && *link > v))
      break;
    t->steps++;
  }
  node->next = *link;
  *link = v;
}

gb_send_cursor gb_labelled_sends(const gb_labelled_tree *t, uint32_t u) {
  return (gb_send_cursor){.child = t->node[u].first, .run = t->runs->start[u], .end = t->runs->start[u + 1]};
}

double gb_labelled_next_send(const gb_labelled_tree *t, gb_send_cursor *cursor, uint32_t *child) {
  const uint32_t c = cursor->child;
  if (c != UINT32_MAX && (cursor->run == cursor->end || t->node[c].tail >= t->runs->tail[cursor->run])) {
    *child = c;
    cursor->child = t->node[c].next;
    cursor->busy += t->node[c].delta;
    return cursor->busy + t->node[c].tail;
  }
  *child = UINT32_MAX;
  if (cursor->run == cursor->end)
    return -1;
  const double delivered = cursor->busy + t->runs->done[cursor->run];
  cursor->busy += t->runs->busy[cursor->run++];
  return delivered;
}

static double label_of(gb_labelled_tree *t, uint32_t u) {
  gb_send_cursor cursor = gb_labelled_sends(t, u);
  double label = 0, delivered = 0;
  for (uint32_t child; (delivered = gb_labelled_next_send(t, &cursor, &child)) >= 0; t->steps++)
    if (delivered > label)
      label = delivered;
  return label;
}

/* Labels u again, and those above it as long as labels change. */
static void relabel(gb_labelled_tree *t, uint32_t u) {
  for (;;) {
    const double label = label_of(t, u);
    t->steps++;
    if (label == t->node[u].label)
      return;
    t->node[u].label = label;
    const uint32_t parent = t->node[u].parent;
    if (parent == UINT32_MAX)
      return;
    detach(t, u);
    attach(t, u, parent);
    u = parent;
  }
}

void gb_labelled_apply(gb_labelled_tree *t, const gb_tree_move *move, uint32_t count, bool forward) {
  for (uint32_t i = 0; i < count; i++)
    detach(t, move[i].node);
  for (uint32_t i = 0; i < count; i++)
    attach(t, move[i].node, forward ? move[i].to : move[i].from);
  for (uint32_t i = 0; i < count; i++) {
    relabel(t, move[i].from);
    relabel(t, move[i].to);
  }
}

int gb_labelled_open(gb_labelled_tree *t, const gb_site_graph *g, const gb_local_runs *runs,
                     const uint32_t *parent, gbcast_error *err) {
  *t = (gb_labelled_tree){.g = g, .runs = runs, .node = calloc((size_t)g->n + 1, sizeof *t->node)};
  if (!t->node)
    return gb_fail(err, GBCAST_EMEMORY, "out of memory for the search over %u sites", g->n);
  for (uint32_t v = 0; v < g->n; v++)
    t->node[v] = (gb_labelled_node){.parent = UINT32_MAX, .first = UINT32_MAX, .next = UINT32_MAX};
  for (uint32_t v = 0; v < g->n; v++)
    if (v != g->root)
      attach(t, v, parent[v]);
  for (uint32_t v = 0; v < g->n;
       v++) /* at most one pass up for each node; after the last all labels are right */
    relabel(t, v);
  return GBCAST_OK;
}

void gb_labelled_close(gb_labelled_tree *t) {
  free(t->node);
  t->node = NULL;
}
