/* The schedules of a communicator's calls: kept ones, or planned when they are needed. */
#include "mpi/comm/cache.h"
#include "mpi/comm/comm.h"
#include "mpi/comm/verbose.h"

int gb_comm_make_schedule(const gb_comm *c, enum gbcast_operation operation, size_t bytes, int root,
                          gb_rank_schedule **out) {
  gbcast_plan *plan = NULL;
  int rc = gb_decide(c, operation, bytes, root, &plan);
  if (rc != MPI_SUCCESS)
    return rc;
  const bool native = plan->native || gb_same_as_mpi(c, plan, root);
  rc = gb_rank_schedule_make(&c->wire, plan, bytes, root, native, out);
  if (rc == MPI_SUCCESS)
    gb_verbose_plan(c, plan, root, native);
  if (rc == MPI_SUCCESS && c->refresh != NULL && operation != GBCAST_ALLTOALL)
    (*out)->plan = plan;
  else
    gbcast_plan_free(plan);
  return rc;
}

/* When an update makes a plan impossible, it does so on every rank. */
static int make(gb_comm *c, enum gbcast_operation operation, size_t bytes, int root, gb_rank_schedule **out) {
  int rc = gb_comm_make_schedule(c, operation, bytes, root, out);
  return rc == MPI_ERR_ARG && gb_version_back(c) ? gb_comm_make_schedule(c, operation, bytes, root, out) : rc;
}

int gb_comm_schedule(gb_comm *c, enum gbcast_operation operation, size_t bytes, int root,
                     gb_rank_schedule **out) {
  gb_version_take(c);
  gb_rank_schedule *schedule = gb_cache_find(&c->cache, operation, bytes, root);
  int rc = MPI_SUCCESS;
  if (schedule == NULL && (rc = make(c, operation, bytes, root, &schedule)) == MPI_SUCCESS)
    rc = gb_cache_add(&c->cache, schedule);
  if (rc != MPI_SUCCESS)
    return rc;
  *out = schedule;
  return MPI_SUCCESS;
}
