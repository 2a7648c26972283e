/* Whether a plan is what MPI_Bcast does anyway. */
#include "mpi/comm/plans.h"
#include "mpi/comm/state.h"

/* MPICH broadcasts less than 12 KiB down a binomial tree over the ranks (intra/native.c). Others, those that
 * are made from it included, choose by tables of their own. */
#if defined MPICH_NAME && !defined MVAPICH2_VERSION && !defined I_MPI_VERSION
enum { TREE_IS_KNOWN = true };
#else
enum { TREE_IS_KNOWN = false };
#endif

/* Ranks counted from the root, which is 0. */
static uint32_t from_root(const gb_comm *c, const gbcast_plan *plan, uint32_t endpoint, int root) {
  const int rank =
      gb_wire_rank_of(&c->wire, plan->schedule.endpoint[endpoint].host, plan->schedule.endpoint[endpoint].k);
  return (uint32_t)((rank - root + c->wire.size) % c->wire.size);
}

/* 0 sends to 8, 4, 2, 1; 8 to 12, 10, 9; 12 to 14, 13; ...: each to itself with one more of the bits that lie
 * below its lowest, the highest first. */
static bool is_binomial(const gb_comm *c, const gbcast_plan *plan, int root) {
  const gb_tree *tree = &plan->schedule.tree[0];
  for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++) {
    const uint32_t me = from_root(c, plan, e, root), ranks = plan->schedule.endpoint_count;
    uint32_t bit = 1, next = tree->child_start[e];
    while (bit < ranks && (me & bit) == 0)
      bit <<= 1;
    for (bit >>= 1; bit > 0; bit >>= 1)
      if (me + bit < ranks &&
          (next == tree->child_start[e + 1] || from_root(c, plan, tree->child[next++], root) != me + bit))
        return false;
  } /* so many children have no others */
  return true;
}

bool gb_same_as_mpi(const gb_comm *c, const gbcast_plan *plan, int root) {
  const bool asked_for = c->settings.inter != NULL || c->settings.intra != NULL || c->settings.lanes > 0 ||
                         c->settings.segment > 0 || plan->file != NULL;
  if (!TREE_IS_KNOWN || asked_for || plan->operation != GBCAST_BCAST || plan->site_count != 1 ||
      plan->schedule.tree_count != 1)
    return false;
  const bool one_each =
      plan->site[0].hosts == plan->schedule.endpoint_count;                /* ranks of a host share memory */
  return one_each && plan->class_bytes <= gb_this_machine.sent_in_order && /* nor does the executor pace it */
         plan->schedule.tree[0].segment >= plan->class_bytes && is_binomial(c, plan, root);
}
