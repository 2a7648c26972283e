/* Prices specs by simulation. */
#include "plan/search/spec.h"
#include "plan/search/kept_host_choices.h"
#include "plan/search/local_search.h"
#include "plan/search/site_graph.h"
#include "plan/search/site_trees.h"
#include "plan/search/spec_sites.h"
#include "plan/search/spec_time.h"
#include "plan/sim/sim.h"
#include <stdlib.h>
#include <string.h>

/* If senders share links, the simulation needs many segments to see the pace at which they share them; in
 * larger plans fewer, to save time. */
static uint32_t segments_to_simulate(uint32_t endpoints) {
  uint32_t limit = (1u << 14) / endpoints;
  return limit < 8 ? 8 : limit > 512 ? 512 : limit;
}

gb_flow gb_spec_flow(const gb_planner *pl, uint64_t segment, uint32_t lanes) {
  return (gb_flow){.operation = pl->plan->operation,
                   .bytes = pl->plan->class_bytes,
                   .segment = segment,
                   .rendezvous = pl->rendezvous,
                   .lanes = lanes,
                   .simulated = segments_to_simulate(pl->plan->schedule.endpoint_count * lanes)};
}

/* Sets *choice to the algorithms inside the sites. */
static int find_choice(gb_planner *pl, const gb_flow *flow, const gb_spec *spec,
                       const gb_host_choice **choice, gbcast_error *err) {
  if (!spec->own_tree)
    return gb_host_choices_find(pl, flow, spec->intra, spec->options, choice, err);
  *choice = pl->own_tree.choice;
  return GBCAST_OK;
}

/* Sets *again if the first host options of the pair lead to the same choice. */
static int repeats_first_options(gb_planner *pl, const gb_flow *flow, const gb_spec *spec, bool *again,
                                 gbcast_error *err) {
  gb_spec first = *spec;
  first.options -= first.options % GB_HOST_OPTIONS_PAIR;
  const gb_host_choice *choice, *other;
  int status = find_choice(pl, flow, spec, &choice, err);
  if (status == GBCAST_OK)
    status = find_choice(pl, flow, &first, &other, err);
  *again = status == GBCAST_OK && first.options != spec->options &&
           memcmp(choice, other, pl->plan->site_count * sizeof *choice) == 0;
  return status;
}

int gb_specs_price(gb_planner *pl, uint64_t segment, uint32_t lanes, size_t intra, size_t options,
                   size_t first, size_t end, gb_spec_visit *visit, void *context, gbcast_error *err) {
  gb_flow flow = gb_spec_flow(pl, segment, lanes);
  int status = GBCAST_OK;
  for (size_t m = options; status == GBCAST_OK && first < end && m < options + GB_HOST_OPTIONS_PAIR; m++) {
    const gb_spec model = {.intra = intra, .options = m, .segment = segment, .lanes = lanes};
    const gb_host_choice *choice;
    size_t best = end; /* of the best tree: the only one that the second options get */
    bool again;
    status = repeats_first_options(pl, &flow, &model, &again, err);
    if (status != GBCAST_OK || again)
      break;
    status = find_choice(pl, &flow, &model, &choice, err);
    if (status == GBCAST_OK)
      status = gb_specs_price_sites(pl, &flow, choice, &model, first, end, visit, context, &best, err);
    first = best;
    end = best < end ? best + 1 : end;
  }
  return status == GBCAST_EUSAGE ? GBCAST_OK : status; /* too many segments: other specs may do */
}

/* Makes the trees over sites of a spec, and sets *choice. */
static int find_trees(gb_planner *pl, const gb_flow *flow, const gb_spec *spec, const gb_host_choice **choice,
                      gb_site_trees *out, gbcast_error *err) {
  gb_site_graph graph = {0};
  int status = find_choice(pl, flow, spec, choice, err);
  if (status != GBCAST_OK)
    return status;
  if (spec->own_tree)
    return gb_site_trees_copy(pl->own_tree.parent, pl->plan->site_count, out, err);
  if (pl->plan->site_count > 1)
    status = gb_spec_graph(pl, flow, spec->whole, *choice, &graph, err);
  if (status == GBCAST_OK)
    status = gb_site_trees_make(pl, flow, &graph, spec->spares_leaders ? NULL : *choice, spec->tree_inter,
                                out, err);
  gb_site_graph_free(&graph);
  return status;
}

/* Whether two specs make the same trees. */
static bool makes_same_trees(const gb_spec *a, const gb_spec *b) {
  return a->segment == b->segment && a->lanes == b->lanes && a->intra == b->intra &&
         a->options == b->options && a->tree_inter == b->tree_inter && a->whole == b->whole &&
         a->spares_leaders == b->spares_leaders && a->own_tree == b->own_tree;
}

int gb_spec_build(gb_planner *pl, const gb_spec *spec, uint64_t bytes, const gb_host_choice **choice,
                  gb_composed *out, gbcast_error *err) {
  gb_flow flow = gb_spec_flow(pl, spec->segment, spec->lanes);
  const bool is_fastest = pl->fastest_trees.leaders && makes_same_trees(&pl->fastest, spec);
  gb_site_trees trees = {0};
  int status = GBCAST_OK;
  if (is_fastest) {
    *out = pl->fastest_trees;
    pl->fastest_trees = (gb_composed){0};
    status = find_choice(pl, &flow, spec, choice, err);
  } else {
    status = find_trees(pl, &flow, spec, choice, &trees, err);
    if (status == GBCAST_OK)
      status = gb_compose(pl, &trees, *choice, &flow, out, err);
    gb_site_trees_free(&trees);
  }
  flow.bytes = bytes;
  if (status == GBCAST_OK && !(is_fastest && bytes == pl->plan->class_bytes))
    status = gb_composed_simulate(pl, &flow, out, err);
  return status;
}

static int simulate_spec(gb_planner *pl, gb_spec *spec, gbcast_error *err) {
  const gb_flow flow = gb_spec_flow(pl, spec->segment, spec->lanes);
  const gb_host_choice *choice;
  gb_site_trees trees = {0};
  int status = find_trees(pl, &flow, spec, &choice, &trees, err);
  if (status == GBCAST_OK)
    status = gb_spec_simulate(pl, &trees, choice, &flow, spec, err);
  gb_site_trees_free(&trees);
  return status;
}

int gb_specs_price_like(gb_planner *pl, const gb_spec *like, uint64_t segment, uint32_t lanes, size_t intra,
                        size_t options, size_t options_count, gb_spec_visit *visit, void *context,
                        gbcast_error *err) {
  gb_flow flow = gb_spec_flow(pl, segment, lanes);
  gb_spec spec = *like;
  spec.segment = segment;
  spec.lanes = lanes;
  spec.intra = intra;
  int status = GBCAST_OK;
  for (spec.options = options; status == GBCAST_OK && spec.options < options + options_count;
       spec.options++) {
    bool again = false;
    if (options_count > 1)
      status = repeats_first_options(pl, &flow, &spec, &again, err);
    if (status == GBCAST_OK && !again)
      status = simulate_spec(pl, &spec, err);
    if (status == GBCAST_OK && !again)
      visit(context, &spec);
  }
  return status == GBCAST_EUSAGE ? GBCAST_OK : status; /* too many segments: other specs may do */
}

int gb_spec_own(gb_planner *pl, gb_spec *spec, bool may_change, bool *changed, gbcast_error *err) {
  uint32_t n = pl->plan->site_count;
  gb_flow flow = gb_spec_flow(pl, spec->segment, spec->lanes);
  gb_site_graph graph = {0}, whole = {0};
  gb_site_trees before = {0};
  gb_own_tree *found = &pl->own_tree;
  found->parent = malloc(n * sizeof *found->parent);
  int status = found->parent ? find_trees(pl, &flow, spec, &found->choice, &before, err) : gb_no_memory(err);
  if (status == GBCAST_OK)
    memcpy(found->parent, before.parent, n * sizeof *found->parent);
  if (status == GBCAST_OK && may_change && n > 1) {
    status = gb_spec_graph(pl, &flow, false, found->choice, &graph, err);
    if (status == GBCAST_OK)
      status = gb_spec_graph(pl, &flow, true, found->choice, &whole, err);
    if (status == GBCAST_OK)
      status = gb_local_search(pl, &flow, found->choice, &graph, &whole, found->parent, err);
  }
  *changed = status == GBCAST_OK && memcmp(found->parent, before.parent, n * sizeof *found->parent) != 0;
  gb_site_graph_free(&graph);
  gb_site_graph_free(&whole);
  gb_site_trees_free(&before);
  spec->own_tree = status == GBCAST_OK;
  return *changed ? simulate_spec(pl, spec, err) : status;
}
