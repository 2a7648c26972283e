/* The plan's hash. Two ranks, or a rank and gbcast-plan, compare it to know that they have the same plan. It
 * covers all that decides who sends what to whom in which order, with hosts by name, and the live values that
 * change a link, because they set the pace of the messages. It does not cover what only describes the plan,
 * such as the age and the source of live values. */
#include "plan/core/core.h"
#include "platform/live/live.h"
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
uint64_t gb_hash_number(uint64_t h, uint64_t value) {
  unsigned char byte[8];
  for (unsigned i = 0; i < 8; i++)
    byte[i] = (unsigned char)(value >> (8 * i));
  return mix_bytes(h, byte, sizeof byte);
}

/* Includes the terminating zero, so that "ab", "c" and "a", "bc" differ. */
uint64_t gb_hash_text(uint64_t h, const char *text) {
  return mix_bytes(h, text, strlen(text) + 1);
}

static uint64_t mix_value(uint64_t h, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return gb_hash_number(h, bits);
}

uint64_t gb_hash_live(uint64_t h, const gbcast_platform *p) {
  for (uint32_t i = 0; p->weather != NULL && i < p->weather->count; i++) {
    const gb_finding *f = &p->weather->finding[i];
    const gb_reading *reading[] = {&f->latency, &f->bandwidth};
    for (uint32_t k = 0; k < 2; k++)
      if (gb_reading_changes(reading[k])) {
        h = gb_hash_text(gb_hash_text(h, p->cluster[f->from].name), p->cluster[f->to].name);
        h = mix_value(gb_hash_number(h, k), reading[k]->value);
      }
  }
  return h;
}

uint64_t gb_hash_trees(const gbcast_plan *plan) {
  uint64_t h = gb_hash_number(FNV_OFFSET, plan->operation);
  h = gb_hash_number(h, plan->schedule.root);
  h = gb_hash_number(h, (uint64_t)plan->rendezvous << 1 | (uint64_t)plan->native);
  for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++) {
    h = gb_hash_text(h, plan->platform->host[plan->schedule.endpoint[e].host].name);
    h = gb_hash_number(h, plan->schedule.endpoint[e].k);
  }
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    const gb_tree *tree = &plan->schedule.tree[t];
    h = gb_hash_number(h, (uint64_t)tree->stage << 32 | tree->weight);
    h = gb_hash_number(h, tree->segment);
    for (uint32_t e = 0; e <= plan->schedule.endpoint_count; e++)
      h = gb_hash_number(h, tree->child_start[e]);
    for (uint32_t i = 0; i < tree->child_start[plan->schedule.endpoint_count]; i++)
      h = gb_hash_number(h, tree->child[i]);
  }
  const char *exchange = gb_exchange_name(plan->schedule.exchange);
  return exchange != NULL ? gb_hash_text(h, exchange) : h;
}

uint64_t gb_plan_hash_for(const gbcast_plan *plan, uint64_t bytes) {
  return gb_hash_number(plan->decision, bytes);
}
