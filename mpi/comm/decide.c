/* What is decided for a call: the plan, from the inputs that all ranks have, or the one that was made before.
 */
#include "mpi/comm/decide.h"
#include "mpi/comm/complain.h"
#include "mpi/job/job.h"
#include "plan/api/api.h"

/* Forced algorithms that are left out. */
enum { WITHOUT_INTER = 1, WITHOUT_INTRA = 2 };

/* A forced algorithm may exist for the other operation only: it is then not meant for this one. */
static bool is_of_other_operation(const gbcast_platform *p, const gb_job *job, gbcast_request request) {
  gbcast_plan *plan = NULL;
  request.operation = gb_carries_blocks(request.operation) ? GBCAST_BCAST : GBCAST_SCATTER;
  bool forced = request.inter != NULL || request.intra != NULL;
  bool known = forced && gb_plan_make(p, job, &request, &plan, NULL) == GBCAST_OK;
  gbcast_plan_free(plan);
  return known;
}

/* The plan without the one of the forced algorithms that is not for this operation, or without both. */
static int plan_without(const gbcast_platform *p, const gb_job *job, const gbcast_request *request,
                        int *without, gbcast_plan **out, gbcast_error *err) {
  int rc = GBCAST_EUSAGE;
  for (int way = WITHOUT_INTER; rc == GBCAST_EUSAGE && way <= (WITHOUT_INTER | WITHOUT_INTRA); way++) {
    gbcast_request fewer = *request;
    if (way & WITHOUT_INTER)
      fewer.inter = NULL;
    if (way & WITHOUT_INTRA)
      fewer.intra = NULL;
    rc = gb_plan_make(p, job, &fewer, out, err);
    *without = way;
  }
  return rc;
}

static int decide(const gb_comm *c, const gbcast_platform *p, enum gbcast_operation operation, size_t bytes,
                  int root, int *without, gbcast_plan **out, gbcast_error *err) {
  gb_job job = {
      .ranks = c->wire.host_ranks, .root_host = c->wire.rank_host[root], .root_k = c->wire.rank_k[root]};
  const bool any_root = gb_way_of(operation) == GB_WAY_BOTH;
  gbcast_request request = {.operation = operation, .bytes = bytes, .chosen_only = true};
  *without = 0;
  if (operation == GBCAST_ALLTOALL) { /* the other settings are for trees */
    request.sync = c->settings.sync;
    return gb_plan_make(p, &job, &request, out, err);
  }
  const gb_saved *saved =
      gb_plans_find(&c->plans, operation, bytes, any_root ? NULL : p->host[job.root_host].name, job.root_k);
  if (saved != NULL)
    return gb_saved_run(saved, p, c->wire.host_ranks, bytes, out, err);
  if (any_root)
    job.root_host = GB_NONE;
  request.inter = c->settings.inter;
  request.intra = c->settings.intra;
  request.segment = c->settings.segment;
  request.lanes = c->settings.lanes;
  request.within = c->settings.objective;
  int rc = gb_plan_make(p, &job, &request, out, err);
  if (rc == GBCAST_EUSAGE && is_of_other_operation(p, &job, request))
    rc = plan_without(p, &job, &request, without, out, err);
  return rc;
}

int gb_decide_over(const gb_comm *c, const gbcast_platform *p, enum gbcast_operation operation, size_t bytes,
                   int root, gbcast_plan **out, gbcast_error *err) {
  int without;
  return decide(c, p, operation, bytes, root, &without, out, err);
}

int gb_decide(const gb_comm *c, enum gbcast_operation operation, size_t bytes, int root, gbcast_plan **out) {
  int without;
  gbcast_error err = {{0}};
  int rc = decide(c, c->platform, operation, bytes, root, &without, out, &err);
  if (rc != GBCAST_OK && c->wire.rank == 0)
    gb_comm_complain(c, err.message);
  if (rc == GBCAST_OK && without != 0 && c->wire.rank == 0 && c->settings.verbose > 0) {
    bool inter = (without & WITHOUT_INTER) != 0 && c->settings.inter != NULL;
    fprintf(stderr, "gbcast: GBCAST_%s=%s is not for %s: the planner chooses there\n",
            inter ? "INTER" : "INTRA", inter ? c->settings.inter : c->settings.intra,
            gb_operation_table[operation].noun);
  }
  return gb_class_of_status(rc);
}
