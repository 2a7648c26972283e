/* The neighbours of a spec: each differs from it in one choice. */
#include "plan/search/generate.h"
#include "plan/search/segments.h"
#include <math.h>

enum {
  LESS,
  MORE,
  MORE_LANES,
  FEWER_LANES,
  EVEN_MORE,
  EVEN_FEWER,
  EVEN_MORE_THERE,
  EVEN_FEWER_THERE,
  OTHER_TREES,
  CHEAPER,
  FASTER,
  RANK_TREES
};

size_t gb_spec_neighbours(void) {
  return RANK_TREES + gb_node_count + gb_intra_count;
}

static bool step_segment(const gb_choices *c, bool up, bool fine, gb_spec *spec) {
  const uint64_t before = spec->segment,
                 times = up     ? fine ? 4 : 2
                         : fine ? 3
                                : 1,
                 by = up     ? fine ? 3 : 1
                      : fine ? 4
                             : 2;
  if (c->limits->segment || !gb_spec_is_cut(c, spec))
    return false;
  spec->segment = gb_segment_near(c->pl, c->least, before / by * times);
  if (spec->tree_bytes == before && !gb_inter_table[spec->inter].pack) /* several trees take longer to make */
    spec->tree_bytes = spec->segment;
  return spec->segment != before && spec->segment < c->whole;
}

static uint32_t fewest_hosts_elsewhere(const gbcast_plan *plan) {
  uint32_t fewest = UINT32_MAX;
  for (uint32_t s = 0; s < gb_plan_members(plan); s++)
    if (s != plan->root_site && plan->site[s].hosts < fewest)
      fewest = plan->site[s].hosts;
  return fewest;
}

/* Twice or half as many lanes, or the next number with which the hosts of the root's site, or of the other
 * one with the fewest, lead equally many: equal streams end together. The root leads none, unless it is
 * alone. */
static bool step_lanes(const gb_choices *c, size_t k, gb_spec *spec) {
  const gbcast_plan *plan = c->pl->plan;
  if (c->limits->lanes || c->most_lanes == 1)
    return false;
  const uint32_t hosts = plan->site[plan->root_site].hosts, leaders = hosts > 1 ? hosts - 1 : 1;
  const uint32_t before = spec->lanes, step = k < EVEN_MORE_THERE ? leaders : fewest_hosts_elsewhere(plan);
  spec->lanes = k == MORE_LANES                          ? 2 * before
                : k == FEWER_LANES                       ? before / 2
                : k == EVEN_MORE || k == EVEN_MORE_THERE ? before / step * step + step
                                                         : (before - 1) / step * step;
  if (spec->lanes > c->most_lanes)
    spec->lanes = k == MORE_LANES ? c->most_lanes : before;
  return spec->lanes > 0 && spec->lanes != before;
}

/* Trees over sites that are made for messages of another size. */
static bool change_trees(const gb_choices *c, gb_spec *spec) {
  const uint64_t before = spec->tree_bytes;
  if (gb_carries_blocks(c->pl->plan->operation) || c->pl->plan->site_count == 1 || !gb_spec_is_cut(c, spec))
    return false;
  if (before != spec->segment)
    spec->tree_bytes = spec->segment;
  else if (!gb_inter_table[spec->inter].pack)
    spec->tree_bytes = c->whole;
  return spec->tree_bytes != before;
}

/* Trees over sites that cost less, or more and are faster. */
static bool step_spending(bool cheaper, bool fine, gb_spec *spec) {
  const double step = fine ? 4.0 / 3 : 2, more = spec->spending - 1;
  if (spec->spending == INFINITY || more == 0 || (cheaper && more < GB_SPENDING_LEAST))
    return false;
  spec->spending = 1 + (cheaper ? more / step : more * step);
  return true;
}

static bool change(const gb_choices *c, const gb_spec *spec, size_t k, bool fine, gb_spec *other) {
  *other = *spec;
  if (k == LESS || k == MORE)
    return step_segment(c, k == MORE, fine, other);
  if (k < OTHER_TREES)
    return step_lanes(c, k, other);
  if (k == OTHER_TREES)
    return change_trees(c, other);
  if (k == CHEAPER || k == FASTER)
    return step_spending(k == CHEAPER, fine, other);
  if (k < RANK_TREES + gb_node_count) {
    other->node = k - RANK_TREES;
    return other->node != spec->node && gb_plan_has_nodes(c->pl->plan);
  }
  other->intra = k - RANK_TREES - gb_node_count;
  return other->intra < gb_intra_count && other->intra != spec->intra &&
         gb_choices_allow_inside(c, other->intra, gb_spec_is_cut(c, spec));
}

bool gb_spec_neighbour(const gb_choices *c, const gb_spec *spec, size_t k, bool fine, gb_spec *other) {
  return change(c, spec, k, fine, other) && (other->lanes == 1 || !gb_intra_table[other->intra].one_lane) &&
         (other->exchange == GB_UP_AND_DOWN || gb_choices_allow_exchange(c, other));
}
