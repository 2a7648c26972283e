/* A broadcast or scatter as a graph for Graphviz: a cluster for each site, an edge for each send, with the
 * time from its first byte to its last. In large jobs nodes stand for what the rows of the images do. */
#include "plan/show/aggregate.h"
#include "plan/show/critical.h"
#include "plan/show/dot.h"
#include "plan/show/site_rows.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct graph {
  const gbcast_plan *plan;
  gb_aggregate aggregate;
  bool *critical;
  FILE *out;
} graph;

/* All sends of a level and a tree, or of many trees, from one node to another are one edge. */
typedef struct edge {
  uint32_t from, to; /* rows */
  uint32_t tree;
  enum gb_level level;
  gb_bar bar;
} edge;

static int by_ends(const void *left, const void *right) {
  const edge *a = left, *b = right;
  const uint32_t x[] = {a->from, a->to, (uint32_t)a->level, a->tree, a->bar.to};
  const uint32_t y[] = {b->from, b->to, (uint32_t)b->level, b->tree, b->bar.to};
  for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
    if (x[i] != y[i]) {
      return x[i] < y[i] ? -1 : 1;
    }
  }
  return 0;
}

static bool alike(const edge *a, const edge *b) {
  return a->from == b->from && a->to == b->to && a->level == b->level && a->tree == b->tree;
}

static uint32_t trees_of(const gbcast_plan *plan) {
  return plan->schedule.tree_count <= GB_TREES_SHOWN ? plan->schedule.tree_count : 1;
}

static void put_edge(const graph *g, const edge *e) {
  FILE *out = g->out;
  const gb_bars bars = {.trees = trees_of(g->plan)};
  if (e->from == e->to) {
    return; /* aggregated: it stays in the node */
  }
  fprintf(out, "  r%" PRIu32 " -> r%" PRIu32 " [label=\"", e->from, e->to);
  if (bars.trees > 1) {
    fprintf(out, "tree %" PRIu32 "\\n", e->bar.tree + 1);
  }
  if (e->bar.sends > 1) {
    fprintf(out, "%" PRIu32 " sends\\n", e->bar.sends);
  }
  fprintf(out, "%s \u2013 ", gb_text_seconds(e->bar.start).s);
  fprintf(out, "%s\", %s%s, tooltip=\"", gb_text_seconds(e->bar.arrival).s, gb_dot_level[e->level],
          e->bar.critical > 0 ? gb_dot_critical : "");
  gb_dot_escape(gb_bar_tip(g->plan, &bars, &e->bar, e->level).s, out);
  fputs("\"];\n", out);
}

static int put_edges(const graph *g) {
  const gbcast_plan *plan = g->plan;
  const size_t most = (size_t)plan->schedule.tree_count * plan->schedule.endpoint_count;
  edge *list = malloc(most * sizeof *list);
  size_t count = 0;
  if (list == NULL) {
    return GBCAST_EMEMORY;
  }
  for (size_t i = 0; i < most; i++) {
    const uint32_t t = (uint32_t)(i / plan->schedule.endpoint_count),
                   to = (uint32_t)(i % plan->schedule.endpoint_count);
    const gb_tree *tree = &plan->schedule.tree[t];
    if (tree->parent[to] != GB_NONE) {
      const bool up = gb_plan_goes_up(plan);
      list[count++] = (edge){.from = g->aggregate.of[up ? to : tree->parent[to]],
                             .to = g->aggregate.of[up ? tree->parent[to] : to],
                             .tree = t % trees_of(plan),
                             .level = gb_plan_level(plan, tree->parent[to], to),
                             .bar = {1, g->critical[i], t, to, tree->start[to], tree->arrival[to]}};
    }
  }
  qsort(list, count, sizeof *list, by_ends);
  for (size_t i = 0, next; i < count; i = next) {
    edge all = list[i];
    for (next = i + 1; next < count && alike(&list[i], &list[next]); next++) {
      gb_bar_join(&all.bar, &list[next].bar);
    }
    put_edge(g, &all);
  }
  free(list);
  return GBCAST_OK;
}

static void put_node(const graph *g, uint32_t r) {
  const gb_aggregate_row *row = &g->aggregate.row[r];
  const bool root = g->aggregate.of[g->plan->schedule.root] == r;
  fprintf(g->out, "    r%" PRIu32 " [label=\"", r);
  gb_dot_escape(gb_aggregate_name(g->plan, &g->aggregate, r, GB_NAME_MOST).s, g->out);
  if (row->hosts > 1 && g->aggregate.to == GB_AGGREGATE_SWITCHES) {
    fprintf(g->out, "\\n%" PRIu32 " hosts", row->hosts);
  }
  if (g->aggregate.to != GB_AGGREGATE_NONE && row->count > row->hosts) {
    fprintf(g->out, "\\n%" PRIu32 " ranks", row->count);
  }
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

int gb_print_dot(const gbcast_plan *plan, FILE *out) {
  static const gb_aggregate_limits limits = {64, 200, UINT32_MAX};
  graph g = {.plan = plan, .out = out};
  uint32_t *order = malloc(plan->site_count * sizeof *order);
  g.critical = calloc((size_t)plan->schedule.endpoint_count, plan->schedule.tree_count * sizeof *g.critical);
  int rc = order == NULL || g.critical == NULL ? GBCAST_EMEMORY : gb_sites_in_order(plan, order);
  if (rc == GBCAST_OK) {
    rc = gb_aggregate_new(plan, order, limits, &g.aggregate);
  }
  if (rc == GBCAST_OK) {
    (void)gb_critical_path(plan, g.critical);
    rc = gb_dot_begin(plan, gb_print_head, out);
  }
  if (rc == GBCAST_OK) {
    put_nodes(&g);
    rc = put_edges(&g);
    fputs("}\n", out);
  }
  gb_aggregate_free(&g.aggregate);
  free(g.critical);
  free(order);
  return rc;
}
