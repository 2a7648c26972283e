/* Whether the ways between clusters are what they should be. */
#include "plan/alltoall/alltoall.h"

#include <stdlib.h>
#include <string.h>

/* Each receiver once from this host; marks them in seen[receivers]. */
static bool add_turn(const gb_turn *turn, uint32_t receivers, bool *seen) {
  bool fits = turn->count > 0 && turn->first < receivers && turn->count <= receivers;
  for (uint32_t i = 0; fits && i < turn->count; i++) {
    bool *receiver = &seen[(turn->first + i) % receivers];
    fits = !*receiver;
    *receiver = true;
  }
  return fits;
}

/* seen: senders x receivers, zeros. */
static bool check_turns(const gb_way *way, uint32_t senders, uint32_t receivers, bool *seen) {
  uint64_t messages = 0;
  for (uint32_t l = 0; l < way->lanes; l++) {
    uint32_t slot = 0;
    if (way->lane[l] >= way->lane[l + 1] || way->lane[l + 1] > 2 * senders) {
      return false;
    }
    for (uint32_t i = way->lane[l]; i < way->lane[l + 1]; i++) {
      const gb_turn *turn = &way->turn[i];
      if (turn->machine >= senders || turn->slot != slot ||
          !add_turn(turn, receivers, &seen[(size_t)turn->machine * receivers])) {
        return false;
      }
      slot += turn->count;
    }
    messages += slot;
  }
  return messages == (uint64_t)senders * receivers;
}

static int check_way(const gb_alltoall *a, const gb_way *way, bool *seen, gbcast_error *err) {
  const uint32_t senders = a->site[way->from].machines.count, receivers = a->site[way->to].machines.count;
  const gb_ways *ways = &a->ways;
  memset(seen, 0, (size_t)senders * receivers * sizeof *seen);
  if (way->lanes == 0 || way->lanes > senders || !check_turns(way, senders, receivers, seen)) {
    return gb_fail(err, GBCAST_EINPUT, "not every host of site %u sends once to each of site %u", way->from,
                   way->to);
  }
  const gb_way *previous = way->previous == GB_NONE ? NULL : &ways->way[way->previous];
  const gb_way *next = way->next == GB_NONE ? NULL : &ways->way[way->next];
  const uint32_t number = (uint32_t)(way - ways->way);
  if (way->track == 0 || way->track >= ways->tracks[way->from] ||
      (previous != NULL && (previous->next != number || previous->from != way->from ||
                            previous->track != way->track || previous->end > way->start)) ||
      (next != NULL && next->previous != number)) {
    return gb_fail(err, GBCAST_EINPUT, "from site %u to site %u: not in its turn on a track", way->from,
                   way->to);
  }
  return GBCAST_OK;
}

/* One way on each track has none before it. */
static int check_tracks(const gb_alltoall *a, gbcast_error *err) {
  for (uint32_t s = 0, w = 0; s < a->site_count; s++) {
    uint32_t first = 0;
    for (uint32_t end = w + a->site_count - 1; w < end; w++) {
      first += a->ways.way[w].previous == GB_NONE;
    }
    if (first + 1 != a->ways.tracks[s]) {
      return gb_fail(err, GBCAST_EINPUT, "site %u: %u first ways for %u tracks", s, first,
                     a->ways.tracks[s] - 1);
    }
  }
  return GBCAST_OK;
}

int gb_ways_check(const gb_alltoall *a, gbcast_error *err) {
  uint32_t most = 1;
  for (uint32_t s = 0; s < a->site_count; s++) {
    most = a->site[s].machines.count > most ? a->site[s].machines.count : most;
  }
  bool *seen = malloc((size_t)most * most * sizeof *seen);
  int status = seen != NULL ? check_tracks(a, err) : gb_no_memory(err);
  for (uint32_t w = 0; status == GBCAST_OK && w < a->ways.count; w++) {
    status = check_way(a, &a->ways.way[w], seen, err);
  }
  free(seen);
  return status;
}
