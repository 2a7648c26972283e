/* Forcing an option never gives a plan that is much faster than the one that is chosen. */
#include "inter/inter.h"
#include "intra/intra.h"
#include "plan/core/core.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"

static const gb_grid_kind any_grid = {
    .sites = 6, .hosts = 12, .slots = 2, .switches = true, .caps = true, .sparse = true, .windows = true};

/* One of the options that `auto` tries, or none. What knows relays is for another objective. */
static const char *some_inter(gb_random *r) {
  const gb_inter_algorithm *of_time[16];
  size_t count = 0;
  for (size_t i = 0; i < gb_inter_count; i++)
    if (!gb_inter_table[i].relays)
      of_time[count++] = &gb_inter_table[i];
  const size_t i = random_below(r, (uint32_t)(2 * count));
  return i < count && of_time[i]->automatic ? of_time[i]->name : NULL;
}

static const char *some_intra(gb_random *r) {
  const size_t i = random_below(r, (uint32_t)(2 * gb_intra_count));
  return i < gb_intra_count && gb_intra_table[i].automatic && !gb_intra_table[i].native &&
                 (gb_intra_table[i].operations >> GB_BCAST & 1)
             ? gb_intra_table[i].name
             : NULL;
}

Test(automatic, no_forced_option_is_much_faster) {
  gb_random r = {2027};
  double worst = 1;
  int tries = 0, faster = 0, much = 0;
  for (int round = 0; round < ROUNDS(200); round++) {
    gbcast_platform *p = random_platform(&r, any_grid);
    gbcast_request request = {.bytes = gb_size_class((uint64_t)512 << random_below(&r, 16))};
    gbcast_plan *chosen = make(p, request);
    for (int i = 0; i < 8; i++) {
      gbcast_plan *forced = NULL;
      request.inter = some_inter(&r);
      request.intra = some_intra(&r);
      request.lanes = random_below(&r, 2) ? 0 : 1u << random_below(&r, 5);
      request.segment = random_below(&r, 2) ? 0 : (uint64_t)4096 << random_below(&r, 6);
      if (gbcast_plan_make(p, &request, &forced, NULL) != GBCAST_OK)
        continue; /* as many trees as that are too many */
      const double gain = chosen->predicted / forced->predicted;
      worst = gain > worst ? gain : worst;
      faster += gain > 1.01;
      much += gain > 1.02; /* 1 % for the simplest of those that are as good, 1 % for the search */
      tries++;
      gbcast_plan_free(forced);
    }
    gbcast_plan_free(chosen);
    gbcast_platform_free(p);
  }
  cr_assert(faster * 40 <= tries && much * 100 <= tries && worst < 1.1,
            "of %d %d are faster by more than 1 %%, %d by more than 2 %%, up to %g times", tries, faster,
            much, worst);
}
