/* One call of the program: whether it is taken over or passed on, and how it is counted. */
#include "mpi/pmpi/call.h"
#include "mpi/api/api.h"
#include <limits.h>

gb_call gb_call_open(enum gb_call_kind kind, MPI_Comm comm) {
#define WHAT(name, title) &gb_api_##name,
  static const gb_collective *const what[] = {GB_EACH_COLLECTIVE(WHAT)};
  gb_call call = {
      .dropin = gb_dropin_get(), .what = what[kind % GB_CALLS_AT_ONCE], .row = {.kind = kind, .calls = 1}};
  if (call.dropin == NULL || !call.dropin->active ||
      atomic_load_explicit(&call.dropin->ending, memory_order_relaxed))
    return call;
  (void)gb_comm_find(comm, &call.dropin->preload, &call.c);
  return call;
}

gb_call gb_call_open_at_once(enum gb_call_kind kind, MPI_Comm comm, const void *request) {
  gb_call call = gb_call_open(kind, comm);
  if (request == NULL)
    call.c = NULL;
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

bool gb_call_is_root(const gb_call *call, const gb_arguments *a) {
  int inter = 0, rank = -1;
  if (call->c != NULL)
    return call->c->wire.rank == a->root;
  if (call->dropin == NULL || a->comm == MPI_COMM_NULL)
    return false;
  (void)PMPI_Comm_test_inter(a->comm, &inter);
  (void)PMPI_Comm_rank(a->comm, &rank);
  return inter ? a->root == MPI_ROOT : a->root == rank;
}

/* Notes a refusal, so that no other communicator's rank 0 prints it again. */
static void note_refusal(gb_comm *c, unsigned operations) {
  c->refused |= operations;
  if (c->refused != 0)
    atomic_store_explicit(&c->overrides.preload->printed, true, memory_order_relaxed);
}

/* Whether a plan is run. A plan that cannot be made now is refused on every rank, and at all later calls. */
static bool has_plan(gb_call *call, size_t bytes, int root) {
  const enum gbcast_operation operation = gb_collective_operation(call->what);
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
  call->row.class_bytes = schedule->class_bytes;
  call->row.plan = schedule->hash;
  call->row.predicted = schedule->predicted;
  if (gb_schedule_is_native(schedule, gb_collective_is_uneven(call->what)))
    return c->check; /* MPI's own collective is verified, too */
  return gb_handle_is_planned(c, false);
}

/* Whether a non-blocking call can begin without waiting for other ranks, and make progress in MPI_Wait(). */
static bool is_prepared(const gb_call *call) {
  gb_dropin *d = call->dropin;
  if (d->preload.requests != MPI_COMM_NULL && call->c->wire.comm != MPI_COMM_NULL)
    return true;
  if (d->verbose && call->c->left == GB_LEFT_NOTHING && !atomic_exchange(&d->told, true))
    fprintf(stderr, "gbcast: %s\n",
            d->preload.requests != MPI_COMM_NULL
                ? "non-blocking calls on a communicator are passed on to MPI until a blocking call has run a "
                  "plan there"
                : "non-blocking calls are passed on to MPI, unless GBCAST_PROGRESS=thread is set");
  return false;
}

/* Whether all ranks take over a call with right arguments. */
static bool is_taken(gb_call *call, size_t bytes, int root) {
  if (call->row.kind >= GB_CALLS_AT_ONCE && !is_prepared(call))
    return false;
  const int rc = gb_comm_enter(call->c);
  note_refusal(call->c, 0);
  return rc != MPI_SUCCESS /* poisoned */ ||
         (call->c->left == GB_LEFT_NOTHING && has_plan(call, bytes, root));
}

/* Bytes of a call that is passed on, for the counts. */
static size_t bytes_passed(const gb_call *call, const gb_arguments *a) {
  size_t bytes = 0;
  if (call->dropin == NULL || !call->dropin->counts || a->root == MPI_PROC_NULL)
    return 0;
  const enum gbcast_operation operation = gb_collective_operation(call->what);
  const bool each = gb_way_of(operation) == GB_WAY_UP || gb_gathers_all(operation),
             sends = each ? a->root != MPI_ROOT : gb_call_is_root(call, a);
  const gb_buffer *b = sends && a->send.buf != MPI_IN_PLACE ? &a->send : &a->receive;
  const MPI_Count count = b->counts == NULL ? b->count : a->root >= 0 ? b->counts[a->root] : 0;
  if (count > 0 && b->type != MPI_DATATYPE_NULL)
    (void)gb_type_bytes(count, b->type, &bytes);
  return bytes;
}

void gb_call_decide(gb_call *call, const gb_arguments *a) {
  gb_sizes sizes = {0};
  if (call->c == NULL || gb_api_check(call->what, call->c, a, &sizes) != MPI_SUCCESS) {
    call->row.bytes = bytes_passed(call, a);
    return;
  }
  call->row.bytes = sizes.block;
  const bool native = sizes.native || (sizes.native_at_once && call->row.kind >= GB_CALLS_AT_ONCE);
  call->taken = !native && is_taken(call, sizes.planned, a->root);
  call->start = PMPI_Wtime();
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
  if (call->dropin == NULL || !call->dropin->counts)
    return rc;
  if (!call->taken) {
    gb_tally_passed_on(&call->dropin->tally, call->row.bytes);
    return rc;
  }
  gb_row row = call->row;
  row.measured = PMPI_Wtime() - call->start;
  gb_tally_accelerated(&call->dropin->tally, &row);
  return rc;
}
