#include "plan/search/kept_host_choices.h"
#include "plan/search/host_choice.h"
#include <stdlib.h>

int gb_locals_find(gb_planner *pl, const gb_flow *flow, size_t intra, size_t mix, const gb_local **local,
                   gbcast_error *err) {
  size_t n = pl->plan->site_count, at = 0;
  while (at < pl->kept_count && (pl->kept[at].segment != flow->segment || pl->kept[at].intra != intra))
    at++;
  if (at == pl->kept_count) {
    gb_kept_locals *kept = realloc(pl->kept, (at + 1) * sizeof *kept);
    if (!kept)
      return gb_no_memory(err);
    pl->kept = kept;
    kept[at] = (gb_kept_locals){
        .segment = flow->segment, .intra = intra, .local = malloc(GB_MIXES * n * sizeof *kept->local)};
    int status = kept[at].local ? gb_local_choose(pl, flow, intra, kept[at].local, err) : gb_no_memory(err);
    if (status != GBCAST_OK) {
      free(kept[at].local);
      return status;
    }
    pl->kept_count++;
  }
  *local = pl->kept[at].local + mix * n;
  return GBCAST_OK;
}
