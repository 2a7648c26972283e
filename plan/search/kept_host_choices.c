#include "plan/search/kept_host_choices.h"
#include "plan/search/host_choice.h"
#include <stdlib.h>

int gb_host_choices_find(gb_planner *pl, const gb_flow *flow, size_t intra, size_t options,
                         const gb_host_choice **choice, gbcast_error *err) {
  size_t n = pl->plan->site_count, at = 0;
  while (at < pl->kept_count && (pl->kept[at].segment != flow->segment || pl->kept[at].intra != intra))
    at++;
  if (at == pl->kept_count) {
    gb_kept_host_choices *kept = realloc(pl->kept, (at + 1) * sizeof *kept);
    if (!kept)
      return gb_no_memory(err);
    pl->kept = kept;
    kept[at] = (gb_kept_host_choices){.segment = flow->segment,
                                      .intra = intra,
                                      .choice = malloc(GB_HOST_OPTIONS * n * sizeof *kept->choice)};
    int status = kept[at].choice ? gb_host_choose(pl, flow, intra, kept[at].choice, err) : gb_no_memory(err);
    if (status != GBCAST_OK) {
      free(kept[at].choice);
      return status;
    }
    pl->kept_count++;
  }
  *choice = pl->kept[at].choice + options * n;
  return GBCAST_OK;
}
