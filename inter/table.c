/* The catalogue of trees over sites. A new algorithm is a file of its own and a line here. `exact` and
 * those with several trees come last: `auto` asks them only when the others have been priced. */
#include "inter/trees.h"
#include <string.h>

const gb_inter_algorithm gb_inter_table[] = {
    {"extended-dijkstra",
     "shortest paths that count what each send costs its sender (Mateescu and Taylor, Fig. 2)",
     gb_inter_extended_dijkstra, NULL, false},
    {"dijkstra", "shortest paths of injection time plus latency", gb_inter_dijkstra, NULL, false},
    {"flat", "the root's site sends to every other", gb_inter_flat, NULL, false},
    {"chain", "each site sends to the next, in the order of mention", gb_inter_chain, NULL, false},
    {"binomial", "the number of sites that have the message doubles each round", gb_inter_binomial, NULL,
     false},
    {"exact",
     "the least label over all trees (proven up to 12 sites), then changed while the predicted time falls",
     gb_inter_exact, NULL, false},
    {"packing", "up to 8 trees with shares that fill the narrowest cut from the root together", NULL,
     gb_inter_packing, false},
    {"disjoint", "up to 8 trees with equal shares, in each of which other sites pass on (SplitStream)", NULL,
     gb_inter_disjoint, true},
    {"in-turn", "trees one after the other: first what keeps links least busy, last the shortest ways", NULL,
     gb_inter_in_turn, true},
};
const size_t gb_inter_count = sizeof gb_inter_table / sizeof gb_inter_table[0];

size_t gb_inter_find(const char *name) {
  for (size_t i = 0; i < gb_inter_count; i++)
    if (strcmp(gb_inter_table[i].name, name) == 0)
      return i;
  return SIZE_MAX;
}
