/* The plan as JSON, schema gbcast-plan/1 (contract, section 3). Written by hand: the planner needs no
 * library. */
#include "plan/json.h"
#include "plan/node.h"
#include "plan/print.h"

#include <stdlib.h>

static void endpoint(const char *key, const gbcast_plan *plan, uint32_t e, bool numbered, FILE *out) {
  fprintf(out, "\"%s\": \"", key);
  gb_json_escape(gbcast_platform_host_name(plan->platform, plan->endpoint[e].host), out);
  if (numbered) {
    fprintf(out, "#%u", plan->endpoint[e].k);
  }
  putc('"', out);
}

/* Each once, in the order of the lanes. */
static void leaders(const gbcast_plan *plan, uint32_t s, FILE *out) {
  fputs("\"leaders\": [", out);
  for (uint32_t k = 0; k < plan->lanes; k++)
    if (gb_plan_leader_count(plan, s, k + 1) > gb_plan_leader_count(plan, s, k)) {
      fputs(k == 0 ? "\"" : ", \"", out);
      gb_json_escape(
          gbcast_platform_host_name(plan->platform, plan->endpoint[gb_plan_leader(plan, s, k)].host), out);
      putc('"', out);
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
  gb_json_integer("hosts", site->hosts, out);
  fputs(", ", out);
  gb_json_integer("switches", c->switch_count, out);
  fputs(", ", out);
  gb_json_string("algorithm", gb_intra_name(site->intra), out);
  fputs(", ", out);
  if (gb_site_has_nodes(site)) {
    gb_json_string("node_algorithm", gb_node_table[site->node].name, out);
    fputs(", ", out);
  }
  gb_json_integer("segment_bytes", plan->tree_count > 0 ? plan->tree[0].segment : 0, out);
  fputs(", ", out);
  gb_json_number("label_seconds", site->label, out);
  fputs(" }", out);
}

static void edge(const gbcast_plan *plan, const gb_tree *tree, uint32_t from, uint32_t to, uint32_t order,
                 FILE *out) {
  static const char *const name[] = {
      [GB_LEVEL_NODE] = "node", [GB_LEVEL_LAN] = "lan", [GB_LEVEL_WAN] = "wan"};
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
  gb_json_integer("order", order, out);
  fputs(", ", out);
  gb_json_string("level", name[level], out);
  fputs(", ", out);
  gb_json_number("start_seconds", tree->start[to], out);
  fputs(", ", out);
  gb_json_number("arrival_seconds", tree->arrival[to], out);
  fputs(" }", out);
}

/* Edges level by level from the root, each sender's together and in its order. */
static int edges(const gbcast_plan *plan, const gb_tree *tree, FILE *out) {
  uint32_t *queue = malloc(plan->endpoint_count * sizeof *queue);
  if (queue == NULL) {
    return GBCAST_EMEMORY;
  }
  uint32_t tail = 0;
  queue[tail++] = plan->root;
  for (uint32_t head = 0; head < tail; head++) {
    uint32_t from = queue[head];
    for (uint32_t i = tree->child_start[from]; i < tree->child_start[from + 1] && tail < plan->endpoint_count;
         i++) {
      fputs(tail == 1 ? "\n        " : ",\n        ", out);
      edge(plan, tree, from, tree->child[i], i - tree->child_start[from] + 1, out);
      queue[tail++] = tree->child[i];
    }
  }
  free(queue);
  return GBCAST_OK;
}

static void candidate(const gb_candidate *c, FILE *out) {
  fputs("{ ", out);
  gb_json_string("inter", gb_inter_name(c->inter), out);
  fputs(", ", out);
  gb_json_string("intra", gb_intra_name(c->intra), out);
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
  fprintf(out, ",\n  \"hash\": \"%016llx\",\n  \"clusters\": [", (unsigned long long)plan->hash);
  for (uint32_t s = 0; s < plan->site_count; s++) {
    fputs(s == 0 ? "\n    " : ",\n    ", out);
    cluster(plan, s, out);
  }
  fputs("\n  ],\n  \"trees\": [", out);
  int rc = GBCAST_OK;
  for (uint32_t t = 0; t < plan->tree_count && rc == GBCAST_OK; t++) {
    const gb_tree *tree = &plan->tree[t];
    fputs(t == 0 ? "\n    { " : ",\n    { ", out);
    gb_json_number("share", (double)tree->weight / (double)plan->weight_total, out);
    fputs(", ", out);
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
