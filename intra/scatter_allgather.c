/* Scatter and allgather in a ring: the root sends each share of the message to a host of its own, from where
 * it goes round all the others, in the order of Algorithm 1. The ring crosses each cable once in each
 * direction.
 *
 *                 root
 *             1/4 /  \ 2/4            s shares of P - 1 hosts that are all under way at once; a host gets and
 *      1 --> 2 --> 3 --> 4            passes on each of them but one, so it sends less than one message:
 *      ^-----------------'
 *                                     T = s g(m/s) + L(m/s) + (P - 2) (g(m/s) + L(m/s))        [s]
 *
 * Barnett et al., Broadcasting on meshes with wormhole routing (1994); Thakur, Rabenseifner and Gropp,
 * Optimization of collective communication operations in MPICH (2005), whose shares are as many as hosts.
 * Here they are 16 at most, each a tree of the plan: with fewer the ring is idle where none is under way. */
#include "intra/algorithms.h"
#include "intra/intra.h"

int gb_intra_build_scatter_allgather(const gb_intra_job *job, uint32_t *parent, gbcast_error *err) {
  gb_switch_order order;
  if (job->count == 0)
    return GBCAST_OK;
  const uint32_t shares = GB_SCATTER_ALLGATHER_SHARES, ring = job->count - 1;
  int status = gb_switch_order_new(job->p, job->host, job->count, &order, err);
  if (status != GBCAST_OK)
    return status;
  for (uint32_t share = 0; share < shares; share++, parent += job->count) {
    const uint32_t first = (uint32_t)((uint64_t)share * ring / shares);
    parent[order.host[0]] = GB_NONE;
    for (uint32_t i = 0; i < ring; i++) { /* positions 1 to P - 1, from the first one's on */
      const uint32_t position = (first + i) % ring + 1, before = (first + i + ring - 1) % ring + 1;
      parent[order.host[position]] = order.host[i == 0 ? 0 : before];
    }
  }
  gb_switch_order_free(&order);
  return GBCAST_OK;
}

double gb_intra_scatter_allgather(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  (void)segment;
  if (hosts <= 1)
    return 0;
  const uint32_t shares = GB_SCATTER_ALLGATHER_SHARES;
  const uint64_t share = bytes / shares + (bytes % shares != 0);
  const double gap = gb_lan_gap(lan, share), latency = gb_lan_latency(lan, share);
  return shares * gap + latency + (hosts - 2) * (gap + latency);
}
