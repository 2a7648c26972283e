/* The price of one trial. Different algorithms often end in the same trees: a checksum of these, of their
 * shares and of what is sent down them tells. */
#include "plan/search/candidate_time.h"
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

static const gb_walked *find(const gb_planner *pl, uint64_t trees) {
  for (size_t i = 0; i < pl->walked_count; i++)
    if (pl->walked[i].trees == trees)
      return &pl->walked[i];
  return NULL;
}

static int remember(gb_planner *pl, gb_walked walked, gbcast_error *err) {
  gb_walked *grown = realloc(pl->walked, (pl->walked_count + 1) * sizeof *grown);
  if (!grown)
    return gb_no_memory(err);
  pl->walked = grown;
  grown[pl->walked_count++] = walked;
  return GBCAST_OK;
}

/* What the walk says; the fastest trees stay with the planner. */
static int take_price(gb_planner *pl, gb_composed *composed, gb_trial *trial, gbcast_error *err) {
  const bool streams = pl->plan->site_count > 1 && pl->plan->operation == GBCAST_BCAST;
  trial->predicted = gb_composed_time(pl->plan, composed);
  trial->copies = streams ? gb_schedule_copies(&composed->schedule, pl->net.p) : 0;
  int status = gb_terms_of(pl, composed, &trial->terms, err);
  if (status == GBCAST_OK && (!pl->fastest_trees.leaders || trial->predicted < pl->fastest.predicted)) {
    const gb_composed slower = pl->fastest_trees;
    pl->fastest = *trial;
    pl->fastest_trees = *composed;
    *composed = slower;
  }
  return status;
}

int gb_trial_walk(gb_planner *pl, const gb_site_trees *sites, const gb_local *local, const gb_flow *flow,
                  gb_trial *trial, gbcast_error *err) {
  gb_composed composed;
  int status = gb_compose_join(pl, sites, local, flow, &composed, err);
  if (status != GBCAST_OK)
    return status;
  trial->site_trees = composed.site_trees;
  const uint64_t trees = fingerprint(&composed, flow);
  const gb_walked *known = find(pl, trees);
  if (known) {
    trial->predicted = known->predicted;
    trial->previewed = known->previewed;
    trial->copies = known->copies;
    trial->terms = known->terms;
  } else {
    status = gb_preview_walk(pl, flow, trial, &composed, err);
    if (status == GBCAST_OK)
      status = take_price(pl, &composed, trial, err);
    if (status == GBCAST_OK)
      status = remember(
          pl, (gb_walked){trees, trial->predicted, trial->copies, trial->previewed, trial->terms}, err);
  }
  gb_composed_free(&composed);
  return status;
}
