/* The trees of a saved plan are bound to a platform: names become endpoints, orders become lists of children.
 */
#include "plan/api/bind.h"

#include <stdlib.h>

#define SEGMENTS_IN_STAGES_MOST ((uint64_t)1 << 16) /* where trees follow others, each is simulated */

int gb_bind_host(const gb_binding *at, gb_json_spot where, const char *name, uint32_t *host) {
  *host = gb_platform_find_host(at->plan->platform, name);
  return *host != GB_NONE ? GBCAST_OK
                          : gb_json_fail(&at->saved->document, where, at->err,
                                         "found the host '%s', which is not in the hosts file", name);
}

int gb_bind_endpoint(const gb_binding *at, gb_json_spot where, const gb_saved_end *end, uint32_t *endpoint) {
  const gbcast_plan *plan = at->plan;
  uint32_t host = GB_NONE, ranks = 0;
  int status = gb_bind_host(at, where, end->host, &host);
  if (status != GBCAST_OK)
    return status;
  const uint32_t first = at->first[host];
  while (first != GB_NONE && first + ranks < plan->schedule.endpoint_count &&
         plan->schedule.endpoint[first + ranks].host == host)
    ranks++;
  if (end->k >= ranks)
    return gb_json_fail(&at->saved->document, where, at->err,
                        "found '%s#%llu', expected a rank of the job, which has %u on that host", end->host,
                        (unsigned long long)end->k, ranks);
  *endpoint = first + (uint32_t)end->k;
  return GBCAST_OK;
}

/* A tree without edges yet, and memory for its times. */
static int clear(gb_tree *tree, uint32_t n, gbcast_error *err) {
  tree->start = calloc(n, sizeof *tree->start);
  tree->arrival = calloc(n, sizeof *tree->arrival);
  for (uint32_t e = 0; e < n; e++)
    tree->parent[e] = tree->child[e] = GB_NONE;
  return tree->start && tree->arrival ? GBCAST_OK : gb_no_memory(err);
}

static bool is_up(const gb_binding *at) {
  return gb_plan_goes_up(at->plan);
}

/* The parent and the child of an edge. */
static int find_ends(const gb_binding *at, const gb_saved_edge *edge, uint32_t *parent, uint32_t *child) {
  const int status = gb_bind_endpoint(at, edge->where, is_up(at) ? &edge->to : &edge->from, parent);
  return status == GBCAST_OK ? gb_bind_endpoint(at, edge->where, is_up(at) ? &edge->from : &edge->to, child)
                             : status;
}

/* Who feeds whom. */
static int read_parents(const gb_binding *at, const gb_saved_tree *from, gb_tree *tree) {
  for (uint32_t i = 0; i < from->edge_count; i++) {
    const gb_saved_edge *edge = &from->edge[i];
    uint32_t u = 0, v = 0;
    int status = find_ends(at, edge, &u, &v);
    if (status == GBCAST_OK && (v == at->plan->schedule.root || tree->parent[v] != GB_NONE)) {
      const gb_saved_end *below = is_up(at) ? &edge->from : &edge->to;
      status = gb_json_fail(&at->saved->document, edge->where, at->err, "'%s#%llu' %s", below->host,
                            (unsigned long long)below->k,
                            v == at->plan->schedule.root ? "is the root, which has nobody above it"
                                                         : "has two ranks above it in this tree");
    }
    if (status != GBCAST_OK)
      return status;
    tree->parent[v] = u;
    tree->child_start[u + 1]++;
    tree->start[v] = edge->start;
    tree->arrival[v] = edge->arrival;
  }
  const gbcast_plan *plan = at->plan;
  for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++)
    if (e != plan->schedule.root && tree->parent[e] == GB_NONE)
      return gb_json_fail(
          &at->saved->document, from->where, at->err, "this tree does not reach '%s#%u', a rank of the job",
          plan->platform->host[plan->schedule.endpoint[e].host].name, plan->schedule.endpoint[e].k);
  return GBCAST_OK;
}

/* In which order; parents are known. */
static int read_orders(const gb_binding *at, const gb_saved_tree *from, gb_tree *tree) {
  for (uint32_t e = 0; e < at->plan->schedule.endpoint_count; e++)
    tree->child_start[e + 1] += tree->child_start[e];
  for (uint32_t i = 0; i < from->edge_count; i++) {
    const gb_saved_edge *edge = &from->edge[i];
    uint32_t u = 0, v = 0;
    (void)find_ends(at, edge, &u, &v);
    const uint32_t begin = tree->child_start[u], count = tree->child_start[u + 1] - begin;
    if (edge->order > count || tree->child[begin + edge->order - 1] != GB_NONE)
      return gb_json_fail(&at->saved->document, edge->where, at->err,
                          "found order %llu, expected each of 1 to %u once among the edges %s '%s'",
                          (unsigned long long)edge->order, count, is_up(at) ? "to" : "from",
                          is_up(at) ? edge->to.host : edge->from.host);
    tree->child[begin + edge->order - 1] = v;
  }
  return GBCAST_OK;
}

/* All trees have segments of the same size, as the planner makes them; else their time is not known. */
static int check_segment(const gb_binding *at, const gb_saved_tree *from) {
  const gbcast_plan *plan = at->plan;
  const uint64_t segment = from->segment;
  const bool scatter = gb_carries_blocks(plan->operation);
  const double total = (double)plan->class_bytes * (scatter ? plan->schedule.endpoint_count : 1);
  if (segment != at->saved->tree[0].segment)
    return gb_json_fail(&at->saved->document, from->where, at->err,
                        "found segments of %llu bytes, expected %llu as in the first tree",
                        (unsigned long long)segment, (unsigned long long)at->saved->tree[0].segment);
  if (from->stage > 0 && total / (double)segment > SEGMENTS_IN_STAGES_MOST)
    return gb_json_fail(
        &at->saved->document, from->where, at->err,
        "found segments of %llu bytes, expected no more than %llu of them where trees follow others",
        (unsigned long long)segment, (unsigned long long)SEGMENTS_IN_STAGES_MOST);
  if (segment > GB_SEGMENT_BYTES_MOST || total / (double)segment > GB_SEGMENT_COUNT_MOST)
    return gb_json_fail(&at->saved->document, from->where, at->err,
                        "found segments of %llu bytes, expected at most %llu and no more than %llu of them",
                        (unsigned long long)segment, (unsigned long long)GB_SEGMENT_BYTES_MOST,
                        (unsigned long long)GB_SEGMENT_COUNT_MOST);
  return GBCAST_OK;
}

static int check_stage(const gb_binding *at, const gb_saved_tree *from, const gb_saved_tree *before) {
  if (gb_carries_blocks(at->plan->operation) && from->stage > 0)
    return gb_json_fail(&at->saved->document, from->where, at->err, "found turn %llu, expected 0 for %s",
                        (unsigned long long)from->stage, gb_operation_table[at->plan->operation].noun);
  if (!before || from->stage >= before->stage)
    return GBCAST_OK;
  return gb_json_fail(&at->saved->document, from->where, at->err,
                      "found turn %llu after turn %llu, expected ascending ones",
                      (unsigned long long)from->stage, (unsigned long long)before->stage);
}

int gb_bind_trees(const gb_binding *at) {
  gbcast_plan *plan = at->plan;
  const gb_saved *s = at->saved;
  if (s->tree_count > GB_TREES_MOST)
    return gb_json_fail(&s->document, gb_file_start, at->err, "found %u trees, expected at most %u",
                        s->tree_count, GB_TREES_MOST);
  gb_schedule schedule;
  int status = gb_schedule_new(plan->schedule.endpoint, plan->schedule.endpoint_count, plan->schedule.root,
                               s->tree_count, &schedule, at->err);
  if (status != GBCAST_OK)
    return status;
  schedule.pace = plan->schedule.pace;
  schedule.exchange = plan->schedule.exchange;
  schedule.weight_total = 0;
  plan->schedule = schedule;
  for (uint32_t t = 0; status == GBCAST_OK && t < s->tree_count; t++) {
    gb_tree *tree = &plan->schedule.tree[t];
    tree->weight = (uint32_t)s->tree[t].weight;
    tree->stage = (uint32_t)s->tree[t].stage;
    tree->segment = s->tree[t].segment;
    plan->schedule.weight_total += tree->weight;
    status = check_stage(at, &s->tree[t], t > 0 ? &s->tree[t - 1] : NULL);
    if (status == GBCAST_OK)
      status = check_segment(at, &s->tree[t]);
    if (status == GBCAST_OK)
      status = clear(tree, plan->schedule.endpoint_count, at->err);
    if (status == GBCAST_OK)
      status = read_parents(at, &s->tree[t], tree);
    if (status == GBCAST_OK)
      status = read_orders(at, &s->tree[t], tree);
  }
  return status;
}
