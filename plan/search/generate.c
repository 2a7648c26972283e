/* What could be done: the specs from which the search starts. */
#include "plan/search/generate.h"
#include "plan/search/segments.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LANES_MOST 16u
#define SOME_LANES 4u  /* lanes of specs with several from which the search starts */
#define SHARES 16u     /* segments of each lane's share, at least, where the search starts */
#define SEGMENTS_UP 4u /* least segments of a lane's share where data go up: docs/planning.md */

/* The most lanes to try. Lanes may be more than hosts: each may then have other leaders at its ends, or a
 * stream of its own. Between single hosts all lanes are the same. */
static uint32_t most_lanes(const gbcast_plan *plan) {
  for (uint32_t s = 0; s < plan->site_count; s++)
    if (plan->site[s].hosts > 1)
      return LANES_MOST;
  return 1;
}

static bool are_one_switch(const gbcast_plan *plan) {
  for (uint32_t s = 0; s < plan->site_count; s++) {
    const gb_cluster *c = &plan->platform->cluster[plan->site[s].cluster];
    if (plan->site[s].hosts > 1 && c->switch_count > 0 && (c->switch_count > 1 || c->has_loose_hosts))
      return false;
  }
  return true;
}

int gb_choices_find(const gb_planner *pl, const gb_limits *limits, gb_choices *choices, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  *choices = (gb_choices){.pl = pl, .limits = limits, .whole = gb_segment_whole(pl), .most_lanes = 1};
  const bool named = limits->inter != SIZE_MAX || limits->intra != SIZE_MAX || limits->per_site;
  if (!gb_carries_blocks(plan->operation) &&
      plan->site_count > 1) /* who names algorithms wants their trees */
    choices->most_lanes = limits->lanes ? limits->lanes : named ? 1 : most_lanes(plan);
  choices->one_switch = are_one_switch(plan);
  const int status = gb_segment_least(pl, &choices->least, err);
  if (status == GBCAST_OK && gb_way_of(plan->operation) != GB_WAY_DOWN && !limits->lanes) {
    const uint64_t full = plan->class_bytes / (SEGMENTS_UP * choices->least);
    choices->most_lanes = full < choices->most_lanes ? (uint32_t)(full > 1 ? full : 1) : choices->most_lanes;
  }
  return status;
}

/* Whether every site's algorithm lets the message be cut, or the request says so. */
static bool may_cut(const gb_choices *c, size_t intra) {
  const gb_planner *pl = c->pl;
  if (c->limits->segment)
    return true;
  for (uint32_t s = 0; !gb_carries_blocks(pl->plan->operation) && s < pl->plan->site_count; s++) {
    const size_t forced = pl->forced_intra[s];
    if (!gb_intra_table[forced == SIZE_MAX ? intra : forced].segmented)
      return false;
  }
  return true;
}

bool gb_choices_allow_inside(const gb_choices *c, size_t intra, bool cut) {
  const gb_intra_algorithm *a = &gb_intra_table[intra];
  const gbcast_plan *plan = c->pl->plan;
  if (c->limits->intra != SIZE_MAX)
    return intra == c->limits->intra && (!cut || may_cut(c, intra));
  if (!a->automatic || a->native || !(a->operations >> gb_carries_blocks(plan->operation) & 1))
    return false;
  if (gb_carries_blocks(plan->operation))
    return plan->site_count > 1 || !a->leaderless;
  if (cut)
    return may_cut(c, intra);
  if (a->cut_only)
    return false;
  return a->one_switch ? c->one_switch : !a->whole_over_switches || !c->one_switch;
}

static bool may_be_between(const gb_choices *c, size_t inter) {
  const gb_inter_algorithm *a = &gb_inter_table[inter];
  const gbcast_plan *plan = c->pl->plan;
  if (plan->site_count == 1)
    return inter == 0;
  if (c->limits->inter != SIZE_MAX)
    return inter == c->limits->inter;
  if (inter == gb_inter_find("least-cost"))
    return c->pl->edge_price != NULL && !gb_carries_blocks(plan->operation);
  return a->automatic && !(a->bcast_only && gb_carries_blocks(plan->operation)) &&
         !(a->pack && gb_plan_members(plan) < 3);
}

typedef struct gb_specs {
  const gb_choices *choices;
  gb_spec *spec;
  size_t count, capacity;
} gb_specs;

static int add(gb_specs *list, gb_spec spec, gbcast_error *err) {
  if (list->count == list->capacity) {
    const size_t capacity = list->capacity ? 2 * list->capacity : 64;
    gb_spec *grown = realloc(list->spec, capacity * sizeof *grown);
    if (!grown)
      return gb_no_memory(err);
    list->spec = grown;
    list->capacity = capacity;
  }
  list->spec[list->count++] = spec;
  return GBCAST_OK;
}

/* The segment from which the search starts. */
static uint64_t first_segment(const gb_choices *c, uint32_t lanes) {
  const uint64_t block = c->pl->plan->class_bytes;
  if (gb_carries_blocks(c->pl->plan->operation))
    return gb_segment_near(c->pl, c->least, block < GB_START_SEGMENT ? block : GB_START_SEGMENT);
  const uint64_t share = c->pl->plan->class_bytes / lanes / SHARES, guess = gb_segment_guess(c->pl);
  return gb_segment_near(c->pl, c->least, share < guess ? share : guess);
}

/* The cheapest tree alone; trees that cost up to twice the least, or whatever they cost. */
static int add_spendings(gb_specs *list, gb_spec spec, gbcast_error *err) {
  int status = add(list, spec, err);
  spec.spending = 1;
  if (status == GBCAST_OK)
    status = add(list, spec, err);
  for (double more = 1; status == GBCAST_OK && more >= GB_SPENDING_LEAST; more /= 4) {
    spec.spending = 1 + more;
    status = add(list, spec, err);
  }
  return status;
}

/* Adds a spec, and if its tree over sites depends on the size of messages the one with that for whole ones.
 */
static int add_variants(gb_specs *list, gb_spec spec, gbcast_error *err) {
  const gb_choices *c = list->choices;
  if (c->pl->edge_price != NULL && spec.inter == gb_inter_find("least-cost"))
    return add_spendings(list, spec, err);
  int status = add(list, spec, err);
  if (status == GBCAST_OK && gb_spec_is_cut(c, &spec) && !gb_inter_table[spec.inter].pack &&
      c->pl->plan->site_count > 1 && !gb_carries_blocks(c->pl->plan->operation)) {
    spec.tree_bytes = c->whole;
    status = add(list, spec, err);
  }
  return status;
}

/* The most sites whose leaders exchange: each sends to all others. */
#define EXCHANGE_MOST 32u

/* Whether a site has one leader, and one tree. */
static bool may_lead(size_t intra) {
  return !gb_intra_table[intra].leaderless && gb_intra_trees(intra) == 1;
}

bool gb_choices_allow_exchange(const gb_choices *c, const gb_spec *spec) {
  const gbcast_plan *plan = c->pl->plan;
  if (gb_way_of(plan->operation) != GB_WAY_BOTH || spec->lanes > 1 ||
      (plan->site_count > 1 &&
       (c->limits->inter != SIZE_MAX || strcmp(gb_inter_table[spec->inter].name, "flat") != 0)))
    return false;
  return spec->exchange == GB_EXCHANGE_LEADERS
             ? plan->site_count > 1 && plan->site_count <= EXCHANGE_MOST && may_lead(spec->intra)
             : gb_carries_parts(plan->operation) && plan->schedule.endpoint_count <= GB_TREES_MOST &&
                   spec->intra == gb_intra_find("linear-contention-free", GB_BCAST);
}

/* Leaders send whole operands; only blocks are cut. */
static int add_exchanges(gb_specs *list, gb_spec spec, bool cut, gbcast_error *err) {
  int status = GBCAST_OK;
  if (cut && !gb_carries_parts(list->choices->pl->plan->operation))
    return GBCAST_OK;
  for (unsigned kind = GB_EXCHANGE_LEADERS; status == GBCAST_OK && kind <= GB_EXCHANGE_RINGS; kind++) {
    spec.exchange = (enum gb_exchange_kind)kind;
    if (gb_choices_allow_exchange(list->choices, &spec))
      status = add(list, spec, err);
  }
  return status;
}

/* Adds the specs in so many lanes; cut or whole. */
static int add_starts(gb_specs *list, uint32_t lanes, bool cut, gbcast_error *err) {
  const gb_choices *c = list->choices;
  const bool some = cut && !gb_carries_blocks(c->pl->plan->operation) && c->pl->plan->site_count > 1 &&
                    c->limits->intra == SIZE_MAX;
  const size_t two_tree = gb_intra_find("two-tree", GB_BCAST),
               chain = gb_intra_find("linear-contention-free", GB_BCAST);
  gb_spec spec = {.lanes = lanes, .segment = c->whole, .tree_bytes = c->whole, .spending = INFINITY};
  int status = GBCAST_OK;
  if (cut)
    spec.segment = spec.tree_bytes = c->limits->segment ? c->limits->segment : first_segment(c, lanes);
  for (spec.intra = 0; status == GBCAST_OK && spec.intra < gb_intra_count; spec.intra++)
    for (spec.inter = 0; status == GBCAST_OK && spec.inter < gb_inter_count; spec.inter++)
      if (may_be_between(c, spec.inter) && gb_choices_allow_inside(c, spec.intra, cut) &&
          (!some || spec.intra == two_tree || (spec.intra == chain && lanes == 1))) {
        status = add_variants(list, spec, err);
        if (status == GBCAST_OK)
          status = add_exchanges(list, spec, cut, err);
      }
  return status;
}

int gb_specs_generate(const gb_choices *c, gb_spec **spec, size_t *count, gbcast_error *err) {
  gb_specs list = {.choices = c};
  const bool whole = !c->limits->segment || c->limits->segment >= c->whole;
  const bool cut = c->limits->segment ? !whole : c->least < c->whole;
  const uint32_t forced = c->most_lanes > 1 ? c->limits->lanes : 1; /* 0: any */
  const uint32_t some = c->most_lanes < SOME_LANES ? c->most_lanes : SOME_LANES;
  int status = whole ? add_starts(&list, forced ? forced : 1, false, err) : GBCAST_OK;
  if (status == GBCAST_OK && cut)
    status = add_starts(&list, forced ? forced : 1, true, err);
  if (status == GBCAST_OK && cut && !forced && some > 1)
    status = add_starts(&list, some, true, err);
  *spec = list.spec;
  *count = list.count;
  return status;
}
