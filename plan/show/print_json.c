/* The plan as JSON, schema gbcast-plan/1 (contract, section 3). Written by hand: the planner needs no
 * library. */
#include "plan/show/json.h"
#include "plan/show/print.h"
#include "platform/cost/cost.h"

#include <math.h>
#include <stdlib.h>

static void name(const gbcast_plan *plan, uint32_t e, bool numbered, FILE *out) {
  putc('"', out);
  gb_json_escape(gbcast_platform_host_name(plan->platform, plan->endpoint[e].host), out);
  if (numbered) {
    fprintf(out, "#%u", plan->endpoint[e].k);
  }
  putc('"', out);
}

static void endpoint(const char *key, const gbcast_plan *plan, uint32_t e, bool numbered, FILE *out) {
  fprintf(out, "\"%s\": ", key);
  name(plan, e, numbered, out);
}

/* Each once, in the order of the lanes. */
static void leaders(const gbcast_plan *plan, uint32_t s, FILE *out) {
  fputs("\"leaders\": [", out);
  for (uint32_t k = 0; k < plan->lanes; k++)
    if (gb_plan_leader_count(plan, s, k + 1) > gb_plan_leader_count(plan, s, k)) {
      fputs(k == 0 ? "" : ", ", out);
      name(plan, gb_plan_leader(plan, s, k), false, out);
    }
  fputs("], ", out);
}

/* Of every lane, with the number of the rank. */
static void lane_leaders(const gbcast_plan *plan, uint32_t s, FILE *out) {
  fputs("\"lane_leaders\": [", out);
  for (uint32_t k = 0; k < plan->lanes; k++) {
    fputs(k == 0 ? "" : ", ", out);
    name(plan, gb_plan_leader(plan, s, k), true, out);
  }
  fputs("], ", out);
}

static void cluster(const gbcast_plan *plan, uint32_t s, FILE *out) {
  const gb_site *site = &plan->site[s];
  const gb_cluster *c = &plan->platform->cluster[site->cluster];
  fputs("{ ", out);
  gb_json_string("name", c->name, out);
  fputs(", ", out);
  leaders(plan, s, out);
  lane_leaders(plan, s, out);
  gb_json_integer("hosts", site->hosts, out);
  fputs(", ", out);
  gb_json_integer("switches", c->switch_count, out);
  fputs(", ", out);
  gb_json_number("latency_seconds", c->latency, out);
  fputs(", ", out);
  gb_json_number("bandwidth_bytes_per_second", c->bandwidth, out);
  fputs(", ", out);
  gb_json_string("algorithm", site->intra, out);
  fputs(", ", out);
  if (gb_site_has_nodes(site)) {
    gb_json_string("node_algorithm", site->node, out);
    fputs(", ", out);
  }
  gb_json_integer("segment_bytes", plan->tree_count > 0 ? plan->tree[0].segment : 0, out);
  fputs(", ", out);
  gb_json_number("label_seconds", site->label, out);
  fputs(" }", out);
}

/* The ways to other sites, each looked up once for all edges that leave a site in a row. */
typedef struct ways {
  const gbcast_platform *p;
  uint32_t cluster, *row; /* row: as of gb_route_row from that cluster */
  gb_route route;
} ways;

static int way_between(ways *w, uint32_t from, uint32_t to) {
  const gbcast_platform *p = w->p;
  const uint32_t cluster = p->host[from].cluster;
  int rc = GBCAST_OK;
  if (w->row == NULL || w->cluster != cluster) {
    if (w->row == NULL)
      w->row = malloc(p->cluster_count * sizeof *w->row);
    rc = w->row != NULL ? gb_route_row(p, cluster, w->row, NULL, NULL) : GBCAST_EMEMORY;
    w->cluster = cluster;
  }
  return rc == GBCAST_OK ? gb_route_between(p, from, to, w->row, &w->route, NULL) : rc;
}

static int edge(const gbcast_plan *plan, const gb_tree *tree, uint32_t from, uint32_t to, uint32_t order,
                ways *w, FILE *out) {
  enum gb_level level = gb_plan_level(plan, from, to);
  fputs("{ ", out);
  endpoint("from", plan, from, level == GB_LEVEL_NODE, out);
  fputs(", ", out);
  if (level != GB_LEVEL_NODE && plan->endpoint[from].k > 0) {
    gb_json_integer("from_rank", plan->endpoint[from].k, out);
    fputs(", ", out);
  }
  endpoint("to", plan, to, level == GB_LEVEL_NODE, out);
  fputs(", ", out);
  if (level != GB_LEVEL_NODE && plan->endpoint[to].k > 0) {
    gb_json_integer("to_rank", plan->endpoint[to].k, out);
    fputs(", ", out);
  }
  gb_json_integer("order", order, out);
  fputs(", ", out);
  gb_json_string("level", gb_level_name[level], out);
  fputs(", ", out);
  gb_json_number("start_seconds", tree->start[to], out);
  fputs(", ", out);
  gb_json_number("arrival_seconds", tree->arrival[to], out);
  int rc = GBCAST_OK;
  if (level == GB_LEVEL_WAN) {
    rc = way_between(w, plan->endpoint[from].host, plan->endpoint[to].host);
    fputs(", ", out);
    gb_json_number("latency_seconds", rc == GBCAST_OK ? w->route.latency : NAN, out);
    fputs(", ", out);
    gb_json_number("bandwidth_bytes_per_second", rc == GBCAST_OK ? w->route.narrowest : NAN, out);
  }
  fputs(" }", out);
  return rc == GBCAST_EMEMORY ? rc : GBCAST_OK;
}

/* Edges level by level from the root, each sender's together and in its order. */
static int edges(const gbcast_plan *plan, const gb_tree *tree, FILE *out) {
  uint32_t *queue = malloc(plan->endpoint_count * sizeof *queue);
  if (queue == NULL) {
    return GBCAST_EMEMORY;
  }
  ways w = {.p = plan->platform};
  int rc = GBCAST_OK;
  uint32_t tail = 0;
  queue[tail++] = plan->root;
  for (uint32_t head = 0; rc == GBCAST_OK && head < tail; head++) {
    uint32_t from = queue[head];
    for (uint32_t i = tree->child_start[from];
         rc == GBCAST_OK && i < tree->child_start[from + 1] && tail < plan->endpoint_count; i++) {
      fputs(tail == 1 ? "\n        " : ",\n        ", out);
      rc = edge(plan, tree, from, tree->child[i], i - tree->child_start[from] + 1, &w, out);
      queue[tail++] = tree->child[i];
    }
  }
  gb_route_release(&w.route);
  free(w.row);
  free(queue);
  return rc;
}

static void candidate(const gb_candidate *c, FILE *out) {
  fputs("{ ", out);
  gb_json_string("inter", c->inter, out);
  fputs(", ", out);
  gb_json_string("intra", c->intra, out);
  fputs(", ", out);
  gb_json_integer("lanes", c->lanes, out);
  fputs(", ", out);
  gb_json_integer("segment_bytes", c->segment, out);
  fputs(", ", out);
  gb_json_number("predicted_seconds", c->predicted, out);
  fputs(", ", out);
  gb_json_number("start_up_seconds", c->terms.start_up, out);
  fputs(", ", out);
  gb_json_number("pipeline_seconds", c->terms.pipeline, out);
  fputs(", ", out);
  gb_json_number("delay_seconds", c->terms.delay, out);
  fputs(" }", out);
}

int gb_print_json(const gbcast_plan *plan, FILE *out) {
  fputs("{ \"schema\": \"gbcast-plan/1\",\n  ", out);
  gb_json_string("operation", plan->operation == GBCAST_SCATTER ? "scatter" : "bcast", out);
  fputs(",\n  ", out);
  endpoint("root", plan, plan->root, plan->endpoint[plan->root].k > 0, out);
  fputs(",\n  ", out);
  gb_json_integer("message_bytes", plan->bytes, out);
  fputs(",\n  ", out);
  gb_json_number("predicted_seconds", plan->predicted, out);
  fputs(",\n  ", out);
  gb_json_number("lower_bound_seconds", plan->bound, out);
  fprintf(out, ",\n  \"hash\": \"%016llx\",\n  ", (unsigned long long)plan->hash);
  gb_json_string("inter", plan->site_count > 1 ? plan->inter : "none", out);
  fputs(",\n  ", out);
  gb_json_integer("lanes", plan->lanes, out);
  fprintf(out, ",\n  \"native\": %s,\n  \"rendezvous\": %s,\n  ", plan->native ? "true" : "false",
          plan->rendezvous ? "true" : "false");
  gb_json_number("pace", plan->pace, out);
  fputs(",\n  \"clusters\": [", out);
  for (uint32_t s = 0; s < plan->site_count; s++) {
    fputs(s == 0 ? "\n    " : ",\n    ", out);
    cluster(plan, s, out);
  }
  fputs("\n  ],\n  \"links\": [", out);
  int rc = gb_print_links(plan, out);
  fputs("],\n  \"trees\": [", out);
  for (uint32_t t = 0; t < plan->tree_count && rc == GBCAST_OK; t++) {
    const gb_tree *tree = &plan->tree[t];
    fputs(t == 0 ? "\n    { " : ",\n    { ", out);
    gb_json_number("share", (double)tree->weight / (double)plan->weight_total, out);
    fputs(", ", out);
    gb_json_integer("weight", tree->weight, out);
    fputs(", ", out);
    if (gb_plan_in_turn(plan)) {
      gb_json_integer("turn", tree->turn, out);
      fputs(", ", out);
    }
    gb_json_integer("segment_bytes", tree->segment, out);
    fputs(",\n      \"edges\": [", out);
    rc = edges(plan, tree, out);
    fputs("\n      ] }", out);
  }
  fputs("\n  ],\n  \"candidates\": [", out);
  for (size_t i = 0; i < plan->candidate_count; i++) {
    fputs(i == 0 ? "\n    " : ",\n    ", out);
    candidate(&plan->candidate[i], out);
  }
  fputs("\n  ],\n  \"sources\": [", out);
  gb_print_sources(plan->platform, out);
  fputs("]\n}\n", out);
  return rc;
}
