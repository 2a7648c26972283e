/* Trees built over positions (gb_switch_order), for hosts given in any order. */
#include "intra/contention_free.h"

#include <stdlib.h>

int gb_build_by_position(const gb_intra_job *job, gb_position_builder *builder, const void *context,
                         uint32_t *parent, gbcast_error *err) {
  gb_switch_order order;
  gb_conflicts conflicts = {0};
  if (job->count == 0) {
    return GBCAST_OK;
  }
  int status = gb_switch_order_new(job->p, job->host, job->count, &order, err);
  if (status != GBCAST_OK) {
    return status;
  }
  status = gb_conflicts_new(&order, &conflicts, err);
  uint32_t *up = malloc(job->count * sizeof *up);
  if (status == GBCAST_OK && up == NULL) {
    status = gb_no_memory(err);
  }
  if (status == GBCAST_OK) {
    status = builder(&order, &conflicts, context, up, err);
  }
  for (uint32_t position = 0; status == GBCAST_OK && position < job->count; position++) {
    parent[order.host[position]] = up[position] == GB_NONE ? GB_NONE : order.host[up[position]];
  }
  free(up);
  gb_conflicts_free(&conflicts);
  gb_switch_order_free(&order);
  return status;
}
