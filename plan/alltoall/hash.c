/* What an all-to-all adds to the hash of its plan: all that decides who sends what to whom, and when. */
#include "plan/alltoall/alltoall.h"

static uint64_t hash_transfer(uint64_t h, const gb_site_transfer *transfer) {
  h = gb_hash_number(h, (uint64_t)transfer->track << 32 | transfer->previous);
  h = gb_hash_number(h, (uint64_t)transfer->lanes << 32 | transfer->early);
  h = gb_hash_number(h, transfer->ahead);
  for (uint32_t l = 0; l < transfer->lanes; l++) {
    h = gb_hash_number(h, transfer->lane[l + 1]);
  }
  for (uint32_t i = 0; i < transfer->lane[transfer->lanes]; i++) {
    h = gb_hash_number(h, transfer->slot[i].machine);
    h = gb_hash_number(h, (uint64_t)transfer->slot[i].first << 32 | transfer->slot[i].count);
  }
  return h;
}

uint64_t gb_alltoall_hash(uint64_t h, const gb_alltoall *a) {
  h = gb_hash_text(h, a->sync.sync->name);
  h = gb_hash_number(h, a->sync.block);
  for (uint32_t s = 0; s < a->site_count; s++) {
    const gb_phases *phases = &a->site[s].phases;
    for (uint32_t k = 0; k < phases->message_count; k++) {
      h = gb_hash_number(h, phases->phase[k]);
      h = gb_hash_number(h, (uint64_t)phases->message[k].from << 32 | phases->message[k].to);
    }
  }
  for (uint32_t w = 0; w < a->transfers.count; w++) {
    h = hash_transfer(h, &a->transfers.transfer[w]);
  }
  return h;
}
