/* Makes one rank's part of a plan. Decides nothing: it copies what concerns this rank. */
#include "mpi/schedule/schedule.h"
#include "mpi/schedule/fill.h"
#include <stdlib.h>

/* The same on every rank, whatever its own part. In an all-to-all a rank has a message to and from each rank,
 * and about as many synchronisation messages. */
static uint64_t bytes_estimate(const gb_wire *w, const gbcast_plan *plan) {
  const uint64_t ways = gb_way_of(plan->operation) == GB_WAY_BOTH ? 2 : 1;
  const uint64_t channels =
      plan->operation == GBCAST_ALLTOALL ? 6 : ways * (uint64_t)plan->schedule.tree_count + 1;
  return sizeof(gb_rank_schedule) + channels * (uint64_t)w->size * sizeof(gb_channel);
}

static int fill(const gb_wire *w, const gbcast_plan *plan, size_t bytes, int root,
                gb_rank_schedule *schedule) {
  schedule->operation = plan->operation;
  schedule->root = root;
  schedule->class_bytes = gb_size_class(bytes);
  schedule->predicted = plan->predicted;
  schedule->rendezvous = plan->rendezvous;
  schedule->one_site = plan->site_count == 1;
  schedule->hash = gb_plan_hash_for(plan, schedule->class_bytes);
  schedule->weight_total = plan->schedule.weight_total;
  schedule->bytes_estimate = bytes_estimate(w, plan);
  schedule->pace = 1;
  schedule->efficiency[0] = plan->schedule.efficiency[0];
  schedule->efficiency[1] = plan->schedule.efficiency[1];
  return plan->operation == GBCAST_ALLTOALL ? gb_fill_alltoall(w, plan, schedule)
                                            : gb_fill_trees(w, plan, schedule);
}

int gb_rank_schedule_make(const gb_wire *w, const gbcast_plan *plan, size_t bytes, int root, bool native,
                          gb_rank_schedule **out) {
  gb_rank_schedule *schedule = calloc(1, sizeof *schedule);
  if (schedule != NULL)
    atomic_init(&schedule->references, 1);
  int rc = schedule == NULL ? MPI_ERR_NO_MEM : fill(w, plan, bytes, root, schedule);
  if (rc != MPI_SUCCESS) {
    gb_rank_schedule_free(schedule);
    return rc;
  }
  schedule->native = native;
  *out = schedule;
  return MPI_SUCCESS;
}

gb_rank_schedule *gb_rank_schedule_keep(gb_rank_schedule *schedule) {
  atomic_fetch_add_explicit(&schedule->references, 1, memory_order_relaxed);
  return schedule;
}

void gb_rank_schedule_free(gb_rank_schedule *schedule) {
  if (schedule == NULL || atomic_fetch_sub_explicit(&schedule->references, 1, memory_order_acq_rel) > 1)
    return;
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    free(schedule->tree[t].order);
    free(schedule->tree[t].child_first);
  }
  gbcast_plan_free(schedule->plan);
  free(schedule->channel);
  free(schedule->successor);
  free(schedule->tree);
  free(schedule);
}
