/* The tracks of a site's hosts: each way on one whose last way is over when it begins, best of all on that
 * which is over last, so that it is told of an end at which it can begin. A new track is made when there is
 * none.
 *
 *   track 1   |== to lyon ======|== to rome =====|
 *   track 2   |= to delft =|        |= to york =|       waits for delft only, and may begin somewhat sooner
 *
 * So a site never has more ways under way at a time than planned. That a receiving site has no more than
 * planned is not ensured, as a word from another site would take longer than it is worth.
 *
 * The tracks are numbered from that whose first way has most left to do. */
#include "plan/alltoall/transfers.h"

#include <stdlib.h>

typedef struct entry {
  uint32_t way;
  double start, left;
} entry;

static int by_start(const void *left, const void *right) {
  const entry *a = left, *b = right;
  if (a->start < b->start || a->start > b->start) {
    return a->start < b->start ? -1 : 1;
  }
  if (a->left < b->left || a->left > b->left) {
    return a->left > b->left ? -1 : 1;
  }
  return (a->way > b->way) - (a->way < b->way);
}

/* The last ways of the tracks, in `last`: the one that ends last of those that are over, or `tracks`. */
static uint32_t find_track(const gb_ways *ways, const uint32_t *last, uint32_t tracks, double start) {
  uint32_t best = tracks;
  for (uint32_t k = 0; k < tracks; k++) {
    const double end = ways->way[last[k]].end;
    if (end <= start && (best == tracks || end > ways->way[last[best]].end)) {
      best = k;
    }
  }
  return best;
}

/* The ways of a site, from the first on. */
static void lay(gb_ways *ways, uint32_t first, uint32_t count, entry *list, uint32_t *last,
                uint32_t *tracks) {
  for (uint32_t i = 0; i < count; i++) {
    const gb_way *way = &ways->way[first + i];
    list[i] = (entry){.way = first + i, .start = way->start, .left = way->end - way->start + way->tail};
  }
  qsort(list, count, sizeof *list, by_start);
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; i++) {
    gb_way *way = &ways->way[list[i].way];
    const uint32_t track = find_track(ways, last, used, way->start);
    way->previous = track < used ? last[track] : GB_NONE;
    way->next = GB_NONE;
    way->track = track + 1;
    if (track < used) {
      ways->way[last[track]].next = list[i].way;
    } else {
      used++;
    }
    last[track] = list[i].way;
  }
  *tracks = used + 1;
}

int gb_ways_lay_tracks(gb_ways *ways, uint32_t sites, gbcast_error *err) {
  entry *list = calloc(sites, sizeof *list);
  uint32_t *last = calloc(sites, sizeof *last);
  if (list == NULL || last == NULL) {
    free(list);
    free(last);
    return gb_no_memory(err);
  }
  for (uint32_t s = 0; s < sites; s++) {
    lay(ways, s * (sites - 1), sites - 1, list, last, &ways->tracks[s]);
  }
  free(list);
  free(last);
  return GBCAST_OK;
}
