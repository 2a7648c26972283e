/* Exchanges between sites: their names, and who is next to whom where blocks go round rings. */
#include "plan/core/core.h"
#include <string.h>

static const char *const exchange_names[] = {
    [GB_UP_AND_DOWN] = NULL, [GB_EXCHANGE_LEADERS] = "exchange", [GB_EXCHANGE_RINGS] = "rings"};

const char *gb_exchange_name(enum gb_exchange_kind kind) {
  return exchange_names[kind];
}

enum gb_exchange_kind gb_exchange_find(const char *name) {
  for (unsigned kind = GB_EXCHANGE_LEADERS; kind <= GB_EXCHANGE_RINGS; kind++)
    if (name != NULL && strcmp(name, exchange_names[kind]) == 0)
      return (enum gb_exchange_kind)kind;
  return GB_UP_AND_DOWN;
}

void gb_rings_order(const gb_schedule *schedule, const gb_site *site, uint32_t sites, uint32_t *order) {
  const uint32_t n = schedule->endpoint_count;
  uint32_t *preorder = order + n;
  gb_tree_preorder(&schedule->tree[0], schedule->root, preorder);
  for (uint32_t s = 0; s < sites; s++)
    for (uint32_t i = 0, next = site[s].first_endpoint; i < n; i++)
      if (preorder[i] - site[s].first_endpoint < site[s].endpoint_count)
        order[next++] = preorder[i];
}

uint32_t gb_rings_entry(const gb_site *from, uint32_t place, const gb_site *to) {
  return (uint32_t)((uint64_t)place * to->endpoint_count / from->endpoint_count);
}
