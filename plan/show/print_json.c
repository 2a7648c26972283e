/* The plan as JSON, schema gbcast-plan/1 (gbcast-plan(1)). Written by hand: the planner needs no
 * library. */
#include "plan/show/json.h"
#include "plan/show/print.h"
#include "platform/cost/cost.h"

#include <math.h>
#include <stdlib.h>

static void name(const gbcast_plan *plan, uint32_t e, bool numbered, FILE *out) {
  putc('"', out);
  gb_json_escape(gb_plan_host_name(plan, e), out);
  if (numbered) {
    fprintf(out, "#%u", plan->schedule.endpoint[e].k);
  }
  putc('"', out);
}

static void endpoint(gb_json_object *o, const char *key, const gbcast_plan *plan, uint32_t e, bool numbered) {
  gb_json_key(o, key);
  name(plan, e, numbered, o->out);
}

/* Each once, in the order of the lanes. */
static void leaders(gb_json_object *o, const gbcast_plan *plan, uint32_t s) {
  gb_json_key(o, "leaders");
  putc('[', o->out);
  for (uint32_t k = 0; k < plan->lanes; k++)
    if (gb_plan_leader_count(plan, s, k + 1) > gb_plan_leader_count(plan, s, k)) {
      fputs(k == 0 ? "" : ", ", o->out);
      name(plan, gb_plan_leader(plan, s, k), false, o->out);
    }
  putc(']', o->out);
}

/* One for every lane, with the number of the rank. */
static void lane_leaders(gb_json_object *o, const gbcast_plan *plan, uint32_t s) {
  gb_json_key(o, "lane_leaders");
  putc('[', o->out);
  for (uint32_t k = 0; k < plan->lanes; k++) {
    fputs(k == 0 ? "" : ", ", o->out);
    name(plan, gb_plan_leader(plan, s, k), true, o->out);
  }
  putc(']', o->out);
}

static void cluster(const gbcast_plan *plan, uint32_t s, FILE *out) {
  const gb_site *site = &plan->site[s];
  const gb_cluster *c = &plan->platform->cluster[site->cluster];
  gb_json_object o = gb_json_begin(out);
  gb_json_string(&o, "name", c->name);
  leaders(&o, plan, s);
  lane_leaders(&o, plan, s);
  gb_json_integer(&o, "hosts", site->hosts);
  if (site->relay) {
    gb_json_bool(&o, "relay", true);
  }
  gb_json_integer(&o, "switches", c->switch_count);
  gb_json_number(&o, "latency_seconds", c->latency);
  gb_json_number(&o, "bandwidth_bytes_per_second", c->bandwidth);
  gb_json_string(&o, "algorithm", site->intra);
  if (gb_site_has_nodes(site)) {
    gb_json_string(&o, "node_algorithm", site->node);
  }
  gb_json_integer(&o, "segment_bytes", plan->schedule.tree_count > 0 ? plan->schedule.tree[0].segment : 0);
  gb_json_number(&o, "label_seconds", site->label);
  gb_json_end(&o);
}

/* The routes to other sites, each looked up once for all edges that leave a site in a row. */
typedef struct site_routes {
  const gbcast_platform *p;
  uint32_t cluster, *row; /* row: as of gb_route_row from that cluster */
  gb_route route;
} site_routes;

static int route_between(site_routes *w, uint32_t from, uint32_t to) {
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

/* The edge to a child. What goes up its tree comes from there. */
static int edge(const gbcast_plan *plan, const gb_tree *tree, uint32_t child, uint32_t order, site_routes *w,
                FILE *out) {
  const bool up = gb_plan_goes_up(plan);
  const uint32_t from = up ? child : tree->parent[child], to = up ? tree->parent[child] : child;
  enum gb_level level = gb_plan_level(plan, from, to);
  const bool node = level == GB_LEVEL_NODE;
  gb_json_object o = gb_json_begin(out);
  endpoint(&o, "from", plan, from, node);
  if (!node && plan->schedule.endpoint[from].k > 0) {
    gb_json_integer(&o, "from_rank", plan->schedule.endpoint[from].k);
  }
  endpoint(&o, "to", plan, to, node);
  if (!node && plan->schedule.endpoint[to].k > 0) {
    gb_json_integer(&o, "to_rank", plan->schedule.endpoint[to].k);
  }
  gb_json_integer(&o, "order", order);
  gb_json_string(&o, "level", gb_level_name[level]);
  gb_json_number(&o, "start_seconds", tree->start[child]);
  gb_json_number(&o, "arrival_seconds", tree->arrival[child]);
  int rc = GBCAST_OK;
  if (level == GB_LEVEL_WAN) {
    rc = route_between(w, plan->schedule.endpoint[from].host, plan->schedule.endpoint[to].host);
    gb_json_number(&o, "latency_seconds", rc == GBCAST_OK ? w->route.latency : NAN);
    gb_json_number(&o, "bandwidth_bytes_per_second", rc == GBCAST_OK ? w->route.narrowest : NAN);
  }
  gb_json_end(&o);
  return rc == GBCAST_EMEMORY ? rc : GBCAST_OK;
}

/* Edges level by level from the root, each sender's together and in its order. */
static int edges(const gbcast_plan *plan, const gb_tree *tree, FILE *out) {
  uint32_t *queue = malloc(plan->schedule.endpoint_count * sizeof *queue);
  if (queue == NULL) {
    return GBCAST_EMEMORY;
  }
  site_routes w = {.p = plan->given};
  int rc = GBCAST_OK;
  uint32_t tail = 0;
  queue[tail++] = plan->schedule.root;
  for (uint32_t head = 0; rc == GBCAST_OK && head < tail; head++) {
    uint32_t from = queue[head];
    for (uint32_t i = tree->child_start[from];
         rc == GBCAST_OK && i < tree->child_start[from + 1] && tail < plan->schedule.endpoint_count; i++) {
      fputs(tail == 1 ? "\n        " : ",\n        ", out);
      rc = edge(plan, tree, tree->child[i], i - tree->child_start[from] + 1, &w, out);
      queue[tail++] = tree->child[i];
    }
  }
  gb_route_release(&w.route);
  free(w.row);
  free(queue);
  return rc;
}

static int print_tree(const gbcast_plan *plan, const gb_tree *tree, FILE *out) {
  gb_json_object o = gb_json_begin(out);
  gb_json_number(&o, "share", (double)tree->weight / (double)plan->schedule.weight_total);
  gb_json_integer(&o, "weight", tree->weight);
  if (gb_plan_in_stages(plan)) {
    gb_json_integer(&o, "turn", tree->stage);
  }
  gb_json_integer(&o, "segment_bytes", tree->segment);
  fputs(",\n      \"edges\": [", out);
  const int rc = edges(plan, tree, out);
  fputs("\n      ]", out);
  gb_json_end(&o);
  return rc;
}

static void candidate(const gb_candidate *c, FILE *out) {
  gb_json_object o = gb_json_begin(out);
  gb_json_string(&o, "inter", c->inter);
  gb_json_string(&o, "intra", c->intra);
  gb_json_integer(&o, "lanes", c->lanes);
  gb_json_integer(&o, "segment_bytes", c->segment);
  gb_json_number(&o, "predicted_seconds", c->predicted);
  gb_json_number(&o, "start_up_seconds", c->terms.start_up);
  gb_json_number(&o, "pipeline_seconds", c->terms.pipeline);
  gb_json_number(&o, "delay_seconds", c->terms.delay);
  gb_json_cost(&o, c->cost.egress, c->cost.hire);
  gb_json_end(&o);
}

void gb_json_call(gb_json_object *o, const gbcast_plan *plan) {
  gb_json_string(o, "operation", gb_operation_table[plan->operation].name);
  endpoint(o, "root", plan, plan->schedule.root, plan->schedule.endpoint[plan->schedule.root].k > 0);
  gb_json_integer(o, "message_bytes", plan->bytes);
}

int gb_print_json(const gbcast_plan *plan, FILE *out) {
  gb_json_object o = gb_json_begin(out);
  o.separator = ",\n  ";
  gb_json_string(&o, "schema", "gbcast-plan/1");
  gb_json_call(&o, plan);
  gb_json_number(&o, "predicted_seconds", plan->predicted);
  gb_json_number(&o, "lower_bound_seconds", plan->bound);
  gb_json_cost(&o, plan->cost.egress, plan->cost.hire);
  if (!isnan(plan->cost_bound))
    gb_json_number(&o, "lower_bound_usd", plan->cost_bound);
  gb_json_hash(&o, "hash", plan->hash);
  gb_json_string(&o, "inter", gb_plan_inter(plan));
  gb_json_integer(&o, "lanes", plan->lanes);
  gb_json_bool(&o, "native", plan->native);
  gb_json_bool(&o, "rendezvous", plan->rendezvous);
  gb_json_number(&o, "pace", plan->schedule.pace);
  gb_json_key(&o, "clusters");
  putc('[', out);
  for (uint32_t s = 0; s < plan->site_count; s++) {
    fputs(s == 0 ? "\n    " : ",\n    ", out);
    cluster(plan, s, out);
  }
  fputs("\n  ]", out);
  gb_json_key(&o, "links");
  putc('[', out);
  int rc = gb_print_links(plan, out);
  putc(']', out);
  gb_json_key(&o, "trees");
  putc('[', out);
  for (uint32_t t = 0; t < plan->schedule.tree_count && rc == GBCAST_OK; t++) {
    fputs(t == 0 ? "\n    " : ",\n    ", out);
    rc = print_tree(plan, &plan->schedule.tree[t], out);
  }
  fputs("\n  ]", out);
  gb_json_key(&o, "candidates");
  putc('[', out);
  for (size_t i = 0; i < plan->candidate_count; i++) {
    fputs(i == 0 ? "\n    " : ",\n    ", out);
    candidate(&plan->candidate[i], out);
  }
  fputs("\n  ]", out);
  gb_json_key(&o, "sources");
  putc('[', out);
  gb_print_sources(plan->given, out);
  fputs("]\n}\n", out);
  return rc;
}
