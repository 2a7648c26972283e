#include "plan/kept_locals.h"
#include "plan/local.h"
#include <stdlib.h>
#include <string.h>

void gb_locals_copy(size_t sites, const gb_locals *from, gb_locals *to) {
  memcpy(to->intra, from->intra, sites * sizeof *to->intra);
  memcpy(to->one_tree, from->one_tree, sites * sizeof *to->one_tree);
}

int gb_locals_find(gb_planner *pl, const gb_flow *flow, size_t intra, gb_locals *locals, gbcast_error *err) {
  uint32_t n = pl->plan->site_count;
  for (size_t i = 0; intra == GB_INTRA_MIXED && i < pl->kept_count; i++)
    if (pl->kept[i].segment == flow->segment) {
      gb_locals_copy(n, &pl->kept[i].locals, locals);
      return GBCAST_OK;
    }
  int status = gb_local_choose(pl, flow, intra, locals, err);
  if (status != GBCAST_OK || intra != GB_INTRA_MIXED)
    return status;
  gb_kept_locals *kept = realloc(pl->kept, (pl->kept_count + 1) * sizeof *kept);
  if (!kept)
    return gb_no_memory(err);
  pl->kept = kept;
  status = gb_locals_new(n, &kept[pl->kept_count].locals, err);
  if (status != GBCAST_OK)
    return status;
  kept[pl->kept_count].segment = flow->segment;
  gb_locals_copy(n, locals, &kept[pl->kept_count++].locals);
  return GBCAST_OK;
}
