/* A broadcast or scatter as a graph for Graphviz: a cluster for each site, an edge for each pair of hosts of
 * which one sends to the other, with the time from the first byte to the last. In large jobs nodes stand for
 * what the rows of the images do. */
#include "plan/show/aggregate.h"
#include "plan/show/critical.h"
#include "plan/show/dot.h"
#include "plan/show/edges.h"
#include "plan/show/site_rows.h"

#include <inttypes.h>
#include <stdlib.h>

#define EDGES_DRAWN                                                                                          \
  100u /* with more, and four a node, nodes stand for more, and at last edges are left out                   \
        */

typedef struct graph {
  const gbcast_plan *plan;
  gb_aggregate aggregate;
  gb_drawn_edges edges;
  bool *critical;
  FILE *out;
} graph;

static void put_edge(const graph *g, const gb_drawn_edge *e) {
  FILE *out = g->out;
  const gb_text trees = gb_edge_trees(g->plan, e);
  fprintf(out, "  r%" PRIu32 " -> r%" PRIu32 " [label=\"%s%s", e->from, e->to, trees.s,
          trees.s[0] != 0 ? "\\n" : "");
  if (e->bar.sends > e->trees)
    fprintf(out, "%" PRIu32 " sends\\n", e->bar.sends);
  fprintf(out, "%s \u2013 ", gb_text_seconds(e->bar.start).s);
  fprintf(out, "%s\", %s%s, tooltip=\"", gb_text_seconds(e->bar.arrival).s, gb_dot_level[e->level],
          e->bar.critical > 0 ? gb_dot_critical : "");
  gb_dot_escape(gb_bar_tip(g->plan, &e->bar, e->level, e->trees == 1 && g->plan->schedule.tree_count > 1).s,
                out);
  fputs("\"];\n", out);
}

static bool is_crowded(const graph *g) {
  return g->edges.count > EDGES_DRAWN && g->edges.count / 4 > g->aggregate.count;
}

static int put_edges(graph *g) {
  const size_t all = g->edges.count;
  if (is_crowded(g)) {
    const int rc = gb_edges_keep_main(&g->edges, g->aggregate.count);
    if (rc != GBCAST_OK)
      return rc;
  }
  for (size_t i = 0; i < g->edges.count; i++)
    if (g->edges.edge[i].from != g->edges.edge[i].to) /* aggregated: it stays in the node */
      put_edge(g, &g->edges.edge[i]);
  if (g->edges.count < all) {
    fputs("  more [shape=plaintext, label=\"Of many edges, only those of most sends\\nto each node are "
          "drawn\"];\n",
          g->out);
  }
  return GBCAST_OK;
}

/* When the last of a node's sends is done; what goes up is done with the root. */
static double done(const graph *g, uint32_t row) {
  double latest = 0;
  for (size_t i = 0; i < g->edges.count; i++) {
    const gb_drawn_edge *e = &g->edges.edge[i];
    latest = e->to == row ? gb_larger(latest, e->bar.arrival) : latest;
  }
  return latest;
}

static void put_node(const graph *g, uint32_t r) {
  const gb_aggregate_row *row = &g->aggregate.row[r];
  const bool root = g->aggregate.of[g->plan->schedule.root] == r;
  fprintf(g->out, "    r%" PRIu32 " [label=\"", r);
  gb_dot_escape(gb_aggregate_name(g->plan, &g->aggregate, r, GB_NAME_MOST).s, g->out);
  if (row->hosts > 1 && g->aggregate.to == GB_AGGREGATE_SWITCHES)
    fprintf(g->out, "\\n%" PRIu32 " hosts", row->hosts);
  if (g->aggregate.to != GB_AGGREGATE_NONE && row->count > row->hosts)
    fprintf(g->out, "\\n%" PRIu32 " ranks", row->count);
  if (g->aggregate.to >= GB_AGGREGATE_SWITCHES)
    fprintf(g->out, "\\ndone %s", gb_text_seconds(done(g, r)).s);
  fprintf(g->out, "%s\"%s];\n", root ? "\\n(root)" : "", root ? ", style=\"filled,bold\"" : "");
}

static void put_nodes(const graph *g) {
  uint32_t site = GB_NONE;
  for (uint32_t r = 0; r < g->aggregate.count; r++) {
    const uint32_t its = g->aggregate.row[r].site;
    if (r == 0 || its != site) {
      fputs(r == 0 ? "" : "  }\n", g->out);
      fprintf(g->out, "  subgraph cluster_%" PRIu32 " {\n    label=\"", r);
      gb_dot_escape(its == GB_NONE ? "other sites" : gb_plan_site_name(g->plan, its), g->out);
      fputs("\";\n", g->out);
      site = its;
    }
    put_node(g, r);
  }
  fputs("  }\n", g->out);
}

/* As many nodes as can be read with their edges. */
static int fill(graph *g, const uint32_t *sites) {
  static const gb_aggregate_limits limits[] = {{64, 200, UINT32_MAX}, {0, 0, 1}};
  int rc = GBCAST_OK;
  for (int i = 0; i < 2 && rc == GBCAST_OK && (i == 0 || is_crowded(g)); i++) {
    gb_aggregate_free(&g->aggregate);
    gb_edges_free(&g->edges);
    rc = gb_aggregate_new(g->plan, sites, limits[i], &g->aggregate);
    rc = rc == GBCAST_OK ? gb_edges_new(g->plan, g->aggregate.of, g->critical, &g->edges) : rc;
  }
  return rc;
}

int gb_print_dot(const gbcast_plan *plan, FILE *out) {
  graph g = {.plan = plan, .critical = gb_critical_new(plan), .out = out};
  uint32_t *order = gb_sites_in_order(plan);
  int rc = order == NULL || g.critical == NULL ? GBCAST_EMEMORY : fill(&g, order);
  if (rc == GBCAST_OK)
    rc = gb_dot_begin(plan, out);
  if (rc == GBCAST_OK) {
    put_nodes(&g);
    rc = put_edges(&g);
    fputs("}\n", out);
  }
  gb_edges_free(&g.edges);
  gb_aggregate_free(&g.aggregate);
  free(g.critical);
  free(order);
  return rc;
}
