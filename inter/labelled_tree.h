/* A tree over sites that can be changed and keeps its labels right: what the local search works on. */
#ifndef GB_INTER_LABELLED_TREE_H
#define GB_INTER_LABELLED_TREE_H

#include "inter/trees.h"

typedef struct gb_labelled_node {
  uint32_t parent, first,
      next;           /* first child, next sibling by decreasing tail, then index; UINT32_MAX: none */
  double label;       /* s */
  double tail, delta; /* of the edge from its parent, s: tail = label + weight */
} gb_labelled_node;

typedef struct gb_labelled_tree {
  const gb_site_graph *g;
  const gb_local_runs *runs;
  gb_labelled_node *node;
  uint64_t steps; /* children and runs looked at so far: what the search's budget counts */
} gb_labelled_tree;

typedef struct gb_tree_move { /* node goes to the parent `to`, came from `from` */
  uint32_t node, from, to;
} gb_tree_move;

/* The sends of a node in order, local runs between them. */
typedef struct gb_send_cursor {
  uint32_t child;    /* next child, UINT32_MAX past the last */
  uint32_t run, end; /* next run */
  double busy;       /* the sends before these take this long */
} gb_send_cursor;

gb_send_cursor gb_labelled_sends(const gb_labelled_tree *t, uint32_t u);
/* Takes the next send: *child is a site, or UINT32_MAX for a local run. Returns when it is all delivered,
 * counted from u having the message; -1 past the last. */
double gb_labelled_next_send(const gb_labelled_tree *t, gb_send_cursor *cursor, uint32_t *child);

/* Carries out the moves all at once and labels again what they reach. Undone by the same with forward =
 * false. */
void gb_labelled_apply(gb_labelled_tree *t, const gb_tree_move *move, uint32_t count, bool forward);

int gb_labelled_open(gb_labelled_tree *t, const gb_site_graph *g, const gb_local_runs *runs,
                     const uint32_t *parent, gbcast_error *err);
void gb_labelled_close(gb_labelled_tree *t);

#endif
