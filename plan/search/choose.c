/* The choice: prices all candidates that the search has found, and the MPI library's own collective, at the
 * requested size, and writes the best one into the plan. */
#include "intra/intra.h"
#include "plan/bound/bound.h"
#include "plan/build/build.h"
#include "plan/search/native.h"
#include "plan/search/request.h"
#include "plan/search/segments.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The time of the tree that stands in for the MPI library's own collective, if that is taken to run a tree.
 */
static int price_native(gb_planner *pl, const gb_spec *own, double *predicted, gbcast_error *err) {
  const uint64_t bytes = pl->plan->class_bytes;
  gb_composed stand_in = {0};
  int status = gb_native_is_tree(pl->plan, bytes)
                   ? gb_spec_build(pl, own, bytes, gb_spec_effort_most(pl, 1), &stand_in, err)
                   : GBCAST_OK;
  if (status == GBCAST_OK)
    status = gb_native_predict(&pl->net, pl->plan, bytes, stand_in.makespan, predicted, err);
  gb_composed_free(&stand_in);
  return status;
}

/* Adds the MPI library's own collective to the candidates. Of equal times it comes first, because it has no
 * costs that the models miss. But if the tree that stands in for it shares cables, its time is the least that
 * it can take, and then a candidate with the same time comes first. */
static int add_native(gb_planner *pl, const gb_limits *limits, gb_scored *item, size_t *count,
                      gbcast_error *err) {
  size_t native = gb_intra_find("native", gb_carries_blocks(pl->plan->operation));
  gb_scored own = {.spec = {.intra = native, .segment = 1, .lanes = 1}};
  double formula;
  int status = gb_native_predict(&pl->net, pl->plan, pl->plan->class_bytes, 0, &formula, err);
  if (status != GBCAST_OK || formula < 0 || limits->segment || limits->per_site ||
      (limits->intra != SIZE_MAX && limits->intra != native))
    return status;
  own.spec.segment =
      gb_segment_whole(pl); /* scatter: a rank receives all blocks that it passes on in one message */
  own.spec.tree_bytes = own.spec.segment;
  status = price_native(pl, &own.spec, &own.score.predicted, err);
  size_t kept = 0, at = 0;
  for (size_t i = 0; i < *count; i++) /* drop the stand-in, whose time is not the library's */
    if (item[i].spec.intra != native)
      item[kept++] = item[i];
  const double time = own.score.predicted;
  const bool last = time > formula;
  while (at < kept && (item[at].score.predicted < time || (last && item[at].score.predicted == time)))
    at++;
  memmove(&item[at + 1], &item[at], (kept - at) * sizeof *item);
  item[at] = own;
  *count = kept + 1;
  return status;
}

/* Whether the plan runs nothing but the MPI library's own collective. */
static bool is_native(const gbcast_plan *plan, const gb_spec *spec) {
  return plan->site_count == 1 && gb_intra_table[spec->intra].native;
}

static const char *inter_name(const gb_spec *spec) {
  const char *exchange = gb_exchange_name(spec->exchange);
  return exchange != NULL ? exchange : gb_inter_table[spec->inter].name;
}

/* Of the sites, or "mixed" if they differ. */
static const char *intra_name(gb_planner *pl, const gb_spec *spec) {
  gb_spec_choose_inside(pl, spec);
  for (uint32_t s = 1; s < pl->plan->site_count; s++)
    if (pl->choice[s].intra != pl->choice[0].intra)
      return "mixed";
  return gb_intra_table[pl->choice[0].intra].name;
}

/* The time and the cost of the MPI library's own collective where it is no tree: no data leave the one site.
 */
static int price_formula(gb_planner *pl, gb_candidate *candidate, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  const int status = gb_native_predict(&pl->net, plan, plan->bytes, 0, &candidate->predicted, err);
  return status == GBCAST_OK ? gb_plan_cost(plan, pl->price, &plan->schedule, plan->bytes,
                                            candidate->predicted, &candidate->cost, err)
                             : status;
}

/* Fills *candidate with a spec's price at the exact size. `winner`: the spec's trees, already simulated at
 * that size, or NULL: then they are simulated. */
static int price_candidate(gb_planner *pl, const gb_scored *item, const gb_composed *winner,
                           gb_candidate *candidate, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  const gb_spec *spec = &item->spec;
  const bool native = is_native(plan, spec);
  *candidate = (gb_candidate){.lanes = spec->lanes,
                              .inter = inter_name(spec),
                              .intra = intra_name(pl, spec),
                              .segment = spec->segment,
                              .terms = {NAN, NAN, NAN},
                              .cost = {NAN, NAN}};
  if (native && !gb_native_is_tree(plan, plan->bytes))
    return price_formula(pl, candidate, err);
  gb_composed composed = {0};
  int status =
      winner ? GBCAST_OK
             : gb_spec_build(pl, spec, plan->bytes, gb_spec_effort_most(pl, spec->lanes), &composed, err);
  const gb_composed *simulated = winner ? winner : &composed;
  if (status == GBCAST_OK && !native)
    status = gb_terms_of(pl, simulated, &candidate->terms, err);
  if (status == GBCAST_OK)
    status = gb_composed_predict(&pl->net, plan, simulated, plan->bytes, &candidate->predicted, err);
  if (status == GBCAST_OK && spec->exchange != GB_UP_AND_DOWN)
    candidate->terms = (gb_terms){0, 0, candidate->predicted};
  else if (status == GBCAST_OK) /* the way back */
    candidate->terms.delay += candidate->predicted - gb_composed_time(plan, simulated);
  if (status == GBCAST_OK && native)
    status = gb_native_predict(&pl->net, plan, plan->bytes, candidate->predicted, &candidate->predicted, err);
  if (status == GBCAST_OK)
    status = gb_plan_cost(plan, pl->price, &simulated->schedule, plan->bytes, candidate->predicted,
                          &candidate->cost, err);
  gb_composed_free(&composed);
  return status;
}

static double value_of(const gb_limits *limits, const gb_candidate *c) {
  return gb_value_of(limits, c->predicted, gb_cost_total(c->cost));
}

/* Sorts by value; equal ones keep their order. */
static void sort(const gb_limits *limits, gb_candidate *candidate, size_t count) {
  for (size_t i = 1; i < count; i++) {
    const gb_candidate moved = candidate[i];
    size_t at = i;
    for (; at > 0 && value_of(limits, &candidate[at - 1]) > value_of(limits, &moved); at--)
      candidate[at] = candidate[at - 1];
    candidate[at] = moved;
  }
}

/* The first stays first; the others may have another order at this size than at the search's. */
static int price_candidates(gb_planner *pl, const gb_limits *limits, const gb_scored *item, size_t count,
                            const gb_composed *winner, gbcast_error *err) {
  gbcast_plan *plan = pl->plan;
  plan->candidate = calloc(count, sizeof *plan->candidate);
  int status = plan->candidate ? GBCAST_OK : gb_no_memory(err);
  for (size_t i = 0; status == GBCAST_OK && i < count; i++)
    status = price_candidate(pl, &item[i], i == 0 ? winner : NULL, &plan->candidate[i], err);
  plan->candidate_count = count;
  if (status == GBCAST_OK && count > 1)
    sort(limits, plan->candidate + 1, count - 1);
  return status;
}

/* Scales the times of a native plan's tree, which stands in for the library's, to the formula's. */
static void fit_times(gbcast_plan *plan, double factor) {
  gb_plan_scale_times(plan, factor);
  for (uint32_t s = 0; s < plan->site_count; s++)
    plan->site[s].label *= factor;
}

/* Writes the winner into the plan, which takes over its schedule. */
static int write_out(gb_planner *pl, const gb_spec *spec, gb_composed *composed, gbcast_error *err) {
  gbcast_plan *plan = pl->plan;
  gb_spec_choose_inside(pl, spec);
  plan->schedule = composed->schedule;
  composed->schedule = (gb_schedule){0};
  plan->lanes = spec->lanes;
  plan->leaders = composed->leaders;
  composed->leaders = NULL;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    plan->site[s].intra = gb_intra_table[pl->choice[s].intra].name;
    plan->site[s].node = gb_node_table[pl->choice[s].node].name;
    for (uint32_t t = 0; t < plan->schedule.tree_count; t++)
      plan->site[s].label =
          gb_larger(plan->site[s].label, plan->schedule.tree[t].label[gb_plan_leader(plan, s, t)]);
  }
  gb_plan_drop_unused(plan);
  plan->inter = inter_name(spec);
  plan->rendezvous = pl->rendezvous;
  gb_plan_set_efficiency(plan);
  plan->native = is_native(plan, spec);
  plan->predicted = plan->candidate[0].predicted;
  plan->cost = plan->candidate[0].cost;
  if (plan->native && composed->makespan > 0)
    fit_times(plan, plan->predicted / composed->makespan);
  gb_plan_turn_times(plan, plan->native ? plan->predicted : gb_composed_time(plan, composed));
  return gb_plan_set_pacing(&pl->net, plan, err);
}

static int choose(gb_planner *pl, const gbcast_request *request, gbcast_error *err) {
  gbcast_plan *plan = pl->plan;
  gb_limits limits;
  gb_scored *item = NULL;
  size_t count = 0;
  gb_composed composed = {0};
  int status = gb_request_limits(pl, request, &limits, err);
  if (status == GBCAST_OK)
    status = gb_plan_bound(plan, plan->bytes, &plan->bound, err);
  if (status == GBCAST_OK)
    status = gb_plan_prices(plan, &pl->price, err);
  if (status == GBCAST_OK && limits.within > 0) /* else relays, by which it may be less, are not looked at */
    status = gb_cost_bound(plan, pl->price, &plan->cost_bound, err);
  if (status == GBCAST_OK && limits.within > 0)
    status = gb_planner_count_costs(pl, err);
  if (status == GBCAST_OK)
    status = gb_search(pl, &limits, &item, &count, err);
  if (status == GBCAST_OK)
    status = add_native(pl, &limits, item, &count, err);
  if (status == GBCAST_OK)
    status = gb_spec_build(pl, &item[0].spec, plan->bytes, gb_spec_effort_most(pl, item[0].spec.lanes),
                           &composed, err);
  if (status == GBCAST_OK)
    status = price_candidates(pl, &limits, item, request->chosen_only ? 1 : count, &composed, err);
  if (status == GBCAST_OK)
    status = write_out(pl, &item[0].spec, &composed, err);
  gb_composed_free(&composed);
  free(item);
  return status;
}

int gb_search_plan(gbcast_plan *plan, const gbcast_request *request, gbcast_error *err) {
  gb_planner pl;
  int status = gb_planner_new(&pl, plan, err);
  if (status == GBCAST_OK)
    status = choose(&pl, request, err);
  gb_planner_release(&pl);
  return status;
}
