/* One way to do the job, priced by the judge. */
#include "plan/trial.h"
#include "plan/local.h"
#include "plan/site_graph.h"
#include "plan/site_loads.h"
#include "plan/terms.h"
#include <stdlib.h>
#include <string.h>

#define MOST_WEIGHT 32u

/* Where senders share links the walk needs many segments to see how they meet; in larger plans fewer, for
 * time. */
static uint32_t walked_segments(uint32_t endpoints) {
  uint32_t limit = (1u << 14) / endpoints;
  return limit < 8 ? 8 : limit > 512 ? 512 : limit;
}

gb_flow gb_trial_flow(const gb_planner *pl, uint64_t segment) {
  return (gb_flow){.operation = pl->plan->operation,
                   .bytes = pl->plan->class_bytes,
                   .segment = segment,
                   .rendezvous = pl->rendezvous,
                   .walked = walked_segments(pl->plan->endpoint_count)};
}

/* What an algorithm with several trees makes for messages of a segment each. */
static int pack(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph, gb_inter_pack *packing,
                gb_site_trees *out, gbcast_error *err) {
  gb_site_loads loads;
  gb_site_graph loaded = *graph;
  int status = gb_site_loads_make(pl, flow, graph, &loads, err);
  if (status != GBCAST_OK)
    return status;
  loaded.loads = &loads;
  loaded.most_weight = flow->walked / 4 < MOST_WEIGHT ? flow->walked / 4 : MOST_WEIGHT;
  loaded.messages = flow->bytes > 0 ? (double)flow->bytes / (double)flow->segment : 1;
  status = packing(&loaded, out, err);
  gb_site_loads_free(&loads);
  return status;
}

/* Trees over the sites; with a single site there is nothing to choose. */
static int build_sites(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph, size_t inter,
                       gb_site_trees *out, gbcast_error *err) {
  const uint32_t n = pl->plan->site_count;
  const gb_inter_algorithm *algorithm = &gb_inter_table[inter];
  int status = GBCAST_OK;
  if (algorithm->pack && n > 1) {
    status = pack(pl, flow, graph, algorithm->pack, out, err);
  } else {
    *out = (gb_site_trees){.count = 1, .weight = {1}, .parent = malloc(n * sizeof *out->parent)};
    if (!out->parent)
      return gb_no_memory(err);
    out->parent[0] = GB_NONE;
    if (n > 1)
      status = algorithm->build(graph, out->parent, err);
    if (status != GBCAST_OK)
      gb_site_trees_free(out);
  }
  if (status != GBCAST_EINPUT)
    return status;
  const gb_cluster *root = &pl->p->cluster[pl->plan->site[pl->plan->root_site].cluster];
  return gb_fail_at(err, &root->where,
                    "%s finds no way from site '%s' to all others over links between sites that take part",
                    algorithm->name, root->name);
}

/* The graph for messages of a segment, or of the whole size. */
static int make_graph(gb_planner *pl, const gb_flow *flow, bool whole, const gb_locals *locals,
                      gb_site_graph *graph, gbcast_error *err) {
  gb_flow sized = *flow;
  if (whole)
    sized.segment = sized.bytes;
  return gb_site_graph_make(pl, &sized, locals, graph, err);
}

/* Whether that is another choice. */
static bool use_one_tree(const gb_planner *pl, gb_locals *locals) {
  size_t bytes = pl->plan->site_count * sizeof *locals->intra;
  bool other = memcmp(locals->intra, locals->one_tree, bytes) != 0;
  memcpy(locals->intra, locals->one_tree, bytes);
  return other;
}

/* Trees over sites that have been walked: algorithms often agree. */
typedef struct gb_priced {
  uint32_t count;
  gb_site_trees *trees; /* count */
  gb_trial *trial;      /* count */
} gb_priced;

static bool same(const gb_site_trees *a, const gb_site_trees *b, size_t sites) {
  return a->count == b->count && memcmp(a->weight, b->weight, a->count * sizeof *a->weight) == 0 &&
         memcmp(a->parent, b->parent, a->count * sites * sizeof *a->parent) == 0;
}

/* Prices what the trial's algorithm makes of a graph. */
static int price_one(gb_planner *pl, const gb_site_graph *graph, const gb_locals *locals, const gb_flow *flow,
                     gb_priced *priced, gb_trial *trial, gbcast_error *err) {
  gb_site_trees *trees = &priced->trees[priced->count];
  int status = build_sites(pl, flow, graph, trial->tree_inter, trees, err);
  if (status != GBCAST_OK)
    return status;
  trial->site_trees = trees->count;
  priced->trial[priced->count++] = *trial;
  for (uint32_t i = 0; i + 1 < priced->count; i++)
    if (same(&priced->trees[i], trees, pl->plan->site_count)) {
      trial->predicted = priced->trial[i].predicted;
      trial->terms = priced->trial[i].terms;
      gb_site_trees_free(&priced->trees[--priced->count]);
      return GBCAST_OK;
    }
  gb_composed composed;
  status = gb_compose(pl, trees, locals, flow, flow, &composed, err);
  if (status != GBCAST_OK)
    return status;
  trial->predicted = composed.makespan;
  status = gb_terms_of(pl, &composed, &trial->terms, err);
  gb_composed_free(&composed);
  priced->trial[priced->count - 1] = *trial;
  return status;
}

/* Prices one choice of LAN algorithms with every wanted tree over sites. `model`: what all the trials have in
 * common. */
static int price_sites(gb_planner *pl, const gb_flow *flow, const gb_locals *locals, const gb_trial *model,
                       size_t first, size_t end, gb_trial_visit *visit, void *context, gbcast_error *err) {
  uint32_t n = pl->plan->site_count;
  bool cut = flow->operation == GBCAST_BCAST && flow->segment < flow->bytes && n > 1;
  size_t most = 2 * (end - first);
  gb_priced priced = {.trees = calloc(most, sizeof(gb_site_trees)), .trial = malloc(most * sizeof(gb_trial))};
  gb_site_graph graph[2] = {{0}, {0}};
  int status = priced.trees && priced.trial ? GBCAST_OK : gb_no_memory(err);
  for (int whole = 0; status == GBCAST_OK && n > 1 && whole <= cut; whole++)
    status = make_graph(pl, flow, whole, locals, &graph[whole], err);
  for (size_t inter = first; status == GBCAST_OK && inter < end; inter++) {
    int graphs = cut && !gb_inter_table[inter].pack ? 2 : 1;
    for (int whole = 0; status == GBCAST_OK && whole < graphs; whole++) {
      gb_trial trial = *model;
      trial.inter = trial.tree_inter = inter;
      trial.whole = whole;
      status = price_one(pl, &graph[whole], locals, flow, &priced, &trial, err);
      if (status == GBCAST_OK)
        visit(context, &trial);
    }
    if (status == GBCAST_EINPUT) /* this algorithm finds no way; others may */
      status = GBCAST_OK;
  }
  gb_site_graph_free(&graph[0]);
  gb_site_graph_free(&graph[1]);
  while (priced.count > 0)
    gb_site_trees_free(&priced.trees[--priced.count]);
  free(priced.trees);
  free(priced.trial);
  return status;
}

int gb_trial_price(gb_planner *pl, uint64_t segment, size_t intra, size_t first, size_t end,
                   gb_trial_visit *visit, void *context, gbcast_error *err) {
  gb_flow flow = gb_trial_flow(pl, segment);
  gb_trial model = {.intra = intra, .segment = segment};
  gb_locals locals;
  if (first == end)
    return GBCAST_OK;
  int status = gb_locals_new(pl->plan->site_count, &locals, err);
  if (status == GBCAST_OK)
    status = gb_local_choose(pl, &flow, intra, &locals, err);
  if (status == GBCAST_OK)
    status = price_sites(pl, &flow, &locals, &model, first, end, visit, context, err);
  if (status == GBCAST_OK && use_one_tree(pl, &locals)) {
    model.one_tree = true;
    status = price_sites(pl, &flow, &locals, &model, first, end, visit, context, err);
  }
  gb_locals_free(&locals);
  return status == GBCAST_EUSAGE ? GBCAST_OK : status; /* too many pieces: others may do */
}

int gb_trial_realise(gb_planner *pl, const gb_trial *trial, uint64_t bytes, gb_locals *locals,
                     gb_composed *out, gbcast_error *err) {
  gb_flow decided = gb_trial_flow(pl, trial->segment), walked = decided;
  walked.bytes = bytes;
  gb_site_graph graph = {0};
  gb_site_trees trees = {0};
  int status = gb_local_choose(pl, &decided, trial->intra, locals, err);
  if (status == GBCAST_OK && trial->one_tree)
    use_one_tree(pl, locals);
  if (status == GBCAST_OK && pl->plan->site_count > 1)
    status = make_graph(pl, &decided, trial->whole, locals, &graph, err);
  if (status == GBCAST_OK)
    status = build_sites(pl, &decided, &graph, trial->tree_inter, &trees, err);
  if (status == GBCAST_OK)
    status = gb_compose(pl, &trees, locals, &decided, &walked, out, err);
  gb_site_trees_free(&trees);
  gb_site_graph_free(&graph);
  return status;
}
