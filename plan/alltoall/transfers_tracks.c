/* The tracks of a site's hosts: each transfer is put on one whose last transfer is over when it begins, best
 * of all on the one that is over last, so that its signal comes when it can begin. A new track is made when
 * there is none.
 *
 *   track 1   |== to lyon ======|== to rome =====|
 *   track 2   |= to delft =|        |= to york =|       waits for delft only, and may begin somewhat sooner
 *
 * So a site never has more transfers under way at a time than planned. That a receiving site has no more than
 * planned is not ensured, as a signal from another site would take longer than it is worth.
 *
 * The tracks are numbered from the one whose first transfer has most left to do. */
#include "plan/alltoall/make.h"

#include <stdlib.h>

typedef struct track_entry {
  uint32_t transfer;
  double start, left;
} track_entry;

static int by_start(const void *left, const void *right) {
  const track_entry *a = left, *b = right;
  if (a->start < b->start || a->start > b->start) {
    return a->start < b->start ? -1 : 1;
  }
  if (a->left < b->left || a->left > b->left) {
    return a->left > b->left ? -1 : 1;
  }
  return (a->transfer > b->transfer) - (a->transfer < b->transfer);
}

/* The last transfers of the tracks, in `last`: the one that ends last of those that are over, or `tracks`. */
static uint32_t find_track(const gb_site_transfers *transfers, const uint32_t *last, uint32_t tracks,
                           double start) {
  uint32_t best = tracks;
  for (uint32_t k = 0; k < tracks; k++) {
    const double end = transfers->transfer[last[k]].end;
    if (end <= start && (best == tracks || end > transfers->transfer[last[best]].end)) {
      best = k;
    }
  }
  return best;
}

/* The transfers of a site, from the first on. */
static void set_site_tracks(gb_site_transfers *transfers, uint32_t first, uint32_t count, track_entry *list,
                            uint32_t *last, uint32_t *tracks) {
  for (uint32_t i = 0; i < count; i++) {
    const gb_site_transfer *transfer = &transfers->transfer[first + i];
    list[i] = (track_entry){.transfer = first + i,
                            .start = transfer->start,
                            .left = transfer->end - transfer->start + transfer->tail};
  }
  qsort(list, count, sizeof *list, by_start);
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; i++) {
    gb_site_transfer *transfer = &transfers->transfer[list[i].transfer];
    const uint32_t track = find_track(transfers, last, used, transfer->start);
    transfer->previous = track < used ? last[track] : GB_NONE;
    transfer->next = GB_NONE;
    transfer->track = track + 1;
    if (track < used) {
      transfers->transfer[last[track]].next = list[i].transfer;
    } else {
      used++;
    }
    last[track] = list[i].transfer;
  }
  *tracks = used + 1;
}

int gb_transfers_set_tracks(gb_site_transfers *transfers, uint32_t sites, gbcast_error *err) {
  track_entry *list = calloc(sites, sizeof *list);
  uint32_t *last = calloc(sites, sizeof *last);
  if (list == NULL || last == NULL) {
    free(list);
    free(last);
    return gb_no_memory(err);
  }
  for (uint32_t s = 0; s < sites; s++) {
    set_site_tracks(transfers, s * (sites - 1), sites - 1, list, last, &transfers->tracks[s]);
  }
  free(list);
  free(last);
  return GBCAST_OK;
}

/* A transfer that follows another begins a signal later. */
double gb_transfers_time(const gb_site_transfers *transfers, uint64_t bytes) {
  const double scale = gb_transfers_scale(transfers, bytes);
  double most = 0;
  if (bytes == 0) {
    return 0;
  }
  for (uint32_t w = 0; w < transfers->count; w++) {
    const gb_site_transfer *transfer = &transfers->transfer[w];
    double time = (transfer->end + transfer->extra) * scale + transfer->tail;
    for (uint32_t p = transfer->previous; p != GB_NONE; p = transfers->transfer[p].previous) {
      time += transfers->transfer[p].extra * scale + transfers->signal_time[transfer->from];
    }
    most = time > most ? time : most;
  }
  return most;
}
