/* Whether the transfers between clusters are what they should be. */
#include "plan/alltoall/make.h"

#include <stdlib.h>
#include <string.h>

/* Each receiver once from this host; marks them in seen[receivers]. */
static bool check_slot(const gb_lane_slot *slot, uint32_t receivers, bool *seen) {
  bool fits = slot->count > 0 && slot->first < receivers && slot->count <= receivers;
  for (uint32_t i = 0; fits && i < slot->count; i++) {
    bool *receiver = &seen[(slot->first + i) % receivers];
    fits = !*receiver;
    *receiver = true;
  }
  return fits;
}

/* seen: senders x receivers, zeros. */
static bool check_slots(const gb_site_transfer *transfer, uint32_t senders, uint32_t receivers, bool *seen) {
  uint64_t messages = 0;
  for (uint32_t l = 0; l < transfer->lanes; l++) {
    uint32_t before = 0;
    if (transfer->lane[l] >= transfer->lane[l + 1] || transfer->lane[l + 1] > 2 * senders) {
      return false;
    }
    for (uint32_t i = transfer->lane[l]; i < transfer->lane[l + 1]; i++) {
      const gb_lane_slot *slot = &transfer->slot[i];
      if (slot->machine >= senders || slot->before != before ||
          !check_slot(slot, receivers, &seen[(size_t)slot->machine * receivers])) {
        return false;
      }
      before += slot->count;
    }
    messages += before;
  }
  return messages == (uint64_t)senders * receivers;
}

static int check_transfer(const gb_alltoall *a, const gb_site_transfer *transfer, bool *seen,
                          gbcast_error *err) {
  const uint32_t senders = a->site[transfer->from].machines.count,
                 receivers = a->site[transfer->to].machines.count;
  const gb_site_transfers *transfers = &a->transfers;
  memset(seen, 0, (size_t)senders * receivers * sizeof *seen);
  if (transfer->lanes == 0 || transfer->lanes > senders || !check_slots(transfer, senders, receivers, seen)) {
    return gb_fail(err, GBCAST_EINPUT, "not every host of site %u sends once to each of site %u",
                   transfer->from, transfer->to);
  }
  const gb_site_transfer *previous =
      transfer->previous == GB_NONE ? NULL : &transfers->transfer[transfer->previous];
  const gb_site_transfer *next = transfer->next == GB_NONE ? NULL : &transfers->transfer[transfer->next];
  const uint32_t number = (uint32_t)(transfer - transfers->transfer);
  if (transfer->track == 0 || transfer->track >= transfers->tracks[transfer->from] ||
      (previous != NULL && (previous->next != number || previous->from != transfer->from ||
                            previous->track != transfer->track || previous->end > transfer->start)) ||
      (next != NULL && next->previous != number)) {
    return gb_fail(err, GBCAST_EINPUT, "from site %u to site %u: out of order on its track", transfer->from,
                   transfer->to);
  }
  return GBCAST_OK;
}

/* One transfer on each track has none before it. */
static int check_tracks(const gb_alltoall *a, gbcast_error *err) {
  for (uint32_t s = 0, w = 0; s < a->site_count; s++) {
    uint32_t first = 0;
    for (uint32_t end = w + a->site_count - 1; w < end; w++) {
      first += a->transfers.transfer[w].previous == GB_NONE;
    }
    if (first + 1 != a->transfers.tracks[s]) {
      return gb_fail(err, GBCAST_EINPUT, "site %u: %u first transfers for %u tracks", s, first,
                     a->transfers.tracks[s] - 1);
    }
  }
  return GBCAST_OK;
}

int gb_transfers_check(const gb_alltoall *a, gbcast_error *err) {
  uint32_t most = 1;
  for (uint32_t s = 0; s < a->site_count; s++) {
    most = a->site[s].machines.count > most ? a->site[s].machines.count : most;
  }
  bool *seen = malloc((size_t)most * most * sizeof *seen);
  int status = seen != NULL ? check_tracks(a, err) : gb_no_memory(err);
  for (uint32_t w = 0; status == GBCAST_OK && w < a->transfers.count; w++) {
    status = check_transfer(a, &a->transfers.transfer[w], seen, err);
  }
  free(seen);
  return status;
}
