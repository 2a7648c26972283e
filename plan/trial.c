/* One way to do the job, priced by the judge. */
#include "plan/trial.h"
#include "plan/improve.h"
#include "plan/kept_locals.h"
#include "plan/local.h"
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
  uint32_t *parent; /* count * sites, and two more to build in */
  gb_trial *trial;  /* count */
} gb_priced;

static int price_one(gb_planner *pl, const uint32_t *site_parent, const gb_locals *locals,
                     const gb_flow *flow, gb_priced *priced, gb_trial *trial, gbcast_error *err) {
  size_t n = pl->plan->site_count;
  for (uint32_t i = 0; i < priced->count; i++)
    if (memcmp(priced->parent + i * n, site_parent, n * sizeof *site_parent) == 0) {
      trial->predicted = priced->trial[i].predicted;
      trial->terms = priced->trial[i].terms;
      return GBCAST_OK;
    }
  gb_composed composed;
  int status = gb_compose(pl, site_parent, locals, flow, flow, &composed, err);
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
static int price_sites(gb_planner *pl, const gb_flow *flow, const gb_locals *locals, const gb_trial *model,
                       size_t first, size_t end, gb_trial_visit *visit, void *context, size_t *best,
                       gbcast_error *err) {
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
    status = make_graph(pl, flow, whole, locals, &graph[whole], err);
  for (size_t inter = first; status == GBCAST_OK && inter < end; inter++) {
    gb_trial trial = *model;
    trial.inter = trial.tree_inter = inter;
    status = build_sites(pl, &graph[0], inter, parent, err);
    if (status == GBCAST_EINPUT) { /* this algorithm finds no way; others may */
      status = GBCAST_OK;
      continue;
    }
    if (status == GBCAST_OK)
      status = price_one(pl, parent, locals, flow, &priced, &trial, err);
    if (status == GBCAST_OK)
      visit(context, &trial);
    if (status != GBCAST_OK || !cut)
      continue;
    trial.whole = true;
    status = build_sites(pl, &graph[1], inter, other, err);
    if (status != GBCAST_OK || memcmp(parent, other, n * sizeof *parent) == 0)
      continue;
    status = price_one(pl, other, locals, flow, &priced, &trial, err);
    if (status == GBCAST_OK)
      visit(context, &trial);
  }
  for (uint32_t i = 0, least = 0; i < priced.count; i++)
    if (i == 0 || priced.trial[i].predicted < priced.trial[least].predicted)
      *best = priced.trial[least = i].inter;
  gb_site_graph_free(&graph[0]);
  gb_site_graph_free(&graph[1]);
  free(priced.parent);
  free(priced.trial);
  return status;
}

int gb_trial_price(gb_planner *pl, uint64_t segment, size_t intra, size_t first, size_t end,
                   gb_trial_visit *visit, void *context, gbcast_error *err) {
  gb_flow flow = gb_trial_flow(pl, segment);
  gb_trial model = {.intra = intra, .segment = segment};
  gb_locals locals;
  size_t best = end; /* the algorithm of the best tree */
  if (first == end)
    return GBCAST_OK;
  int status = gb_locals_new(pl->plan->site_count, &locals, err);
  if (status == GBCAST_OK)
    status = gb_locals_find(pl, &flow, intra, &locals, err);
  if (status == GBCAST_OK)
    status = price_sites(pl, &flow, &locals, &model, first, end, visit, context, &best, err);
  if (status == GBCAST_OK && best < end && use_one_tree(pl, &locals)) {
    model.one_tree = true;
    status = price_sites(pl, &flow, &locals, &model, best, best + 1, visit, context, &best, err);
  }
  gb_locals_free(&locals);
  return status == GBCAST_EUSAGE ? GBCAST_OK : status; /* too many pieces: others may do */
}

/* The LAN algorithms of a trial. */
static int choose_locals(gb_planner *pl, const gb_flow *flow, const gb_trial *trial, gb_locals *locals,
                         gbcast_error *err) {
  if (trial->found) {
    gb_locals_copy(pl->plan->site_count, &pl->found.locals, locals);
    return GBCAST_OK;
  }
  int status = gb_locals_find(pl, flow, trial->intra, locals, err);
  if (status == GBCAST_OK && trial->one_tree)
    use_one_tree(pl, locals);
  return status;
}

static int trial_sites(gb_planner *pl, const gb_flow *flow, const gb_trial *trial, const gb_locals *locals,
                       uint32_t *site_parent, gbcast_error *err) {
  gb_site_graph graph = {0};
  if (trial->found) {
    memcpy(site_parent, pl->found.parent, pl->plan->site_count * sizeof *site_parent);
    return GBCAST_OK;
  }
  int status = pl->plan->site_count > 1 ? make_graph(pl, flow, trial->whole, locals, &graph, err) : GBCAST_OK;
  if (status == GBCAST_OK)
    status = build_sites(pl, &graph, trial->tree_inter, site_parent, err);
  gb_site_graph_free(&graph);
  return status;
}

int gb_trial_realise(gb_planner *pl, const gb_trial *trial, uint64_t bytes, gb_locals *locals,
                     uint32_t *site_parent, gb_composed *out, gbcast_error *err) {
  gb_flow decided = gb_trial_flow(pl, trial->segment), walked = decided;
  walked.bytes = bytes;
  int status = choose_locals(pl, &decided, trial, locals, err);
  if (status == GBCAST_OK)
    status = trial_sites(pl, &decided, trial, locals, site_parent, err);
  if (status == GBCAST_OK)
    status = gb_compose(pl, site_parent, locals, &decided, &walked, out, err);
  return status;
}

int gb_trial_walk(gb_planner *pl, gb_trial *trial, gbcast_error *err) {
  gb_locals locals;
  gb_composed composed = {0};
  uint32_t *parent = malloc(pl->plan->site_count * sizeof *parent);
  int status = gb_locals_new(pl->plan->site_count, &locals, err);
  if (status == GBCAST_OK)
    status = parent ? gb_trial_realise(pl, trial, pl->plan->class_bytes, &locals, parent, &composed, err)
                    : gb_no_memory(err);
  if (status == GBCAST_OK)
    status = gb_terms_of(pl, &composed, &trial->terms, err);
  trial->predicted = composed.makespan;
  gb_composed_free(&composed);
  gb_locals_free(&locals);
  free(parent);
  return status;
}

int gb_trial_own(gb_planner *pl, gb_trial *trial, bool may_change, bool *changed, gbcast_error *err) {
  uint32_t n = pl->plan->site_count;
  gb_flow flow = gb_trial_flow(pl, trial->segment);
  gb_site_graph graph = {0}, whole = {0};
  gb_found found = {.parent = malloc(n * sizeof *found.parent)};
  uint32_t *before = malloc(n * sizeof *before);
  int status = gb_locals_new(n, &found.locals, err);
  if (status == GBCAST_OK)
    status = found.parent && before ? choose_locals(pl, &flow, trial, &found.locals, err) : gb_no_memory(err);
  if (status == GBCAST_OK)
    status = trial_sites(pl, &flow, trial, &found.locals, before, err);
  if (status == GBCAST_OK)
    memcpy(found.parent, before, n * sizeof *before);
  if (status == GBCAST_OK && may_change && n > 1) {
    status = make_graph(pl, &flow, false, &found.locals, &graph, err);
    if (status == GBCAST_OK)
      status = make_graph(pl, &flow, true, &found.locals, &whole, err);
    if (status == GBCAST_OK)
      status = gb_improve(pl, &flow, &found.locals, &graph, &whole, found.parent, err);
  }
  *changed = status == GBCAST_OK && memcmp(found.parent, before, n * sizeof *before) != 0;
  gb_site_graph_free(&graph);
  gb_site_graph_free(&whole);
  free(before);
  if (status != GBCAST_OK) {
    gb_locals_free(&found.locals);
    free(found.parent);
    return status;
  }
  pl->found = found;
  trial->found = true;
  return *changed ? gb_trial_walk(pl, trial, err) : GBCAST_OK;
}
