/* One call of the program: whether it is taken over or passed on, and how it is reported. */
#include "mpi/pmpi/call.h"
#include "mpi/api/api.h"

gb_call gb_call_open(enum gb_call_kind kind, MPI_Comm comm) {
#define WHAT(name, title) &gb_api_##name,
  static const gb_collective *const what[] = {GB_EACH_COLLECTIVE(WHAT)};
  gb_call call = {.dropin = gb_dropin_get(), .what = what[kind], .record = {.kind = kind}};
  gb_dropin *d = call.dropin;
  if (d == NULL)
    return call;
  call.report = gb_report_if_wanted(d->report);
  if (call.report != NULL)
    call.record.start = PMPI_Wtime();
  const bool ending = atomic_load_explicit(&d->ending, memory_order_relaxed);
  call.record.passed = ending ? GB_PASSED_ENDING : d->why;
  if (d->active && !ending)
    (void)gb_comm_find(comm, &d->preload, &call.c);
  if (d->active && !ending && call.c == NULL && call.report != NULL)
    call.record.passed = comm == MPI_COMM_NULL ? GB_PASSED_ARGUMENT : gb_reporting_without(comm);
  return call;
}

gb_call gb_call_open_at_once(enum gb_call_kind kind, MPI_Comm comm, const void *request) {
  gb_call call = gb_call_open(kind, comm);
  call.record.form = GB_CALL_AT_ONCE;
  if (request == NULL) {
    call.c = NULL;
    call.record.passed = GB_PASSED_ARGUMENT;
  }
  return call;
}

gb_call gb_call_begin(enum gb_call_kind kind, const gb_arguments *a) {
  gb_call call = gb_call_open(kind, a->comm);
  gb_call_decide(&call, a);
  return call;
}

gb_call gb_call_begin_at_once(enum gb_call_kind kind, const gb_arguments *a, const void *request) {
  gb_call call = gb_call_open_at_once(kind, a->comm, request);
  gb_call_decide(&call, a);
  return call;
}

/* Notes a refusal, so that no other communicator's rank 0 prints it again. */
static void note_refusal(gb_comm *c, unsigned operations) {
  c->refused |= operations;
  if (c->refused != 0)
    atomic_store_explicit(&c->overrides.preload->printed, true, memory_order_relaxed);
}

/* Whether a plan is run. A plan that cannot be made now is refused on every rank, and at all later calls. */
static bool has_plan(gb_call *call, size_t bytes, int root) {
  const enum gbcast_operation operation = call->what->operation;
  gb_comm *c = call->c;
  gb_rank_schedule *schedule;
  if ((c->refused & 1u << operation) != 0)
    return false;
  int rc = gb_comm_schedule(c, operation, bytes, root, &schedule);
  if (rc == MPI_ERR_ARG) {
    note_refusal(c, 1u << operation);
    return false;
  }
  if (rc != MPI_SUCCESS) /* on this rank alone: the call is taken over, and fails on the others, too */
    return true;
  if (gb_schedule_is_native(schedule, call->what->uneven)) {
    call->record.passed = gb_reporting_native(schedule);
    return c->settings.check != 0; /* MPI's own collective is verified, too */
  }
  call->record.passed = GB_PASSED_FULL;
  return gb_handle_is_planned(c, false);
}

/* Whether a non-blocking call can begin without waiting for other ranks, and make progress in MPI_Wait(). */
static bool is_prepared(gb_call *call) {
  gb_dropin *d = call->dropin;
  if (d->preload.requests != MPI_COMM_NULL && call->c->wire.comm != MPI_COMM_NULL)
    return true;
  call->record.passed = d->preload.requests != MPI_COMM_NULL ? GB_PASSED_EARLY : GB_PASSED_NO_THREAD;
  if (d->report != NULL && d->report->verbose && call->c->left == GB_PASSED_NOT &&
      !atomic_exchange(&d->told, true))
    fprintf(stderr, "gbcast: %s\n",
            d->preload.requests != MPI_COMM_NULL
                ? "non-blocking calls on a communicator are passed on to MPI until a blocking call has run a "
                  "plan there"
                : "non-blocking calls are passed on to MPI, unless GBCAST_PROGRESS=thread is set");
  return false;
}

/* Whether all ranks take over a call with right arguments. */
static bool is_taken(gb_call *call, size_t bytes, int root) {
  if (call->record.form == GB_CALL_AT_ONCE && !is_prepared(call))
    return false;
  const int rc = gb_comm_enter(call->c);
  note_refusal(call->c, 0);
  if (rc != MPI_SUCCESS) /* poisoned */
    return true;
  call->record.passed = GB_PASSED_REFUSED;
  if (call->c->left == GB_PASSED_NOT)
    return has_plan(call, bytes, root);
  call->record.passed = call->c->left;
  return false;
}

void gb_call_decide(gb_call *call, const gb_arguments *a) {
  gb_sizes sizes = {0};
  if (call->c == NULL || call->what->check(call->what, call->c, a, &sizes) != MPI_SUCCESS) {
    if (call->c != NULL)
      call->record.passed = GB_PASSED_ARGUMENT;
    if (call->report != NULL)
      call->record.bytes = gb_api_bytes(call->what, call->c, a);
    return;
  }
  call->record.bytes = sizes.block;
  call->record.passed = GB_PASSED_OPERATOR;
  const bool native = sizes.native || (sizes.native_at_once && call->record.form == GB_CALL_AT_ONCE);
  call->taken = !native && is_taken(call, sizes.planned, a->root);
}

void gb_call_prepare(MPI_Comm comm, gb_preload *preload) {
  gb_comm *c;
  if (gb_comm_find(comm, preload, &c) != MPI_SUCCESS || c == NULL)
    return;
  const int rc = gb_comm_enter(c);
  note_refusal(c, 0);
  if (rc == MPI_SUCCESS && c->wire.comm == MPI_COMM_NULL)
    (void)gb_comm_duplicate(c, gb_exec_new(&c->wire));
}

int gb_call_end(const gb_call *call, int rc) {
  if (call->taken || call->report == NULL)
    return rc;
  gb_call_record record = call->record;
  record.end = PMPI_Wtime();
  gb_report_call(call->report, &record);
  return rc;
}
