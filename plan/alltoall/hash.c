/* What an all-to-all adds to the hash of its plan: all that decides who sends what to whom, and when. */
#include "plan/alltoall/alltoall.h"

static uint64_t mix_way(uint64_t h, const gb_way *way) {
  h = gb_hash_number(h, (uint64_t)way->track << 32 | way->previous);
  h = gb_hash_number(h, (uint64_t)way->lanes << 32 | way->early);
  h = gb_hash_number(h, way->ahead);
  for (uint32_t l = 0; l < way->lanes; l++) {
    h = gb_hash_number(h, way->lane[l + 1]);
  }
  for (uint32_t i = 0; i < way->lane[way->lanes]; i++) {
    h = gb_hash_number(h, way->turn[i].machine);
    h = gb_hash_number(h, (uint64_t)way->turn[i].first << 32 | way->turn[i].count);
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
  for (uint32_t w = 0; w < a->ways.count; w++) {
    h = mix_way(h, &a->ways.way[w]);
  }
  return h;
}
