/* Trees over one host's ranks. The rank that hears from another host feeds it.
 *
 *   binomial  those who have the message double each round: least for one short message
 *   binary    two copies a rank, the last one after about 2 log2(ranks): few segments
 *   chain     one copy a rank: long pipelines
 *
 * A rank does one send at a time. So in a pipeline each copy of a segment that it makes inside the host keeps
 * it from sending over the LAN. With a relay another rank does that:
 *
 *   LAN --> 0 --> 1 --> LAN        0: two copies a segment; 1: only the LAN
 *           `---> 2 --> 3 --> 4    the rest of the ranks, in any of the trees
 *
 * Per byte, one LAN child, a chain: 1 / LAN + 1 / node becomes max(1 / LAN, 2 / node), for one more copy on
 * the path. The simulation decides whether that pays. */
#include "intra/intra.h"

/* Each round doubles those who have the message. */
static uint32_t binomial(uint32_t i) {
  uint32_t bit = 1;
  while (bit <= i / 2)
    bit *= 2;
  return i - bit;
}

static uint32_t binary(uint32_t i) {
  return (i - 1) / 2;
}

static uint32_t chain(uint32_t i) {
  return i - 1;
}

const gb_node_tree gb_node_table[] = {
    {.name = "binomial", .parent = binomial},
    {.name = "binary", .parent = binary},
    {.name = "chain", .parent = chain},
    {.name = "relay+binomial", .parent = binomial, .relay = true},
    {.name = "relay+binary", .parent = binary, .relay = true},
    {.name = "relay+chain", .parent = chain, .relay = true},
};

const size_t gb_node_count = sizeof gb_node_table / sizeof gb_node_table[0];

uint32_t gb_node_sender(size_t tree, uint32_t ranks) {
  return gb_node_table[tree].relay && ranks > 1 ? 1 : 0;
}

uint32_t gb_node_parent(size_t tree, bool sends, uint32_t i) {
  uint32_t relay = gb_node_table[tree].relay && sends ? 1 : 0;
  if (i <= relay)
    return 0;
  uint32_t up = gb_node_table[tree].parent(i - relay); /* the relay is left out of the tree */
  return up == 0 ? 0 : up + relay;
}
