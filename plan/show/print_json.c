/* The plan as JSON, schema gbcast-plan/1 (gbcast-plan(1)). */
#include "plan/show/print.h"
#include "platform/cost/cost.h"

#include <math.h>
#include <stdlib.h>

void gb_json_rank(gb_json_object *o, const char *key, const gbcast_plan *plan, uint32_t e, bool numbered) {
  gb_json_texts(o, key, gb_plan_host_name(plan, e), gb_text_rank(plan, e, numbered).s, NULL);
}

/* Each once, in the order of the lanes; and one for every lane, with the number of the rank. */
static void print_leaders(gb_json_object *o, const gbcast_plan *plan, uint32_t s) {
  gb_json_object list = gb_json_begin_list(o, "leaders", GB_JSON_TIGHT);
  for (uint32_t k = 0; k < plan->lanes; k++)
    if (gb_plan_leader_count(plan, s, k + 1) > gb_plan_leader_count(plan, s, k))
      gb_json_rank(&list, NULL, plan, gb_plan_leader(plan, s, k), false);
  gb_json_end(&list);
  list = gb_json_begin_list(o, "lane_leaders", GB_JSON_TIGHT);
  for (uint32_t k = 0; k < plan->lanes; k++)
    gb_json_rank(&list, NULL, plan, gb_plan_leader(plan, s, k), true);
  gb_json_end(&list);
}

static void print_cluster(gb_json_object *list, const gbcast_plan *plan, uint32_t s) {
  const gb_site *site = &plan->site[s];
  const gb_cluster *c = &plan->platform->cluster[site->cluster];
  gb_json_object o = gb_json_begin_object(list, NULL);
  gb_json_string(&o, "name", c->name);
  print_leaders(&o, plan, s);
  gb_json_integer(&o, "hosts", site->hosts);
  if (site->relay)
    gb_json_bool(&o, "relay", true);
  gb_json_integer(&o, "switches", c->switch_count);
  gb_json_number(&o, "latency_seconds", c->latency);
  gb_json_number(&o, "bandwidth_bytes_per_second", c->bandwidth);
  gb_json_string(&o, "algorithm", site->intra);
  if (gb_site_has_nodes(site))
    gb_json_string(&o, "node_algorithm", site->node);
  gb_json_integer(&o, "segment_bytes", plan->schedule.tree_count > 0 ? plan->schedule.tree[0].segment : 0);
  gb_json_number(&o, "label_seconds", site->label);
  gb_json_end(&o);
}

static void print_link(gb_json_object *list, const gbcast_platform *p, const gb_link *l) {
  gb_json_object o = gb_json_begin_object(list, NULL);
  gb_json_string(&o, "from", p->cluster[l->from].name);
  gb_json_string(&o, "to", p->cluster[l->to].name);
  gb_json_number(&o, "latency_seconds", l->latency);
  gb_json_number(&o, "bandwidth_bytes_per_second", l->bandwidth);
  if (isfinite(l->stream_bandwidth))
    gb_json_number(&o, "stream_bandwidth_bytes_per_second", l->stream_bandwidth);
  if (isfinite(l->initial_window))
    gb_json_number(&o, "initial_window_bytes", l->initial_window);
  gb_json_end(&o);
}

static int print_links(gb_json_object *document, const gbcast_plan *plan) {
  const gbcast_platform *p = plan->given;
  bool *takes_part = calloc(p->cluster_count, sizeof *takes_part);
  if (takes_part == NULL)
    return GBCAST_EMEMORY;
  for (uint32_t s = 0; s < plan->site_count; s++)
    takes_part[plan->site[s].cluster] = true;
  gb_json_object list = gb_json_begin_list(document, "links", GB_JSON_ANY_LINES);
  for (uint32_t i = 0; i < p->link_count; i++)
    if (takes_part[p->link[i].from] && takes_part[p->link[i].to])
      print_link(&list, p, &p->link[i]);
  gb_json_end(&list);
  free(takes_part);
  return GBCAST_OK;
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

/* Ranks of one host are told apart by their names, others by a member. */
static void print_end(gb_json_object *o, const char *key, const char *number_key, const gbcast_plan *plan,
                      uint32_t e, bool node) {
  gb_json_rank(o, key, plan, e, node);
  if (!node && plan->schedule.endpoint[e].k > 0)
    gb_json_integer(o, number_key, plan->schedule.endpoint[e].k);
}

/* The edge to a child. What goes up its tree comes from there. */
static int print_edge(gb_json_object *list, const gbcast_plan *plan, const gb_tree *tree, uint32_t child,
                      uint32_t order, site_routes *w) {
  const bool up = gb_plan_goes_up(plan);
  const uint32_t from = up ? child : tree->parent[child], to = up ? tree->parent[child] : child;
  const enum gb_level level = gb_plan_level(plan, from, to);
  gb_json_object o = gb_json_begin_object(list, NULL);
  print_end(&o, "from", "from_rank", plan, from, level == GB_LEVEL_NODE);
  print_end(&o, "to", "to_rank", plan, to, level == GB_LEVEL_NODE);
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
static int print_edges(gb_json_object *list, const gbcast_plan *plan, const gb_tree *tree) {
  uint32_t *to = malloc(plan->schedule.endpoint_count * sizeof *to), order = 0;
  site_routes w = {.p = plan->given};
  int rc = to == NULL ? GBCAST_EMEMORY : GBCAST_OK;
  const uint32_t count = to == NULL ? 0 : gb_tree_order(tree, plan->schedule.root, to);
  for (uint32_t i = 1; rc == GBCAST_OK && i < count; i++) {
    order = tree->parent[to[i]] == tree->parent[to[i - 1]] ? order + 1 : 1;
    rc = print_edge(list, plan, tree, to[i], order, &w);
  }
  gb_route_release(&w.route);
  free(w.row);
  free(to);
  return rc;
}

static int print_tree(gb_json_object *list, const gbcast_plan *plan, const gb_tree *tree) {
  gb_json_object o = gb_json_begin_object(list, NULL);
  gb_json_number(&o, "share", (double)tree->weight / (double)plan->schedule.weight_total);
  gb_json_integer(&o, "weight", tree->weight);
  if (gb_plan_in_stages(plan))
    gb_json_integer(&o, "turn", tree->stage);
  gb_json_integer(&o, "segment_bytes", tree->segment);
  o.separator = ",\n      ";
  gb_json_object edges = gb_json_begin_list(&o, "edges", GB_JSON_INNER_LINES);
  const int rc = print_edges(&edges, plan, tree);
  gb_json_end(&edges);
  gb_json_end(&o);
  return rc;
}

static void print_candidate(gb_json_object *list, const gb_candidate *c) {
  gb_json_object o = gb_json_begin_object(list, NULL);
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
  gb_json_rank(o, "root", plan, plan->schedule.root, plan->schedule.endpoint[plan->schedule.root].k > 0);
  gb_json_integer(o, "message_bytes", plan->bytes);
}

int gb_print_json(const gbcast_plan *plan, FILE *out) {
  gb_json_object o = gb_json_begin_document(out);
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
  gb_json_object list = gb_json_begin_list(&o, "clusters", GB_JSON_LINES);
  for (uint32_t s = 0; s < plan->site_count; s++)
    print_cluster(&list, plan, s);
  gb_json_end(&list);
  int rc = print_links(&o, plan);
  list = gb_json_begin_list(&o, "trees", GB_JSON_LINES);
  for (uint32_t t = 0; t < plan->schedule.tree_count && rc == GBCAST_OK; t++)
    rc = print_tree(&list, plan, &plan->schedule.tree[t]);
  gb_json_end(&list);
  list = gb_json_begin_list(&o, "candidates", GB_JSON_LINES);
  for (size_t i = 0; i < plan->candidate_count; i++)
    print_candidate(&list, &plan->candidate[i]);
  gb_json_end(&list);
  gb_json_sources(&o, plan->given);
  gb_json_end(&o);
  return rc;
}
