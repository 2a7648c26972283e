/* One call of the program: which way it goes, and what is remembered of it. */
#include "mpi/pmpi/call.h"
#include "mpi/cache.h"
#include "mpi/scatter.h"
#include "mpi/types.h"

/* Another communicator's rank 0 shall not tell it again. */
static void note_refusal(const gb_call *call) {
  if (call->c->refused != 0)
    atomic_store_explicit(&call->dropin->told, true, memory_order_relaxed);
}

gb_call gb_call_begin(enum gb_kind kind, MPI_Comm comm) {
  gb_call call = {.dropin = gb_dropin_get(), .row = {.kind = kind, .calls = 1}};
  if (call.dropin == NULL)
    return call;
  gb_comm_lenient(comm, &call.dropin->told, &call.c);
  if (call.c != NULL)
    note_refusal(&call);
  return call;
}

bool gb_call_is_root(const gb_call *call, int root, MPI_Comm comm) {
  int inter = 0, rank = -1;
  if (call->c != NULL)
    return call->c->rank == root;
  if (call->dropin == NULL || comm == MPI_COMM_NULL)
    return false;
  (void)PMPI_Comm_test_inter(comm, &inter);
  (void)PMPI_Comm_rank(comm, &rank);
  return inter ? root == MPI_ROOT : root == rank;
}

/* A plan that cannot be made is refused on every rank, and would be at the next call, too. */
static bool has_plan(gb_call *call, int root) {
  static const enum gbcast_operation operation[] = {GBCAST_BCAST, GBCAST_SCATTER, GBCAST_SCATTER,
                                                    GBCAST_ALLTOALL};
  const enum gb_kind kind = call->row.kind;
  gb_comm *c = call->c;
  gb_role *role;
  if ((c->refused & 1u << operation[kind]) != 0)
    return false;
  int rc = gb_cache_role(c, operation[kind], kind == GB_CALL_SCATTERV ? GB_NOMINAL_BLOCK : call->row.bytes,
                         root, &role);
  if (rc == MPI_ERR_ARG) {
    c->refused |= 1u << operation[kind];
    note_refusal(call);
    return false;
  }
  if (rc != MPI_SUCCESS) /* here alone: the library tells the others */
    return true;
  call->row.class_bytes = role->class_bytes;
  call->row.predicted = role->predicted;
  return !role->native || c->check; /* what is MPI's own is checked, too */
}

void gb_call_decide(gb_call *call, MPI_Count count, MPI_Datatype type, int root) {
  size_t bytes = 0;
  if (call->dropin == NULL || root == MPI_PROC_NULL || count < 0 || type == MPI_DATATYPE_NULL ||
      gb_type_bytes(count, type, &bytes) != MPI_SUCCESS)
    return;
  call->row.bytes = bytes;
  if (call->c == NULL || call->c->disabled || root < 0 || root >= call->c->size)
    return;
  call->taken = has_plan(call, root);
  call->start = PMPI_Wtime();
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
