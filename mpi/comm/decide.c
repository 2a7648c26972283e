/* What is decided for a call: the plan, from the inputs that all ranks have, or the one that was made before.
 */
#include "mpi/comm/comm.h"
#include "mpi/comm/verbose.h"
#include "plan/api/api.h"
#include <limits.h>

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

int gb_decide_over(const gb_comm *c, const gbcast_platform *p, enum gbcast_operation operation, size_t bytes,
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

int gb_decide(const gb_comm *c, enum gbcast_operation operation, size_t bytes, int root, gbcast_plan **out) {
  int without;
  gbcast_error err = {{0}};
  int rc = gb_decide_over(c, c->platform, operation, bytes, root, &without, out, &err);
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

/* What ranks compare when they use a schedule for the first time. */
static uint64_t hash_of(const gb_rank_schedule *schedule, size_t bytes) {
  uint64_t hash = gb_hash_number(schedule->hash, (uint64_t)schedule->operation);
  hash = gb_hash_number(hash, (uint64_t)schedule->root);
  return gb_hash_number(hash, bytes);
}

bool gb_handle_is_planned(gb_comm *c, bool native) {
  if (native)
    return false;
  if (c->wire.comm == MPI_COMM_NULL)
    c->wire.poison = gb_class_of_code(gb_comm_duplicate(c, gb_exec_new(&c->wire)));
  return c->left == GB_PASSED_NOT;
}

/* found: the schedule of the call, also where MPI's own collective is run. */
static int plan(gb_handle *h, gb_rank_schedule **found) {
  gb_comm *c = h->c;
  gb_rank_schedule *schedule = NULL;
  h->schedule = NULL;
  h->checked = false;
  if (c == NULL)
    return MPI_SUCCESS;
  int rc = gb_comm_enter(c);
  if (rc != MPI_SUCCESS || c->left != GB_PASSED_NOT || h->always_native)
    return rc;
  if ((rc = gb_comm_schedule(c, h->operation, h->bytes, h->root, &schedule)) != MPI_SUCCESS) {
    if (rc != MPI_ERR_ARG) /* on this rank alone: the others begin a call that it takes no part in */
      c->wire.poison = rc;
    return rc;
  }
  *found = schedule;
  schedule->used++;
  h->checked = c->settings.check && h->bytes > 0 && !h->never_checked;
  const bool can = !h->never_native && h->bytes <= INT_MAX; /* in which MPI counts */
  if (!gb_handle_is_planned(c, can && gb_schedule_is_native(schedule, h->uneven)))
    return MPI_SUCCESS;
  if (c->wire.poison != MPI_SUCCESS)
    return c->wire.poison;
  h->schedule = schedule;
  h->number = c->wire.number;
  c->wire.number += h->runs + h->checked;
  h->compares = !schedule->used_before || c->settings.check;
  h->hash = h->compares ? hash_of(schedule, h->bytes) : schedule->hash;
  schedule->used_before = true;
  return MPI_SUCCESS;
}

int gb_handle_plan(gb_handle *h) {
  gb_rank_schedule *found = NULL;
  const int rc = plan(h, &found);
  if (h->report != NULL) /* which ends in MPI_Finalize, after which a persistent call may begin */
    h->report = gb_attach_has_ended() ? NULL : gb_report_if_wanted(h->report);
  if (h->report != NULL)
    gb_reporting_planned(h, found);
  return rc;
}
