/* One way to do the job, priced by the judge. */
#include "plan/search/candidate.h"
#include "plan/search/candidate_sites.h"
#include "plan/search/candidate_time.h"
#include "plan/search/kept_host_choices.h"
#include "plan/search/local_search.h"
#include "plan/search/site_graph.h"
#include "plan/search/site_trees.h"
#include "plan/sim/sim.h"
#include <stdlib.h>
#include <string.h>

/* Where senders share links the walk needs many segments to see how they meet; in larger plans fewer, for
 * time. */
static uint32_t walked_segments(uint32_t endpoints) {
  uint32_t limit = (1u << 14) / endpoints;
  return limit < 8 ? 8 : limit > 512 ? 512 : limit;
}

gb_flow gb_trial_flow(const gb_planner *pl, uint64_t segment, uint32_t lanes) {
  return (gb_flow){.operation = pl->plan->operation,
                   .bytes = pl->plan->class_bytes,
                   .segment = segment,
                   .rendezvous = pl->rendezvous,
                   .lanes = lanes,
                   .walked = walked_segments(pl->plan->endpoint_count * lanes)};
}

/* What a trial has inside the sites. */
static int find_local(gb_planner *pl, const gb_flow *flow, const gb_trial *trial, const gb_local **local,
                      gbcast_error *err) {
  if (!trial->found)
    return gb_locals_find(pl, flow, trial->intra, trial->mix, local, err);
  *local = pl->found.local;
  return GBCAST_OK;
}

/* Whether the first mix of the pair has led to the same. */
static int is_again(gb_planner *pl, const gb_flow *flow, const gb_trial *trial, bool *again,
                    gbcast_error *err) {
  gb_trial first = *trial;
  first.mix -= first.mix % GB_MIX_PAIR;
  const gb_local *local, *other;
  int status = find_local(pl, flow, trial, &local, err);
  if (status == GBCAST_OK)
    status = find_local(pl, flow, &first, &other, err);
  *again = status == GBCAST_OK && first.mix != trial->mix &&
           memcmp(local, other, pl->plan->site_count * sizeof *local) == 0;
  return status;
}

int gb_trial_price(gb_planner *pl, uint64_t segment, uint32_t lanes, size_t intra, size_t mix, size_t first,
                   size_t end, gb_trial_visit *visit, void *context, gbcast_error *err) {
  gb_flow flow = gb_trial_flow(pl, segment, lanes);
  int status = GBCAST_OK;
  for (size_t m = mix; status == GBCAST_OK && first < end && m < mix + GB_MIX_PAIR; m++) {
    const gb_trial model = {.intra = intra, .mix = m, .segment = segment, .lanes = lanes};
    const gb_local *local;
    size_t best = end; /* the algorithm of the best tree: the only one that the second mix is tried with */
    bool again;
    status = is_again(pl, &flow, &model, &again, err);
    if (status != GBCAST_OK || again)
      break;
    status = find_local(pl, &flow, &model, &local, err);
    if (status == GBCAST_OK)
      status = gb_trial_sites(pl, &flow, local, &model, first, end, visit, context, &best, err);
    first = best;
    end = best < end ? best + 1 : end;
  }
  return status == GBCAST_EUSAGE ? GBCAST_OK : status; /* too many pieces: others may do */
}

/* Its trees over sites, too. */
static int find_trees(gb_planner *pl, const gb_flow *flow, const gb_trial *trial, const gb_local **local,
                      gb_site_trees *out, gbcast_error *err) {
  gb_site_graph graph = {0};
  int status = find_local(pl, flow, trial, local, err);
  if (status != GBCAST_OK)
    return status;
  if (trial->found)
    return gb_site_trees_copy(pl->found.parent, pl->plan->site_count, out, err);
  if (pl->plan->site_count > 1)
    status = gb_trial_graph(pl, flow, trial->whole, *local, &graph, err);
  if (status == GBCAST_OK)
    status = gb_site_trees_make(pl, flow, &graph, trial->roomy ? NULL : *local, trial->tree_inter, out, err);
  gb_site_graph_free(&graph);
  return status;
}

/* Whether two trials are one and the same way. */
static bool is_same(const gb_trial *a, const gb_trial *b) {
  return a->segment == b->segment && a->lanes == b->lanes && a->intra == b->intra && a->mix == b->mix &&
         a->tree_inter == b->tree_inter && a->whole == b->whole && a->roomy == b->roomy &&
         a->found == b->found;
}

int gb_trial_realise(gb_planner *pl, const gb_trial *trial, uint64_t bytes, const gb_local **local,
                     gb_composed *out, gbcast_error *err) {
  gb_flow flow = gb_trial_flow(pl, trial->segment, trial->lanes);
  const bool is_fastest = pl->fastest_trees.leaders && is_same(&pl->fastest, trial);
  gb_site_trees trees = {0};
  int status = GBCAST_OK;
  if (is_fastest) {
    *out = pl->fastest_trees;
    pl->fastest_trees = (gb_composed){0};
    status = find_local(pl, &flow, trial, local, err);
  } else {
    status = find_trees(pl, &flow, trial, local, &trees, err);
    if (status == GBCAST_OK)
      status = gb_compose(pl, &trees, *local, &flow, out, err);
    gb_site_trees_free(&trees);
  }
  flow.bytes = bytes;
  if (status == GBCAST_OK && !(is_fastest && bytes == pl->plan->class_bytes))
    status = gb_composed_simulate(pl, &flow, out, err);
  return status;
}

/* Prices one trial. */
static int walk_trial(gb_planner *pl, gb_trial *trial, gbcast_error *err) {
  const gb_flow flow = gb_trial_flow(pl, trial->segment, trial->lanes);
  const gb_local *local;
  gb_site_trees trees = {0};
  int status = find_trees(pl, &flow, trial, &local, &trees, err);
  if (status == GBCAST_OK)
    status = gb_trial_walk(pl, &trees, local, &flow, trial, err);
  gb_site_trees_free(&trees);
  return status;
}

int gb_trial_price_like(gb_planner *pl, const gb_trial *like, uint64_t segment, uint32_t lanes, size_t intra,
                        size_t mix, size_t mixes, gb_trial_visit *visit, void *context, gbcast_error *err) {
  gb_flow flow = gb_trial_flow(pl, segment, lanes);
  gb_trial trial = *like;
  trial.segment = segment;
  trial.lanes = lanes;
  trial.intra = intra;
  int status = GBCAST_OK;
  for (trial.mix = mix; status == GBCAST_OK && trial.mix < mix + mixes; trial.mix++) {
    bool again = false;
    if (mixes > 1)
      status = is_again(pl, &flow, &trial, &again, err);
    if (status == GBCAST_OK && !again)
      status = walk_trial(pl, &trial, err);
    if (status == GBCAST_OK && !again)
      visit(context, &trial);
  }
  return status == GBCAST_EUSAGE ? GBCAST_OK : status; /* too many pieces: others may do */
}

int gb_trial_own(gb_planner *pl, gb_trial *trial, bool may_change, bool *changed, gbcast_error *err) {
  uint32_t n = pl->plan->site_count;
  gb_flow flow = gb_trial_flow(pl, trial->segment, trial->lanes);
  gb_site_graph graph = {0}, whole = {0};
  gb_site_trees before = {0};
  gb_found *found = &pl->found;
  found->parent = malloc(n * sizeof *found->parent);
  int status = found->parent ? find_trees(pl, &flow, trial, &found->local, &before, err) : gb_no_memory(err);
  if (status == GBCAST_OK)
    memcpy(found->parent, before.parent, n * sizeof *found->parent);
  if (status == GBCAST_OK && may_change && n > 1) {
    status = gb_trial_graph(pl, &flow, false, found->local, &graph, err);
    if (status == GBCAST_OK)
      status = gb_trial_graph(pl, &flow, true, found->local, &whole, err);
    if (status == GBCAST_OK)
      status = gb_improve(pl, &flow, found->local, &graph, &whole, found->parent, err);
  }
  *changed = status == GBCAST_OK && memcmp(found->parent, before.parent, n * sizeof *found->parent) != 0;
  gb_site_graph_free(&graph);
  gb_site_graph_free(&whole);
  gb_site_trees_free(&before);
  trial->found = status == GBCAST_OK;
  return *changed ? walk_trial(pl, trial, err) : status;
}
