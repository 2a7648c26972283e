#include "plan/search/steps.h"
#include "plan/search/segments.h"
#include <math.h>

gb_spec *gb_search_slot(gb_search_state *st, size_t intra, size_t inter, bool lanes) {
  size_t row = intra == GB_INTRA_MIXED ? gb_intra_count : intra;
  row += lanes ? gb_intra_count + 1 : 0;
  return &st->best[row * gb_inter_count + inter];
}

void gb_search_keep(void *context, const gb_spec *spec) {
  gb_search_state *st = context;
  gb_spec *slot = gb_search_slot(st, spec->intra, spec->inter, spec->lanes > 1);
  if (spec->predicted < slot->predicted)
    *slot = *spec;
  if (spec->predicted < st->lowest)
    st->lowest = spec->predicted;
  if (spec->predicted < st->top.predicted)
    st->top = *spec;
}

int gb_search_price(gb_search_state *st, uint64_t segment, size_t intra, gbcast_error *err) {
  st->lowest = INFINITY;
  if (st->follow)
    return gb_specs_price_like(st->pl, st->follow, segment, st->lanes, intra, st->options, st->options_count,
                               gb_search_keep, st, err);
  size_t wanted = st->limits->inter, first = 0, end = st->exact;
  if (wanted != SIZE_MAX && wanted != st->exact) {
    first = wanted;
    end = wanted + 1;
  } else if (st->pl->plan->site_count == 1)
    end = 1;
  return gb_specs_price(st->pl, segment, st->lanes, intra, st->options, first, end, gb_search_keep, st, err);
}

int gb_search_price_rank_trees(gb_search_state *st, uint64_t segment, size_t intra, gbcast_error *err) {
  int status = gb_search_price(st, segment, intra, err);
  if (status == GBCAST_OK && gb_plan_has_nodes(st->pl->plan)) {
    const double with_all = st->lowest;
    st->options = GB_HOST_OPTIONS_PLAIN;
    status = gb_search_price(st, segment, intra, err);
    st->options = GB_HOST_OPTIONS_ALL;
    st->lowest = with_all < st->lowest ? with_all : st->lowest;
  }
  return status;
}

int gb_search_descend(gb_search_state *st, size_t intra, const uint64_t *list, size_t count, size_t at,
                      gbcast_error *err) {
  double value[GB_SEGMENT_SIZES_MOST];
  for (size_t i = 0; i < GB_SEGMENT_SIZES_MOST; i++)
    value[i] = -1;
  for (;;) {
    size_t next = at;
    for (size_t i = at > 0 ? at - 1 : at; i <= at + 1 && i < count; i++) {
      if (value[i] < 0) {
        int status = gb_search_price(st, list[i], intra, err);
        if (status != GBCAST_OK)
          return status;
        value[i] = st->lowest;
      }
      if (value[i] < value[next] || value[next] < 0)
        next = i;
    }
    if (next == at)
      return GBCAST_OK;
    at = next;
  }
}

bool gb_search_allows(const gb_search_state *st, size_t intra, bool cut) {
  const gb_planner *pl = st->pl;
  if (pl->plan->operation == GBCAST_SCATTER)
    return true;
  for (uint32_t s = 0; s < pl->plan->site_count; s++) {
    size_t a = pl->forced_intra[s] != SIZE_MAX ? pl->forced_intra[s] : intra;
    if (a != GB_INTRA_MIXED && a != GB_INTRA_AUTO && cut && !gb_intra_table[a].segmented)
      return false;
  }
  return true;
}
