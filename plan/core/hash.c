/* The plan's hash: what two ranks, or a rank and gbcast-plan, compare to know that they mean the same plan.
 * It covers everything that decides who sends what to whom in which order, by name, and nothing that only
 * describes it: of live values those that change a link, as they set the pace of what crosses it, but neither
 * their age nor where they are from. */
#include "plan/core/hash.h"
#include "plan/alltoall/alltoall.h"
#include "platform/overlay.h"
#include <string.h>

#define FNV_OFFSET 14695981039346656037ull
#define FNV_PRIME 1099511628211ull

static uint64_t mix_bytes(uint64_t h, const void *data, size_t length) {
  const unsigned char *byte = data;
  for (size_t i = 0; i < length; i++)
    h = (h ^ byte[i]) * FNV_PRIME;
  return h;
}

/* Least significant byte first, so that the hash does not depend on the machine. */
static uint64_t mix_number(uint64_t h, uint64_t value) {
  unsigned char byte[8];
  for (unsigned i = 0; i < 8; i++)
    byte[i] = (unsigned char)(value >> (8 * i));
  return mix_bytes(h, byte, sizeof byte);
}

/* With its end, so that of two in a row it is known where the second begins. */
static uint64_t mix_text(uint64_t h, const char *text) {
  return mix_bytes(h, text, strlen(text) + 1);
}

static uint64_t mix_value(uint64_t h, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return mix_number(h, bits);
}

static uint64_t mix_live(uint64_t h, const gbcast_platform *p) {
  for (uint32_t i = 0; p->weather != NULL && i < p->weather->count; i++) {
    const gb_finding *f = &p->weather->finding[i];
    const gb_reading *reading[] = {&f->latency, &f->bandwidth};
    for (uint32_t k = 0; k < 2; k++)
      if (gb_reading_changes(reading[k])) {
        h = mix_text(mix_text(h, p->cluster[f->from].name), p->cluster[f->to].name);
        h = mix_value(mix_number(h, k), reading[k]->value);
      }
  }
  return h;
}

static uint64_t mix_way(uint64_t h, const gb_way *way) {
  h = mix_number(h, (uint64_t)way->track << 32 | way->previous);
  h = mix_number(h, (uint64_t)way->lanes << 32 | way->early);
  h = mix_number(h, way->ahead);
  for (uint32_t l = 0; l < way->lanes; l++) {
    h = mix_number(h, way->lane[l + 1]);
  }
  for (uint32_t i = 0; i < way->lane[way->lanes]; i++) {
    h = mix_number(h, way->turn[i].machine);
    h = mix_number(h, (uint64_t)way->turn[i].first << 32 | way->turn[i].count);
  }
  return h;
}

static uint64_t mix_alltoall(uint64_t h, const gb_alltoall *a) {
  h = mix_text(h, a->sync.sync->name);
  h = mix_number(h, a->sync.block);
  for (uint32_t s = 0; s < a->site_count; s++) {
    const gb_phases *phases = &a->site[s].phases;
    for (uint32_t k = 0; k < phases->message_count; k++) {
      h = mix_number(h, phases->phase[k]);
      h = mix_number(h, (uint64_t)phases->message[k].from << 32 | phases->message[k].to);
    }
  }
  for (uint32_t w = 0; w < a->ways.count; w++) {
    h = mix_way(h, &a->ways.way[w]);
  }
  return h;
}

uint64_t gb_plan_hash_decision(const gbcast_plan *plan) {
  uint64_t h = mix_number(FNV_OFFSET, plan->operation);
  h = mix_number(h, plan->root);
  h = mix_number(h, (uint64_t)plan->rendezvous << 1 | (uint64_t)plan->native);
  for (uint32_t e = 0; e < plan->endpoint_count; e++) {
    h = mix_text(h, plan->platform->host[plan->endpoint[e].host].name);
    h = mix_number(h, plan->endpoint[e].k);
  }
  for (uint32_t t = 0; t < plan->tree_count; t++) {
    const gb_tree *tree = &plan->tree[t];
    h = mix_number(h, (uint64_t)tree->turn << 32 | tree->weight);
    h = mix_number(h, tree->segment);
    for (uint32_t e = 0; e <= plan->endpoint_count; e++)
      h = mix_number(h, tree->child_start[e]);
    for (uint32_t i = 0; i + 1 < plan->endpoint_count; i++)
      h = mix_number(h, tree->child[i]);
  }
  if (plan->alltoall)
    h = mix_alltoall(h, plan->alltoall);
  return mix_live(h, plan->platform);
}

uint64_t gb_plan_hash_for(const gbcast_plan *plan, uint64_t bytes) {
  return mix_number(plan->decision, bytes);
}
