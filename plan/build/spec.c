/* From a spec to trees, and from these to a predicted time. */
#include "plan/build/block_loads.h"
#include "plan/build/compose.h"
#include "plan/build/label_order.h"
#include "plan/build/site_graph.h"
#include "plan/build/site_loads.h"
#include "plan/build/site_trees.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORK_A_TREE 4u /* making a tree costs about as much as simulating so many sends to each endpoint */

uint32_t gb_spec_effort_most(const gb_planner *pl, uint32_t lanes) {
  const uint32_t limit = (1u << 14) / pl->plan->schedule.endpoint_count / lanes;
  return limit < 8 ? 8 : limit > 512 ? 512 : limit;
}

void gb_spec_choose_inside(gb_planner *pl, const gb_spec *spec) {
  for (uint32_t s = 0; s < pl->plan->site_count; s++) {
    const size_t forced = pl->forced_intra[s];
    pl->choice[s].intra = forced == SIZE_MAX ? spec->intra : forced;
    pl->choice[s].node = spec->node;
  }
}

static gb_flow flow_of(const gb_planner *pl, const gb_spec *spec, uint64_t bytes, uint32_t effort) {
  return (gb_flow){.operation = pl->plan->operation,
                   .bytes = bytes,
                   .segment = spec->segment,
                   .rendezvous = pl->rendezvous,
                   .lanes = spec->lanes,
                   .simulated = effort};
}

/* Makes the trees over sites. */
static int make_site_trees(gb_planner *pl, const gb_spec *spec, gb_site_trees *trees, gbcast_error *err) {
  gb_flow flow = flow_of(pl, spec, pl->plan->class_bytes, gb_spec_effort_most(pl, spec->lanes));
  gb_site_graph graph = {0};
  int status = GBCAST_OK;
  flow.segment = spec->tree_bytes;
  if (pl->plan->site_count > 1)
    status = gb_site_graph_make(pl, &flow, pl->choice, &graph, err);
  graph.spending = spec->spending;
  if (status == GBCAST_OK && pl->relay && !gb_inter_table[spec->inter].relays)
    status = gb_site_trees_of_members(pl, &flow, &graph, pl->choice, spec->inter, trees, err);
  else if (status == GBCAST_OK)
    status = gb_site_trees_make(pl, &flow, &graph, pl->choice, spec->inter, trees, err);
  gb_site_graph_free(&graph);
  return status;
}

/* Whether two specs have the same trees over sites. */
static bool same_site_trees(const gb_spec *a, const gb_spec *b) {
  return a->inter == b->inter && a->tree_bytes == b->tree_bytes && a->intra == b->intra &&
         a->node == b->node && a->lanes == b->lanes && a->spending == b->spending;
}

static int find_site_trees(gb_planner *pl, const gb_spec *spec, const gb_site_trees **trees,
                           gbcast_error *err) {
  for (size_t i = 0; i < pl->kept_count; i++)
    if (same_site_trees(pl->kept[i].spec, spec)) {
      *trees = &pl->kept[i].trees;
      return GBCAST_OK;
    }
  gb_kept_site_trees *grown = realloc(pl->kept, (pl->kept_count + 1) * sizeof *grown);
  if (!grown)
    return gb_no_memory(err);
  pl->kept = grown;
  gb_kept_site_trees *kept = &grown[pl->kept_count];
  *kept = (gb_kept_site_trees){.spec = malloc(sizeof *kept->spec)};
  if (!kept->spec)
    return gb_no_memory(err);
  *kept->spec = *spec;
  const int status = make_site_trees(pl, spec, &kept->trees, err);
  if (status == GBCAST_OK)
    pl->kept_count++;
  else
    free(kept->spec);
  *trees = &kept->trees;
  return status;
}

/* What the leader of the largest site sends to each other one, as a part of the message. */
static double largest_part(const gbcast_plan *plan) {
  uint32_t most = 0;
  for (uint32_t s = 0; s < plan->site_count; s++)
    most = plan->site[s].endpoint_count > most ? plan->site[s].endpoint_count : most;
  return (double)most / plan->schedule.endpoint_count;
}

int gb_spec_estimate(gb_planner *pl, const gb_spec *spec, gb_score *score, gbcast_error *err) {
  const gb_flow flow = flow_of(pl, spec, pl->plan->class_bytes, 0);
  const gb_site_trees *trees;
  gb_site_graph graph = {0};
  double *seconds = &score->predicted;
  *score = (gb_score){0};
  if (pl->plan->site_count == 1)
    return GBCAST_OK;
  gb_spec_choose_inside(pl, spec);
  int status = find_site_trees(pl, spec, &trees, err);
  if (status == GBCAST_OK && pl->edge_price)
    score->usd =
        gb_site_trees_price(&(gb_site_graph){.n = pl->plan->site_count, .price = pl->edge_price}, trees);
  if (status == GBCAST_OK && gb_carries_blocks(pl->plan->operation))
    return gb_block_loads_estimate(pl, trees, score, err);
  if (status == GBCAST_OK)
    status = gb_site_graph_make(pl, &flow, pl->choice, &graph, err);
  if (status == GBCAST_OK)
    status = gb_site_loads_find(pl, &flow, &graph, pl->choice, &graph.loads, err);
  graph.messages = (double)flow.bytes / (double)flow.segment;
  if (status == GBCAST_OK)
    status = gb_site_trees_time(&graph, trees, seconds, err);
  gb_site_graph_free(&graph);
  if (spec->exchange == GB_EXCHANGE_LEADERS && gb_carries_parts(pl->plan->operation))
    *seconds *= largest_part(pl->plan);
  if (status == GBCAST_OK || status == GBCAST_EMEMORY)
    return status;
  *seconds = INFINITY;
  return GBCAST_OK;
}

/* Makes the trees of a spec; their children are not ordered yet. */
static int join_trees(gb_planner *pl, const gb_spec *spec, const gb_flow *flow, gb_composed *out,
                      gbcast_error *err) {
  const gb_site_trees *trees;
  gb_spec_choose_inside(pl, spec);
  const int status = find_site_trees(pl, spec, &trees, err);
  if (status != GBCAST_OK)
    return status;
  const int joined = gb_compose_join(pl, trees, pl->choice, flow, out, err);
  out->schedule.exchange = joined == GBCAST_OK ? spec->exchange : GB_UP_AND_DOWN;
  return joined;
}

static int order_and_simulate(gb_planner *pl, gb_flow flow, uint64_t bytes, gb_composed *out,
                              gbcast_error *err) {
  int status = gb_schedule_order(pl, &out->schedule, &out->traffic, &flow, err);
  flow.bytes = bytes;
  return status == GBCAST_OK ? gb_composed_simulate(pl, &flow, out, err) : status;
}

int gb_spec_build(gb_planner *pl, const gb_spec *spec, uint64_t bytes, uint32_t effort, gb_composed *out,
                  gbcast_error *err) {
  const gb_flow flow = flow_of(pl, spec, pl->plan->class_bytes, effort);
  int status = join_trees(pl, spec, &flow, out, err);
  if (status != GBCAST_OK)
    return status;
  status = order_and_simulate(pl, flow, bytes, out, err);
  if (status != GBCAST_OK)
    gb_composed_free(out);
  return status;
}

/* Of the trees, their shares, and all else that the simulation depends on. */
static uint64_t checksum(const gb_schedule *schedule, const gb_flow *flow) {
  uint64_t sum = 0;
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    const gb_tree *tree = &schedule->tree[t];
    const uint64_t word[] = {sum, (uint64_t)tree->stage << 32 | tree->weight,
                             gb_checksum(tree->parent, schedule->endpoint_count * sizeof *tree->parent)};
    sum = gb_checksum(word, sizeof word);
  }
  const uint64_t word[] = {sum, flow->segment, flow->lanes, flow->simulated, schedule->exchange};
  return gb_checksum(word, sizeof word);
}

static bool find_score(const gb_planner *pl, uint64_t sum, gb_score *score) {
  for (size_t i = 0; i < pl->score_count; i++)
    if (pl->score[i].checksum == sum) {
      *score = pl->score[i];
      return true;
    }
  return false;
}

static int keep_score(gb_planner *pl, const gb_score *score, gbcast_error *err) {
  gb_score *grown = realloc(pl->score, (pl->score_count + 1) * sizeof *grown);
  if (!grown)
    return gb_no_memory(err);
  pl->score = grown;
  grown[pl->score_count++] = *score;
  return GBCAST_OK;
}

/* How many sends are simulated. */
static uint64_t sends_of(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow) {
  uint64_t sends = 0;
  if (!gb_carries_blocks(flow->operation))
    return gb_periodic_length(schedule, traffic, flow) * schedule->endpoint_count;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    for (uint32_t v = 0; v < schedule->endpoint_count; v++)
      sends += v == schedule->root ? 0 : traffic->edge[t][v].segments;
  return sends;
}

/* Bytes that others than the root send. */
static double sent_on(const gb_schedule *schedule, const gb_traffic *traffic) {
  double bytes = 0;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    for (uint32_t v = 0; v < schedule->endpoint_count; v++)
      if (v != schedule->root && schedule->tree[t].parent[v] != schedule->root)
        bytes += (double)traffic->edge[t][v].bytes;
  return bytes;
}

static int simulate(gb_planner *pl, const gb_flow *flow, gb_composed *composed, gb_score *score,
                    gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  const bool streams = plan->site_count > 1 && !gb_carries_blocks(plan->operation);
  int status = order_and_simulate(pl, *flow, flow->bytes, composed, err);
  if (status == GBCAST_OK)
    status = gb_composed_predict(&pl->net, plan, composed, flow->bytes, &score->predicted, err);
  if (status != GBCAST_OK)
    return status;
  score->copies = plan->site_count == 1 ? 0
                  : streams             ? gb_schedule_copies(&composed->schedule, pl->net.p)
                                        : sent_on(&composed->schedule, &composed->traffic);
  score->trees = composed->schedule.tree_count;
  if (pl->edge_price) {
    gb_cost_usd cost;
    status = gb_plan_cost(plan, pl->price, &composed->schedule, flow->bytes, score->predicted, &cost, err);
    score->usd = gb_cost_total(cost);
  }
  if (status != GBCAST_OK)
    return status;
  pl->work += sends_of(&composed->schedule, &composed->traffic, flow);
  return keep_score(pl, score, err);
}

int gb_spec_score(gb_planner *pl, const gb_spec *spec, uint32_t effort, gb_score *score, gbcast_error *err) {
  const gb_flow flow = flow_of(pl, spec, pl->plan->class_bytes, effort);
  gb_composed composed;
  int status = join_trees(pl, spec, &flow, &composed, err);
  *score = (gb_score){.predicted = INFINITY};
  if (status != GBCAST_OK)
    return status == GBCAST_EMEMORY ? status : GBCAST_OK;
  const uint64_t sum = checksum(&composed.schedule, &flow);
  pl->work += (uint64_t)composed.schedule.tree_count * composed.schedule.endpoint_count * WORK_A_TREE;
  if (!find_score(pl, sum, score)) {
    score->checksum = sum;
    status = simulate(pl, &flow, &composed, score, err);
  }
  gb_composed_free(&composed);
  return status == GBCAST_EMEMORY ? status : GBCAST_OK;
}
