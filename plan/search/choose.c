/* The choice: prices all candidates that the search has found, and the MPI library's own collective, at the
 * requested size, and writes the best one into the plan. */
#include "intra/intra.h"
#include "plan/bound/bound.h"
#include "plan/search/native.h"
#include "plan/search/pacing.h"
#include "plan/search/request.h"
#include "plan/search/spec.h"
#include "plan/search/streams_meet.h"
#include "plan/search/terms.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int price_native(gb_planner *pl, gb_spec *own, gbcast_error *err) {
  const uint64_t bytes = pl->plan->class_bytes;
  const gb_host_choice *choice;
  gb_composed stand_in = {0};
  int status =
      gb_native_is_tree(pl->plan, bytes) ? gb_spec_build(pl, own, bytes, &choice, &stand_in, err) : GBCAST_OK;
  own->predicted = gb_native_predict(pl->plan, bytes, stand_in.makespan);
  gb_composed_free(&stand_in);
  return status;
}

/* Adds the MPI library's own collective to the candidates. Of equal times it comes first, because it has no
 * costs that the models miss. But if the tree that stands in for it shares cables, its time is the least that
 * it can take, and then a candidate with the same time comes first. */
static int add_native(gb_planner *pl, const gb_limits *limits, gb_spec *spec, size_t *count,
                      gbcast_error *err) {
  size_t native = gb_intra_find("native", (int)pl->plan->operation);
  gb_spec own = {.intra = native, .segment = 1, .lanes = 1, .terms = {NAN, NAN, NAN}};
  const double formula = gb_native_predict(pl->plan, pl->plan->class_bytes, 0);
  if (formula < 0 || limits->segment || limits->per_site ||
      (limits->intra != SIZE_MAX && limits->intra != native))
    return GBCAST_OK;
  own.segment = pl->plan->class_bytes ? pl->plan->class_bytes : 1;
  if (pl->plan->operation == GBCAST_SCATTER) /* a rank receives all blocks that it passes on in one message */
    own.segment *= pl->plan->schedule.endpoint_count;
  if (own.segment > GB_SEGMENT_BYTES_MOST) /* then the tree that stands in for it may be what runs */
    own.segment = GB_SEGMENT_BYTES_MOST;
  int status = price_native(pl, &own, err);
  size_t kept = 0, at = 0;
  for (size_t i = 0; i < *count; i++) /* drop the stand-in, whose time is not the library's */
    if (spec[i].intra != native)
      spec[kept++] = spec[i];
  const bool last = own.predicted > formula;
  while (at < kept && (spec[at].predicted < own.predicted || (last && spec[at].predicted == own.predicted)))
    at++;
  memmove(&spec[at + 1], &spec[at], (kept - at) * sizeof *spec);
  spec[at] = own;
  *count = kept + 1;
  return status;
}

/* Whether the plan runs nothing but the MPI library's own collective. */
static bool is_native(const gbcast_plan *plan, const gb_spec *spec) {
  return plan->site_count == 1 && spec->intra != GB_INTRA_MIXED && gb_intra_table[spec->intra].native;
}

static const char *intra_name(size_t intra) {
  return intra == GB_INTRA_MIXED ? "mixed" : gb_intra_table[intra].name;
}

/* Fills *candidate with a spec's price at the exact size; simulates it unless the search did at that size and
 * to the end. `winner`: the spec's trees, already simulated at that size, or NULL. */
static int price_candidate(gb_planner *pl, const gb_spec *spec, const gb_composed *winner,
                           gb_candidate *candidate, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  const bool native = is_native(plan, spec);
  *candidate = (gb_candidate){.lanes = spec->lanes,
                              .inter = gb_inter_table[spec->inter].name,
                              .intra = intra_name(spec->intra),
                              .segment = spec->segment,
                              .predicted = spec->predicted,
                              .terms = spec->terms};
  const bool formula = native && !gb_native_is_tree(plan, plan->bytes);
  if (formula)
    candidate->predicted = gb_native_predict(plan, plan->bytes, 0);
  if (formula || (plan->bytes == plan->class_bytes && !spec->previewed))
    return GBCAST_OK;
  const gb_host_choice *choice;
  gb_composed composed = {0};
  int status = winner ? GBCAST_OK : gb_spec_build(pl, spec, plan->bytes, &choice, &composed, err);
  const gb_composed *simulated = winner ? winner : &composed;
  if (status == GBCAST_OK && !native)
    status = gb_terms_of(pl, simulated, &candidate->terms, err);
  if (status == GBCAST_OK)
    candidate->predicted = native ? gb_native_predict(plan, plan->bytes, gb_composed_time(plan, simulated))
                                  : gb_composed_time(plan, simulated);
  gb_composed_free(&composed);
  return status;
}

/* Sorts by time; equal ones keep their order. */
static void sort(gb_candidate *candidate, size_t count) {
  for (size_t i = 1; i < count; i++) {
    const gb_candidate moved = candidate[i];
    size_t at = i;
    for (; at > 0 && candidate[at - 1].predicted > moved.predicted; at--)
      candidate[at] = candidate[at - 1];
    candidate[at] = moved;
  }
}

/* The first stays first; the others may have another order at this size than at the search's. */
static int price_candidates(gb_planner *pl, const gb_spec *spec, size_t count, const gb_composed *winner,
                            gbcast_error *err) {
  gbcast_plan *plan = pl->plan;
  plan->candidate = calloc(count, sizeof *plan->candidate);
  int status = plan->candidate ? GBCAST_OK : gb_no_memory(err);
  for (size_t i = 0; status == GBCAST_OK && i < count; i++)
    status = price_candidate(pl, &spec[i], i == 0 ? winner : NULL, &plan->candidate[i], err);
  plan->candidate_count = count;
  if (status == GBCAST_OK && count > 1)
    sort(plan->candidate + 1, count - 1);
  return status;
}

/* Scales the times of a native plan's tree, which stands in for the library's, to the formula's. */
static void fit_times(gbcast_plan *plan, double factor) {
  gb_plan_scale_times(plan, factor);
  for (uint32_t s = 0; s < plan->site_count; s++)
    plan->site[s].label *= factor;
}

/* Writes the winner into the plan, which takes over its schedule. */
static int write_out(gb_planner *pl, const gb_spec *spec, const gb_host_choice *choice, gb_composed *composed,
                     gbcast_error *err) {
  gbcast_plan *plan = pl->plan;
  plan->schedule = composed->schedule;
  composed->schedule = (gb_schedule){0};
  plan->lanes = spec->lanes;
  plan->leaders = composed->leaders;
  composed->leaders = NULL;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    plan->site[s].intra = gb_intra_table[choice[s].intra].name;
    plan->site[s].node = gb_node_table[choice[s].node].name;
    for (uint32_t t = 0; t < plan->schedule.tree_count; t++)
      plan->site[s].label =
          gb_larger(plan->site[s].label, plan->schedule.tree[t].label[gb_plan_leader(plan, s, t)]);
  }
  plan->inter = gb_inter_table[spec->inter].name;
  plan->rendezvous = pl->rendezvous;
  gb_plan_set_efficiency(plan);
  plan->native = is_native(plan, spec);
  plan->predicted = plan->native ? plan->candidate[0].predicted : gb_composed_time(plan, composed);
  if (plan->native && composed->makespan > 0)
    fit_times(plan, plan->predicted / composed->makespan);
  return gb_plan_set_pacing(&pl->net, plan, err);
}

static int choose(gb_planner *pl, const gbcast_request *request, gbcast_error *err) {
  gbcast_plan *plan = pl->plan;
  gb_limits limits;
  gb_spec *spec = NULL;
  size_t count = 0;
  const gb_host_choice *choice = NULL;
  gb_composed composed = {0};
  int status = gb_request_limits(pl, request, &limits, err);
  if (status == GBCAST_OK)
    status = gb_plan_bound(plan, plan->bytes, &plan->bound, err);
  if (status == GBCAST_OK)
    status = gb_search(pl, &limits, &spec, &count, err);
  if (status == GBCAST_OK)
    status = add_native(pl, &limits, spec, &count, err);
  if (status == GBCAST_OK)
    status = gb_spec_build(pl, &spec[0], plan->bytes, &choice, &composed, err);
  if (status == GBCAST_OK)
    status = price_candidates(pl, spec, request->chosen_only ? 1 : count, &composed, err);
  if (status == GBCAST_OK)
    status = write_out(pl, &spec[0], choice, &composed, err);
  gb_composed_free(&composed);
  free(spec);
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
