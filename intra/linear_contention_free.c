/* Contention-free linear tree: Algorithm 1 of Patarasuk, Yuan and Faraj. The chain takes the hosts in the
 * order of the depth-first walk over the switches. The walk crosses each cable once in each direction, so no
 * two hops share a directed link.  (P - 1) (L(s) + g(s)) + (k - 1) g(s)   (formula 1)   O(hosts + switches)
 */
#include "intra/algorithms.h"
#include "intra/intra.h"

int gb_intra_build_linear_contention_free(const gb_intra_job *job, uint32_t *parent, gbcast_error *err) {
  gb_switch_order order;
  int status = gb_switch_order_new(job->p, job->host, job->count, &order, err);
  if (status != GBCAST_OK) {
    return status;
  }
  for (uint32_t position = 0; position < job->count; position++) {
    parent[order.host[position]] = position == 0 ? GB_NONE : order.host[position - 1];
  }
  gb_switch_order_free(&order);
  return GBCAST_OK;
}
