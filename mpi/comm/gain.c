/* What an update would gain: the plans that are in use, and those that would be made, priced over the new
 * inputs.
 */
#include "mpi/comm/gain.h"
#include "mpi/comm/decide.h"
#include "plan/search/search.h"
#include <math.h>

enum { MOST = 8 }; /* plans that are looked at: each costs as much as a new one */

static double time_of(const gb_rank_schedule *schedule) {
  return schedule->used * schedule->plan->predicted;
}

/* Of those that were used since the last look the one that took most time; NULL when there is none. */
static gb_rank_schedule *next_schedule(const gb_cache *cache) {
  gb_rank_schedule *best = NULL;
  for (gb_rank_schedule *schedule = cache->newest; schedule != NULL; schedule = schedule->older)
    if (schedule->used > 0 && schedule->plan != NULL && !schedule->native &&
        (best == NULL || time_of(schedule) > time_of(best)))
      best = schedule;
  return best;
}

static int add(const gb_comm *c, const gbcast_platform *p, const gb_rank_schedule *schedule, gb_gain *gain,
               gbcast_error *err) {
  const gbcast_plan *old = schedule->plan;
  gbcast_plan *new = NULL;
  double seconds = INFINITY;
  int status = gb_decide_over(c, p, old->operation, old->bytes, schedule->root, &new, err);
  if (status != GBCAST_OK)
    return status;
  status = gb_plan_price(old, p, &seconds, err);
  if (status == GBCAST_EINPUT) /* it is not possible any more */
    status = GBCAST_OK;
  gain->before += schedule->used * seconds;
  gain->after += schedule->used * new->predicted;
  gbcast_plan_free(new);
  return status;
}

int gb_gain_find(gb_comm *c, const gbcast_platform *p, gb_gain *out, gbcast_error *err) {
  int status = GBCAST_OK;
  gb_rank_schedule *schedule;
  *out = (gb_gain){0};
  for (int i = 0; status == GBCAST_OK && i < MOST && (schedule = next_schedule(&c->cache)) != NULL; i++) {
    status = add(c, p, schedule, out, err);
    schedule->used = 0;
  }
  for (schedule = c->cache.newest; schedule != NULL; schedule = schedule->older)
    schedule->used = 0;
  return status;
}
