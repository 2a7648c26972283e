/* The price of one trial. Different algorithms often end in the same trees: a checksum of these, of their
 * shares and of what is sent down them tells. */
#include "plan/search/spec_time.h"
#include "plan/core/core.h"
#include "plan/search/preview.h"
#include "plan/search/terms.h"
#include "plan/sim/sim.h"
#include <stdlib.h>

static uint64_t fingerprint(const gb_composed *composed, const gb_flow *flow) {
  const gb_schedule *schedule = &composed->schedule;
  uint64_t sum = 0;
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    const gb_tree *tree = &schedule->tree[t];
    const uint64_t word[] = {sum, (uint64_t)tree->stage << 32 | tree->weight,
                             gb_checksum(tree->parent, schedule->endpoint_count * sizeof *tree->parent)};
    sum = gb_checksum(word, sizeof word);
  }
  const uint64_t word[] = {sum, flow->segment, gb_flow_lanes(flow), composed->site_trees};
  return gb_checksum(word, sizeof word);
}

static const gb_simulated_trees *find(const gb_planner *pl, uint64_t trees) {
  for (size_t i = 0; i < pl->simulated_count; i++)
    if (pl->simulated[i].trees == trees)
      return &pl->simulated[i];
  return NULL;
}

static int remember(gb_planner *pl, gb_simulated_trees simulated, gbcast_error *err) {
  gb_simulated_trees *grown = realloc(pl->simulated, (pl->simulated_count + 1) * sizeof *grown);
  if (!grown)
    return gb_no_memory(err);
  pl->simulated = grown;
  grown[pl->simulated_count++] = simulated;
  return GBCAST_OK;
}

/* What the walk says; the fastest trees stay with the planner. */
static int take_price(gb_planner *pl, gb_composed *composed, gb_spec *spec, gbcast_error *err) {
  const bool streams = pl->plan->site_count > 1 && pl->plan->operation == GBCAST_BCAST;
  spec->predicted = gb_composed_time(pl->plan, composed);
  spec->copies = streams ? gb_schedule_copies(&composed->schedule, pl->net.p) : 0;
  int status = gb_terms_of(pl, composed, &spec->terms, err);
  if (status == GBCAST_OK && (!pl->fastest_trees.leaders || spec->predicted < pl->fastest.predicted)) {
    const gb_composed slower = pl->fastest_trees;
    pl->fastest = *spec;
    pl->fastest_trees = *composed;
    *composed = slower;
  }
  return status;
}

int gb_spec_simulate(gb_planner *pl, const gb_site_trees *sites, const gb_host_choice *choice,
                     const gb_flow *flow, gb_spec *spec, gbcast_error *err) {
  gb_composed composed;
  int status = gb_compose_join(pl, sites, choice, flow, &composed, err);
  if (status != GBCAST_OK)
    return status;
  spec->site_trees = composed.site_trees;
  const uint64_t trees = fingerprint(&composed, flow);
  const gb_simulated_trees *known = find(pl, trees);
  if (known) {
    spec->predicted = known->predicted;
    spec->previewed = known->previewed;
    spec->copies = known->copies;
    spec->terms = known->terms;
  } else {
    status = gb_preview_simulate(pl, flow, spec, &composed, err);
    if (status == GBCAST_OK)
      status = take_price(pl, &composed, spec, err);
    if (status == GBCAST_OK)
      status = remember(
          pl, (gb_simulated_trees){trees, spec->predicted, spec->copies, spec->previewed, spec->terms}, err);
  }
  gb_composed_free(&composed);
  return status;
}
