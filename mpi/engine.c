/* One engine runs any plan: it posts what can be posted, waits for something to complete, and goes on. */
#include "mpi/engine.h"
#include "mpi/agree.h"
#include "mpi/requests.h"
#include "mpi/stream.h"

static void note(gb_run *run, int code) {
  if (run->code == MPI_SUCCESS)
    run->code = code;
}

/* A receive that failed, or that got less than was due, is taken for done, so that those who wait for its
 * bytes are not left waiting; the call returns the error. */
static void check_received(gb_run *run, const gb_slot *slot, const MPI_Status *status) {
  int count = 0, cancelled = 0;
  if (MPI_Test_cancelled(status, &cancelled) == MPI_SUCCESS && cancelled)
    return;
  if (MPI_Get_count(status, MPI_BYTE, &count) != MPI_SUCCESS || count < 0 || (size_t)count != slot->length)
    note(run, MPI_ERR_TRUNCATE);
}

static int completed(gb_run *run, unsigned at, const MPI_Status *status) {
  gb_slot slot = run->slot[at]; /* the arrays may move */
  switch (slot.kind) {
  case GB_SLOT_RECEIVE:
    if (run->flow[slot.flow].state != GB_FLOW_RUNNING)
      return MPI_SUCCESS;
    check_received(run, &slot, status);
    gb_stream_received(run, &slot);
    return MPI_SUCCESS;
  case GB_SLOT_SEND:
    gb_stream_sent(run, &slot);
    return MPI_SUCCESS;
  case GB_SLOT_DRAIN:
    run->slot[at].copy = NULL; /* moved */
    return gb_agree_drained(run, &slot, slot.copy);
  case GB_SLOT_LISTEN: {
    int rc = gb_agree_heard(run, run->c->heard, status->MPI_SOURCE);
    return rc == MPI_SUCCESS ? gb_agree_listen(run) : rc;
  }
  default:
    return MPI_SUCCESS;
  }
}

static int wait_some(gb_run *run) {
  int count = 0;
  int rc = MPI_Waitsome((int)run->used, run->request, &count, run->index, run->status);
  if (rc != MPI_SUCCESS && rc != MPI_ERR_IN_STATUS) {
    int class = rc;
    (void)MPI_Error_class(rc, &class);
    if (class != MPI_ERR_IN_STATUS)
      return rc;
  }
  bool failures = rc != MPI_SUCCESS;
  rc = MPI_SUCCESS;
  for (int i = 0; i < count && rc == MPI_SUCCESS; i++) {
    MPI_Status status = run->status[i];
    if (failures && status.MPI_ERROR != MPI_SUCCESS && status.MPI_ERROR != MPI_ERR_PENDING)
      note(run, status.MPI_ERROR);
    rc = completed(run, (unsigned)run->index[i], &status);
  }
  gb_requests_compact(run);
  return rc;
}

static bool is_waiting(const gb_run *run) {
  for (uint32_t t = 0; t < run->role->tree_count; t++)
    if (run->flow[t].state == GB_FLOW_WAITING)
      return true;
  return false;
}

static int work(gb_run *run) {
  int rc = MPI_SUCCESS;
  for (;;) {
    if (rc == MPI_SUCCESS)
      rc = gb_stream_pump(run);
    if (rc != MPI_SUCCESS)
      return rc;
    bool sending = run->sends > 0 && !run->failed;
    if (run->receives == 0 && !sending && !is_waiting(run))
      return MPI_SUCCESS;
    rc = wait_some(run);
  }
}

int gb_engine(gb_run *run) {
  run->sequence = run->c->sequence++;
  run->stamp = 0;
  run->agreeing = run->role->fresh;
  run->failed = false;
  run->code = MPI_SUCCESS;
  gb_requests_init(run);
  for (uint32_t t = 0; t < run->role->tree_count; t++) {
    gb_flow *f = &run->flow[t];
    f->state = run->agreeing ? GB_FLOW_WAITING : GB_FLOW_RUNNING;
    f->receiving = f->prefix = 0;
    f->arrived = 0;
    f->lane_in_flight[0] = f->lane_in_flight[1] = 0;
    for (uint32_t i = 0; i < f->tree->child_count; i++) {
      f->out[i].posted = 0;
      f->out[i].in_flight = 0;
    }
  }
  run->role->fresh = false;
  int rc = run->agreeing ? gb_agree_begin(run) : MPI_SUCCESS;
  bool heard = true;
  while (rc == MPI_SUCCESS && heard) {
    heard = false;
    rc = work(run);
    if (rc == MPI_SUCCESS && run->agreeing)
      rc = gb_agree_stop(run, &heard);
  }
  if (rc != MPI_SUCCESS)
    note(run, rc);
  gb_requests_give_up(run); /* nothing is left unless something failed */
  gb_requests_release(run);
  return run->code;
}
