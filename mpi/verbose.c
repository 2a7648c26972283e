/* GBCAST_VERBOSE: rank 0 says on stderr what is done. */
#include "mpi/verbose.h"
#include "mpi/comm.h"
#include <inttypes.h>

void gb_verbose_plan(const gb_comm *c, const gbcast_plan *plan, int root) {
  if (c->rank != 0 || c->verbose < 1)
    return;
  if (c->verbose > 1 && gbcast_plan_print(plan, GBCAST_TEXT, stderr) != GBCAST_OK)
    return; /* stderr is gone */
  fprintf(stderr,
          "gbcast: %s of up to %" PRIu64 " bytes from rank %d to %d ranks: %s, %u tree%s, segment %" PRIu64
          " bytes, predicted %.0f us, bound %.0f us, hash %016" PRIx64 "\n",
          plan->operation == GBCAST_SCATTER ? "scatter" : "broadcast", plan->class_bytes, root, c->size,
          plan->native ? "MPI's own" : "planned", plan->tree_count, plan->tree_count == 1 ? "" : "s",
          plan->tree_count > 0 ? plan->tree[0].segment : 0, plan->predicted * 1e6, plan->bound * 1e6,
          plan->hash);
}
