/* One way to do the job, priced by the judge. */
#include "plan/trial.h"
#include "plan/local_choice.h"
#include "plan/site_graph.h"
#include "plan/terms.h"
#include <stdlib.h>
#include <string.h>

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

/* Fills site_parent; with a single site there is nothing to choose. */
static int build_sites(gb_planner *pl, const gb_site_graph *graph, size_t inter, uint32_t *site_parent,
                       gbcast_error *err) {
  if (pl->plan->site_count == 1) {
    site_parent[0] = GB_NONE;
    return GBCAST_OK;
  }
  int status = gb_inter_table[inter].build(graph, site_parent, err);
  if (status != GBCAST_EINPUT)
    return status;
  const gb_cluster *root = &pl->p->cluster[pl->plan->site[pl->plan->root_site].cluster];
  return gb_fail_at(err, &root->where,
                    "%s finds no way from site '%s' to all others over links between sites that take part",
                    gb_inter_table[inter].name, root->name);
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
  uint32_t *parent; /* count * sites, and two more to build in */
  gb_trial *trial;  /* count */
} gb_priced;

static int price_one(gb_planner *pl, const uint32_t *site_parent, const gb_local *local, const gb_flow *flow,
                     gb_priced *priced, gb_trial *trial, gbcast_error *err) {
  size_t n = pl->plan->site_count;
  for (uint32_t i = 0; i < priced->count; i++)
    if (memcmp(priced->parent + i * n, site_parent, n * sizeof *site_parent) == 0) {
      trial->predicted = priced->trial[i].predicted;
      trial->terms = priced->trial[i].terms;
      return GBCAST_OK;
    }
  gb_composed composed;
  int status = gb_compose(pl, site_parent, local, flow, flow, &composed, err);
  if (status != GBCAST_OK)
    return status;
  trial->predicted = composed.makespan;
  status = gb_terms_of(pl, &composed, &trial->terms, err);
  gb_composed_free(&composed);
  if (status != GBCAST_OK)
    return status;
  memcpy(priced->parent + priced->count * n, site_parent, n * sizeof *site_parent);
  priced->trial[priced->count++] = *trial;
  return GBCAST_OK;
}

/* Prices one choice of LAN algorithms with every wanted tree over sites. `model`: what all the trials have in
 * common. */
static int price_sites(gb_planner *pl, const gb_flow *flow, const gb_local *local, const gb_trial *model,
                       size_t first, size_t end, gb_trial_visit *visit, void *context, gbcast_error *err) {
  uint32_t n = pl->plan->site_count;
  bool cut = flow->operation == GBCAST_BCAST && flow->segment < flow->bytes && n > 1;
  size_t most = 2 * (end - first);
  gb_priced priced = {.parent = malloc(((most + 2) * n + 1) * sizeof(uint32_t)),
                      .trial = malloc((most + 1) * sizeof(gb_trial))};
  gb_site_graph graph[2] = {{0}, {0}};
  int status = priced.parent && priced.trial ? GBCAST_OK : gb_no_memory(err);
  uint32_t *parent = status == GBCAST_OK ? priced.parent + most * n : NULL,
           *other = parent ? parent + n : NULL;
  for (int whole = 0; status == GBCAST_OK && n > 1 && whole <= cut; whole++)
    status = make_graph(pl, flow, whole, local, &graph[whole], err);
  for (size_t inter = first; status == GBCAST_OK && inter < end; inter++) {
    gb_trial trial = *model;
    trial.inter = trial.tree_inter = inter;
    status = build_sites(pl, &graph[0], inter, parent, err);
    if (status == GBCAST_EINPUT) { /* this algorithm finds no way; others may */
      status = GBCAST_OK;
      continue;
    }
    if (status == GBCAST_OK)
      status = price_one(pl, parent, local, flow, &priced, &trial, err);
    if (status == GBCAST_OK)
      visit(context, &trial);
    if (status != GBCAST_OK || !cut)
      continue;
    trial.whole = true;
    status = build_sites(pl, &graph[1], inter, other, err);
    if (status != GBCAST_OK || memcmp(parent, other, n * sizeof *parent) == 0)
      continue;
    status = price_one(pl, other, local, flow, &priced, &trial, err);
    if (status == GBCAST_OK)
      visit(context, &trial);
  }
  gb_site_graph_free(&graph[0]);
  gb_site_graph_free(&graph[1]);
  free(priced.parent);
  free(priced.trial);
  return status;
}

int gb_trial_price(gb_planner *pl, uint64_t segment, size_t intra, size_t mix, size_t first, size_t end,
                   gb_trial_visit *visit, void *context, gbcast_error *err) {
  gb_flow flow = gb_trial_flow(pl, segment);
  size_t n = pl->plan->site_count;
  if (first == end)
    return GBCAST_OK;
  gb_local *local = malloc(GB_MIX_PAIR * n * sizeof *local);
  if (!local)
    return gb_no_memory(err);
  int status = gb_local_choose(pl, &flow, intra, mix, mix + GB_MIX_PAIR, local, err);
  for (size_t i = 0; status == GBCAST_OK && i < GB_MIX_PAIR; i++) {
    const gb_trial model = {.intra = intra, .mix = mix + i, .segment = segment};
    if (i == 0 || memcmp(local, local + n, n * sizeof *local) != 0)
      status = price_sites(pl, &flow, local + i * n, &model, first, end, visit, context, err);
  }
  free(local);
  return status == GBCAST_EUSAGE ? GBCAST_OK : status; /* too many pieces: others may do */
}

int gb_trial_realise(gb_planner *pl, const gb_trial *trial, uint64_t bytes, gb_local *local,
                     uint32_t *site_parent, gb_composed *out, gbcast_error *err) {
  gb_flow decided = gb_trial_flow(pl, trial->segment), walked = decided;
  walked.bytes = bytes;
  gb_site_graph graph = {0};
  int status = gb_local_choose(pl, &decided, trial->intra, trial->mix, trial->mix + 1, local, err);
  if (status == GBCAST_OK && pl->plan->site_count > 1)
    status = make_graph(pl, &decided, trial->whole, local, &graph, err);
  if (status == GBCAST_OK)
    status = build_sites(pl, &graph, trial->tree_inter, site_parent, err);
  if (status == GBCAST_OK)
    status = gb_compose(pl, site_parent, local, &decided, &walked, out, err);
  gb_site_graph_free(&graph);
  return status;
}
