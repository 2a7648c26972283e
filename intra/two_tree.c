/* Two binary trees with half of the message each, so that every host's link is busy in both directions:
 * Sanders, Speck and Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan" (2009).
 * host[0] sends each half to the root of its tree; the trees are over the p = P - 1 others, numbered from 1.
 *
 *   tree 0, in order, p = 6:      4           tree 1, mirrored:      3
 *                               2   6                              5   1
 *                              1 3 5                              6 4 2
 *
 * In tree 0 even hosts have children and odd ones none. Tree 1 has the hosts at other places, from the end on
 * when p is even and one further when p is odd, so that nobody has children in both.
 *
 * About ceil(log2 P) (2 g(s) + L(s)) + 2 (k - 1) g(s), with k segments of s bytes in a half: a host with two
 * children passes a segment on every 2 g(s). Where both halves wait for a host's link at the start it takes a
 * little longer. */
#include "intra/algorithms.h"

/* Where the in-order tree without an end has the node above position x (from 1): x's lowest bit is one level.
 */
static uint64_t above(uint64_t x) {
  uint64_t level = x & (~x + 1);
  return (x & 2 * level) != 0 ? x - level : x + level;
}

static uint32_t place_of(uint32_t host, uint32_t last, uint32_t tree) {
  if (tree == 0)
    return host;
  return last % 2 == 0 ? last + 1 - host : host % last + 1;
}

static uint32_t host_at(uint32_t place, uint32_t last, uint32_t tree) {
  if (tree == 0)
    return place;
  return last % 2 == 0 ? last + 1 - place : place == 1 ? last : place - 1;
}

int gb_intra_build_two_tree(const gbcast_platform *p, const uint32_t *host, uint32_t count, uint32_t tree,
                            uint32_t *parent, gbcast_error *err) {
  (void)p;
  (void)host;
  (void)err;
  uint32_t last = count > 0 ? count - 1 : 0, top = (uint32_t)1 << gb_floor_log2(last);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t place = i == 0 ? 0 : place_of(i, last, tree);
    parent[i] = i == 0 ? GB_NONE : 0;
    if (i == 0 || place == top)
      continue;
    uint64_t up = above(place);
    while (up > last) /* not there: the next one above */
      up = above(up);
    parent[i] = host_at((uint32_t)up, last, tree);
  }
  return GBCAST_OK;
}

double gb_intra_two_tree(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  uint64_t half = bytes / 2 + bytes % 2;
  uint64_t piece = segment == 0 || segment > half ? half : segment;
  uint64_t pieces = piece == 0 ? 1 : half / piece + (half % piece != 0);
  double gap = gb_lan_gap(lan, piece);
  if (hosts <= 1)
    return 0;
  return (double)gb_ceil_log2(hosts) * (2 * gap + gb_lan_latency(lan, piece)) +
         2 * (double)(pieces - 1) * gap;
}
