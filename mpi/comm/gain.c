/* What news would gain: the plans that are in use, and those that would be made, priced over the new inputs.
 */
#include "mpi/comm/gain.h"
#include "mpi/comm/decide.h"
#include "plan/search/search.h"
#include <math.h>

enum { MOST = 8 }; /* plans that are looked at: each costs as much as a new one */

static double time_of(const gb_role *role) {
  return role->used * role->plan->predicted;
}

/* Of those that were used since the last look the one that took most time; NULL when there is none. */
static gb_role *next_role(const gb_cache *cache) {
  gb_role *best = NULL;
  for (gb_role *role = cache->newest; role != NULL; role = role->older)
    if (role->used > 0 && role->plan != NULL && !role->native &&
        (best == NULL || time_of(role) > time_of(best)))
      best = role;
  return best;
}

static int add(const gb_comm *c, const gbcast_platform *p, const gb_role *role, gb_gain *gain,
               gbcast_error *err) {
  const gbcast_plan *old = role->plan;
  gbcast_plan *new = NULL;
  double seconds = INFINITY;
  int status = gb_decide_over(c, p, old->operation, old->bytes, role->root, &new, err);
  if (status != GBCAST_OK)
    return status;
  status = gb_plan_price(old, p, &seconds, err);
  if (status == GBCAST_EINPUT) /* it is not possible any more */
    status = GBCAST_OK;
  gain->before += role->used * seconds;
  gain->after += role->used * new->predicted;
  gbcast_plan_free(new);
  return status;
}

int gb_gain_find(gb_comm *c, const gbcast_platform *p, gb_gain *out, gbcast_error *err) {
  int status = GBCAST_OK;
  gb_role *role;
  *out = (gb_gain){0};
  for (int i = 0; status == GBCAST_OK && i < MOST && (role = next_role(&c->cache)) != NULL; i++) {
    status = add(c, p, role, out, err);
    role->used = 0;
  }
  for (role = c->cache.newest; role != NULL; role = role->older)
    role->used = 0;
  return status;
}
