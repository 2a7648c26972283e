#include "plan/search/site_moves.h"
#include "platform/platform.h"

static void swap_sites(uint32_t *parent, uint32_t n, uint32_t a, uint32_t b) {
  for (uint32_t v = 0; v < n; v++)
    parent[v] = parent[v] == a ? b : parent[v] == b ? a : parent[v];
  uint32_t above = parent[a]; /* already exchanged if one is the other's parent */
  parent[a] = parent[b];
  parent[b] = above;
}

void gb_site_move_apply(uint32_t *parent, uint32_t n, gb_site_move move) {
  uint32_t above = parent[move.site];
  if (move.change == GB_HANG)
    parent[move.site] = move.other;
  else if (move.change == GB_SWAP)
    swap_sites(parent, n, move.site, move.other);
  else
    for (uint32_t v = 0; v < n; v++)
      parent[v] = parent[v] == above && v != move.site ? move.site : parent[v];
}

uint32_t gb_site_move_insert(gb_site_move *list, uint32_t count, uint32_t most, gb_site_move move) {
  uint32_t at = count < most ? count : most - 1;
  if (count == most && list[at].estimate <= move.estimate)
    return count;
  for (; at > 0 && list[at - 1].estimate > move.estimate; at--)
    list[at] = list[at - 1];
  list[at] = move;
  return count < most ? count + 1 : count;
}

bool gb_site_is_below(const uint32_t *parent, uint32_t u, uint32_t v) {
  while (u != GB_NONE && u != v)
    u = parent[u];
  return u == v;
}
