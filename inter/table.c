/* The catalogue of trees over sites. A new algorithm is a file of its own and an entry here. */
#include "inter/trees.h"
#include <string.h>

const gb_inter_algorithm gb_inter_table[] = {
    {.name = "extended-dijkstra",
     .summary = "shortest paths that count what each send costs its sender (Mateescu and Taylor, Fig. 2)",
     .automatic = true,
     .build = gb_inter_extended_dijkstra},
    {.name = "dijkstra",
     .summary = "shortest paths of injection time plus latency",
     .build = gb_inter_dijkstra},
    {.name = "flat",
     .summary = "the root's site sends to every other",
     .automatic = true,
     .build = gb_inter_flat},
    {.name = "chain",
     .summary = "each site sends to the next, in the order of mention",
     .build = gb_inter_chain},
    {.name = "binomial",
     .summary = "the number of sites that have the message doubles each round",
     .build = gb_inter_binomial},
    {.name = "exact",
     .summary = "the least label over all trees; of more than 12 sites, the best of the trees above",
     .build = gb_inter_exact},
    {.name = "pipelined",
     .summary = "shortest paths, changed while a message in segments is everywhere sooner",
     .automatic = true,
     .pack = gb_inter_pipelined},
    {.name = "packing",
     .summary = "up to 16 trees with shares that fill the narrowest cut from the root together",
     .automatic = true,
     .multipath = true,
     .pack = gb_inter_packing},
    {.name = "disjoint",
     .summary = "up to 16 trees with equal shares, in each of which other sites pass on (SplitStream)",
     .automatic = true,
     .bcast_only = true,
     .pack = gb_inter_disjoint},
    {.name = "least-cost",
     .summary = "trees that cost little at the prices of the hosts file, over relays where that is cheaper",
     .bcast_only = true,
     .relays = true,
     .pack = gb_inter_least_cost},
    {.name = "in-turn",
     .summary = "trees one after the other: first what keeps links least busy, last the shortest ways",
     .bcast_only = true,
     .pack = gb_inter_in_turn},
};
const size_t gb_inter_count = sizeof gb_inter_table / sizeof gb_inter_table[0];

size_t gb_inter_find(const char *name) {
  for (size_t i = 0; i < gb_inter_count; i++)
    if (strcmp(gb_inter_table[i].name, name) == 0)
      return i;
  return SIZE_MAX;
}
