/* What is sent from whom to whom, over all trees: parallel sends are one edge. */
#ifndef GB_PLAN_SHOW_EDGES_H
#define GB_PLAN_SHOW_EDGES_H

#include "plan/show/aggregate.h"
#include "plan/show/print.h"

typedef struct gb_drawn_edge {
  uint32_t from, to; /* rows, or endpoints; the way that data go */
  uint32_t trees;
  enum gb_level level;
  gb_bar bar; /* of all these sends; from the first of them on */
} gb_drawn_edge;

typedef struct gb_drawn_edges {
  gb_drawn_edge *edge;
  size_t count;
} gb_drawn_edges;

/* of: the row of each endpoint; NULL: endpoints themselves. By sender, then receiver. critical: of
 * gb_critical_path. GBCAST_OK or GBCAST_EMEMORY; gb_edges_free either way. */
int gb_edges_new(const gbcast_plan *plan, const uint32_t *of, const bool *critical, gb_drawn_edges *edges);
/* Keeps of the edges to each of `rows` that of most sends, of these the one that starts first.
 * GBCAST_EMEMORY. */
int gb_edges_keep_main(gb_drawn_edges *edges, uint32_t rows);
void gb_edges_free(gb_drawn_edges *edges);

/* Which trees these are: "tree 3", "2 of 16 trees"; of a plan with one, nothing. */
gb_text gb_edge_trees(const gbcast_plan *plan, const gb_drawn_edge *edge);

#endif
