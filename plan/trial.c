/* One way to do the job, priced by the judge. */
#include "plan/trial.h"
#include "plan/forest.h"
#include "plan/improve.h"
#include "plan/kept_locals.h"
#include "plan/site_graph.h"
#include "plan/site_trees.h"
#include "plan/terms.h"
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

/* The graph for messages of a segment, or of the whole size. */
static int make_graph(gb_planner *pl, const gb_flow *flow, bool whole, const gb_local *local,
                      gb_site_graph *graph, gbcast_error *err) {
  gb_flow sized = *flow;
  if (whole)
    sized.segment = sized.bytes;
  return gb_site_graph_make(pl, &sized, local, graph, err);
}

/* Trees over sites that have been walked: algorithms often agree. */
typedef struct gb_priced {
  uint32_t count;
  gb_site_trees *trees; /* count */
  gb_trial *trial;      /* count */
} gb_priced;

static int take_price(gb_planner *pl, const gb_composed *composed, gb_trial *trial, gbcast_error *err) {
  trial->site_trees = composed->site_trees;
  trial->predicted = composed->makespan;
  bool streams = pl->plan->site_count > 1 && pl->plan->operation == GBCAST_BCAST;
  trial->copies = streams ? gb_forest_copies(pl->p, &composed->forest) : 0;
  return gb_terms_of(pl, composed, &trial->terms, err);
}

/* Prices what the trial's algorithm makes of a graph. */
static int price_one(gb_planner *pl, const gb_site_graph *graph, const gb_local *local, const gb_flow *flow,
                     gb_priced *priced, gb_trial *trial, gbcast_error *err) {
  gb_site_trees trees;
  int status = gb_site_trees_make(pl, flow, graph, trial->tree_inter, &trees, err);
  if (status != GBCAST_OK)
    return status;
  for (uint32_t i = 0; i < priced->count; i++)
    if (gb_site_trees_same(&priced->trees[i], &trees, pl->plan->site_count)) {
      const gb_trial *like = &priced->trial[i];
      trial->site_trees = like->site_trees;
      trial->predicted = like->predicted;
      trial->copies = like->copies;
      trial->terms = like->terms;
      gb_site_trees_free(&trees);
      return GBCAST_OK;
    }
  priced->trees[priced->count] = trees;
  gb_composed composed;
  status = gb_compose(pl, &trees, local, flow, flow, &composed, err);
  if (status == GBCAST_OK)
    status = take_price(pl, &composed, trial, err);
  gb_composed_free(&composed);
  priced->trial[priced->count++] = *trial;
  return status;
}

/* Prices one choice of LAN algorithms with every wanted tree over sites. `model`: what all the trials have in
 * common. */
static int price_sites(gb_planner *pl, const gb_flow *flow, const gb_local *local, const gb_trial *model,
                       size_t first, size_t end, gb_trial_visit *visit, void *context, size_t *best,
                       gbcast_error *err) {
  uint32_t n = pl->plan->site_count;
  bool cut = flow->operation == GBCAST_BCAST && flow->segment < flow->bytes && n > 1;
  size_t most = 2 * (end - first);
  gb_priced priced = {.trees = malloc(most * sizeof(gb_site_trees)),
                      .trial = malloc(most * sizeof(gb_trial))};
  gb_site_graph graph[2] = {{0}, {0}};
  int status = priced.trees && priced.trial ? GBCAST_OK : gb_no_memory(err);
  for (int whole = 0; status == GBCAST_OK && n > 1 && whole <= cut; whole++)
    status = make_graph(pl, flow, whole, local, &graph[whole], err);
  for (size_t inter = first; status == GBCAST_OK && inter < end; inter++) {
    int graphs = cut && !gb_inter_table[inter].pack ? 2 : 1;
    for (int whole = 0; status == GBCAST_OK && whole < graphs; whole++) {
      gb_trial trial = *model;
      trial.inter = trial.tree_inter = inter;
      trial.whole = whole;
      status = price_one(pl, &graph[whole], local, flow, &priced, &trial, err);
      if (status == GBCAST_OK)
        visit(context, &trial);
    }
    if (status == GBCAST_EINPUT) /* this algorithm finds no way; others may */
      status = GBCAST_OK;
  }
  for (uint32_t i = 0, least = 0; i < priced.count; i++)
    if (i == 0 || priced.trial[i].predicted < priced.trial[least].predicted)
      *best = priced.trial[least = i].inter;
  gb_site_graph_free(&graph[0]);
  gb_site_graph_free(&graph[1]);
  while (priced.count > 0)
    gb_site_trees_free(&priced.trees[--priced.count]);
  free(priced.trees);
  free(priced.trial);
  return status;
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
      status = price_sites(pl, &flow, local, &model, first, end, visit, context, &best, err);
    first = best;
    end = best < end ? best + 1 : end;
  }
  return status == GBCAST_EUSAGE ? GBCAST_OK : status; /* too many pieces: others may do */
}

static int trial_sites(gb_planner *pl, const gb_flow *flow, const gb_trial *trial, const gb_local *local,
                       gb_site_trees *out, gbcast_error *err) {
  gb_site_graph graph = {0};
  if (trial->found)
    return gb_site_trees_copy(pl->found.parent, pl->plan->site_count, out, err);
  int status = pl->plan->site_count > 1 ? make_graph(pl, flow, trial->whole, local, &graph, err) : GBCAST_OK;
  if (status == GBCAST_OK)
    status = gb_site_trees_make(pl, flow, &graph, trial->tree_inter, out, err);
  gb_site_graph_free(&graph);
  return status;
}

int gb_trial_realise(gb_planner *pl, const gb_trial *trial, uint64_t bytes, const gb_local **local,
                     gb_composed *out, gbcast_error *err) {
  gb_flow decided = gb_trial_flow(pl, trial->segment, trial->lanes), walked = decided;
  walked.bytes = bytes;
  gb_site_trees trees = {0};
  int status = find_local(pl, &decided, trial, local, err);
  if (status == GBCAST_OK)
    status = trial_sites(pl, &decided, trial, *local, &trees, err);
  if (status == GBCAST_OK)
    status = gb_compose(pl, &trees, *local, &decided, &walked, out, err);
  gb_site_trees_free(&trees);
  return status;
}

/* Prices one trial. */
static int walk_trial(gb_planner *pl, gb_trial *trial, gbcast_error *err) {
  const gb_local *local;
  gb_composed composed = {0};
  int status = gb_trial_realise(pl, trial, pl->plan->class_bytes, &local, &composed, err);
  if (status == GBCAST_OK)
    status = take_price(pl, &composed, trial, err);
  gb_composed_free(&composed);
  return status;
}

int gb_trial_price_like(gb_planner *pl, const gb_trial *like, uint64_t segment, uint32_t lanes, size_t intra,
                        size_t mix, gb_trial_visit *visit, void *context, gbcast_error *err) {
  gb_flow flow = gb_trial_flow(pl, segment, lanes);
  gb_trial trial = *like;
  trial.segment = segment;
  trial.lanes = lanes;
  trial.intra = intra;
  int status = GBCAST_OK;
  for (trial.mix = mix; status == GBCAST_OK && trial.mix < mix + GB_MIX_PAIR; trial.mix++) {
    bool again;
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
  int status = found->parent ? find_local(pl, &flow, trial, &found->local, err) : gb_no_memory(err);
  if (status == GBCAST_OK)
    status = trial_sites(pl, &flow, trial, found->local, &before, err);
  if (status == GBCAST_OK)
    memcpy(found->parent, before.parent, n * sizeof *found->parent);
  if (status == GBCAST_OK && may_change && n > 1) {
    status = make_graph(pl, &flow, false, found->local, &graph, err);
    if (status == GBCAST_OK)
      status = make_graph(pl, &flow, true, found->local, &whole, err);
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
