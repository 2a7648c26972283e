/* Every algorithm for the inside of a cluster, one line each. The chain and the rendezvous kinds are there to
 * be asked for; automatic choice has a kind that is never worse by the models. */
#include "intra/algorithms.h"

#include <string.h>

#define BCAST (1u << GB_BCAST)
#define SCATTER (1u << GB_SCATTER)

const gb_intra_algorithm gb_intra_table[] = {
    {.name = "flat",
     .summary = "the root sends to each host in turn",
     .operations = BCAST | SCATTER,
     .automatic = true,
     .build = gb_intra_build_flat,
     .bcast_model = gb_intra_flat,
     .scatter_model = gb_intra_scatter_flat},
    {.name = "flat-rendezvous",
     .summary = "flat, each message announced first",
     .operations = BCAST,
     .rendezvous = true,
     .build = gb_intra_build_flat,
     .bcast_model = gb_intra_flat_rendezvous},
    {.name = "flat-segmented",
     .summary = "flat, the message cut into segments",
     .operations = BCAST,
     .segmented = true,
     .automatic = true,
     .build = gb_intra_build_flat,
     .bcast_model = gb_intra_flat_segmented},
    {.name = "chain",
     .summary = "each host passes the whole message to the next",
     .operations = BCAST | SCATTER,
     .build = gb_intra_build_chain,
     .bcast_model = gb_intra_chain,
     .scatter_model = gb_intra_scatter_chain},
    {.name = "chain-rendezvous",
     .summary = "chain, each message announced first",
     .operations = BCAST,
     .rendezvous = true,
     .build = gb_intra_build_chain,
     .bcast_model = gb_intra_chain_rendezvous},
    {.name = "chain-segmented",
     .summary = "a pipeline in the order of the file, blind to switches",
     .operations = BCAST,
     .segmented = true,
     .build = gb_intra_build_chain,
     .bcast_model = gb_intra_chain_segmented},
    {.name = "binary",
     .summary = "complete binary tree",
     .operations = BCAST,
     .automatic = true,
     .build = gb_intra_build_binary,
     .bcast_model = gb_intra_binary},
    {.name = "binomial",
     .summary = "binomial tree: the hosts that have the message double each round",
     .operations = BCAST | SCATTER,
     .automatic = true,
     .build = gb_intra_build_binomial,
     .bcast_model = gb_intra_binomial,
     .scatter_model = gb_intra_scatter_binomial},
    {.name = "binomial-rendezvous",
     .summary = "binomial, each message announced first",
     .operations = BCAST,
     .rendezvous = true,
     .build = gb_intra_build_binomial,
     .bcast_model = gb_intra_binomial_rendezvous},
    {.name = "binomial-segmented",
     .summary = "binomial, the message cut into segments",
     .operations = BCAST,
     .segmented = true,
     .automatic = true,
     .build = gb_intra_build_binomial,
     .bcast_model = gb_intra_binomial_segmented},
    {.name = "linear-contention-free",
     .summary = "a pipeline that follows the switch tree: no two hops share a cable (Algorithm 1)",
     .operations = BCAST,
     .segmented = true,
     .automatic = true,
     .build = gb_intra_build_linear_contention_free,
     .bcast_model = gb_intra_linear_contention_free},
    {.name = "binary-contention-free",
     .summary = "a binary tree along that pipeline: no two senders share a cable (Algorithm 2)",
     .operations = BCAST,
     .segmented = true,
     .automatic = true,
     .build = gb_intra_build_binary_contention_free,
     .bcast_model = gb_intra_binary_contention_free},
    {.name = "kary-contention-free",
     .summary =
         "the same with the number of children, 2 to 8, and the tree that are fastest for few segments",
     .operations = BCAST,
     .segmented = true,
     .automatic = true,
     .build = gb_intra_build_kary_contention_free,
     .bcast_model = gb_intra_kary_contention_free},
    {.name = "native",
     .summary = "the MPI library's own collective; between several clusters a binomial tree stands in for it",
     .operations = BCAST | SCATTER,
     .native = true,
     .automatic = true,
     .build = gb_intra_build_binomial,
     .bcast_model = gb_intra_native_bcast,
     .scatter_model = gb_intra_native_scatter},
};

const size_t gb_intra_count = sizeof gb_intra_table / sizeof gb_intra_table[0];

size_t gb_intra_find(const char *name, int operation) {
  for (size_t i = 0; i < gb_intra_count; i++) {
    if (strcmp(gb_intra_table[i].name, name) == 0 && (gb_intra_table[i].operations >> operation & 1u) != 0) {
      return i;
    }
  }
  return SIZE_MAX;
}
