/* The schedules of a communicator's calls: kept ones, or planned when they are needed. */
#include "mpi/comm/cache.h"
#include "mpi/comm/comm.h"
#include "mpi/comm/verbose.h"

int gb_comm_make_schedule(const gb_comm *c, enum gbcast_operation operation, size_t bytes, int root,
                          gb_role **out) {
  gbcast_plan *plan = NULL;
  int rc = gb_decide(c, operation, bytes, root, &plan);
  if (rc != MPI_SUCCESS)
    return rc;
  const bool native = plan->native || gb_own_tree(c, plan, root);
  rc = gb_role_make(&c->wire, plan, bytes, root, native, out);
  if (rc == MPI_SUCCESS)
    gb_verbose_plan(c, plan, root, native);
  if (rc == MPI_SUCCESS && c->watch != NULL && operation != GBCAST_ALLTOALL)
    (*out)->plan = plan;
  else
    gbcast_plan_free(plan);
  return rc;
}

/* When news make a plan impossible, they do so on every rank. */
static int make(gb_comm *c, enum gbcast_operation operation, size_t bytes, int root, gb_role **out) {
  int rc = gb_comm_make_schedule(c, operation, bytes, root, out);
  return rc == MPI_ERR_ARG && gb_epoch_back(c) ? gb_comm_make_schedule(c, operation, bytes, root, out) : rc;
}

int gb_comm_schedule(gb_comm *c, enum gbcast_operation operation, size_t bytes, int root, gb_role **out) {
  gb_role *role = gb_cache_find(&c->cache, operation, bytes, root);
  int rc = MPI_SUCCESS;
  if (role == NULL && (rc = make(c, operation, bytes, root, &role)) == MPI_SUCCESS)
    rc = gb_cache_add(&c->cache, role);
  if (rc != MPI_SUCCESS)
    return rc;
  role->used++;
  *out = role;
  return MPI_SUCCESS;
}
