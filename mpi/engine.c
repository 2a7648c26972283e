/* One engine runs any plan: it posts what can be posted, waits for something to complete, and goes on. */
#include "mpi/engine.h"
#include "mpi/agree.h"
#include "mpi/drain.h"
#include "mpi/listen.h"
#include "mpi/orphan.h"
#include "mpi/requests.h"
#include "mpi/stream.h"
#include "mpi/sweep.h"
#include <math.h>

static void note(gb_run *run, int code) {
  if (run->code == MPI_SUCCESS)
    run->code = code;
}

/* A receive that failed, or that got less than was due, is taken for done, so that those who wait for its
 * bytes are not left waiting; the call returns the error. */
static void check_received(gb_run *run, const gb_slot *slot, const MPI_Status *status) {
  int count = 0;
  if (MPI_Get_count(status, MPI_BYTE, &count) != MPI_SUCCESS || count < 0 || (size_t)count != slot->length)
    note(run, MPI_ERR_TRUNCATE);
}

static int completed(gb_run *run, unsigned at, const MPI_Status *status) {
  gb_slot slot = run->slot[at]; /* the arrays may move */
  switch (slot.kind) {
  case GB_SLOT_RECEIVE:
    if (slot.offset < run->flow[slot.flow].prefix) /* taken back */
      return MPI_SUCCESS;
    check_received(run, &slot, status);
    gb_stream_received(run, &slot);
    return MPI_SUCCESS;
  case GB_SLOT_SEND:
    gb_stream_sent(run, &slot);
    return MPI_SUCCESS;
  case GB_SLOT_DRAIN:
    run->slot[at].copy = NULL; /* moved */
    return gb_drain_next(run, &slot);
  case GB_SLOT_LISTEN:
    return gb_listen_heard(run, status);
  default:
    return MPI_SUCCESS;
  }
}

/* For the first word of a parent or, unless all is in vain, of a child. */
static bool is_waiting(const gb_run *run) {
  if (run->hellos > 0 && !run->failed)
    return true;
  for (uint32_t t = 0; t < run->role->tree_count; t++)
    if (run->flow[t].state == GB_FLOW_WAITING)
      return true;
  return false;
}

/* Waits for something to complete, or for a send's time to come. Where ranks have not agreed nobody waits for
 * ever: others may have left, or given up a stream; but all come to close. */
static int await(gb_run *run, int *count) {
  bool paced = run->wake < INFINITY;
  bool mine = run->sends > 0 || run->receives > run->drains || is_waiting(run);
  if (!paced && mine && !run->failed && run->closing == 0) /* SimGrid would wait for a collective alone */
    return MPI_Waitsome((int)run->used, run->request, count, run->index, run->status);
  double until = paced ? run->wake : MPI_Wtime() + GB_GRACE;
  int rc;
  do
    rc = MPI_Testsome((int)run->used, run->request, count, run->index, run->status);
  while (rc == MPI_SUCCESS && *count == 0 && MPI_Wtime() < until);
  run->given_up = !paced && *count == 0 && run->closing == 0;
  return rc;
}

static int wait_some(gb_run *run) {
  int count = 0;
  int rc = await(run, &count);
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

static int work(gb_run *run) {
  int rc = MPI_SUCCESS;
  for (;;) {
    if (rc == MPI_SUCCESS)
      rc = gb_stream_pump(run);
    if (rc != MPI_SUCCESS)
      return rc;
    bool idle = run->receives == 0 && run->sends == 0 && run->wake == INFINITY;
    if (run->given_up || (idle && !is_waiting(run)))
      return MPI_SUCCESS;
    rc = wait_some(run);
  }
}

static void begin(gb_run *run, gb_comm *c, gb_role *role, size_t bytes, gb_flow *flow) {
  run->c = c;
  run->role = role;
  run->bytes = bytes;
  run->flow = flow;
  run->sequence = c->sequence++;
  run->stamp = 0;
  run->hellos = 0;
  run->agreeing = run->failed = run->given_up = false;
  run->code = MPI_SUCCESS;
  gb_requests_init(run);
}

static void finish(gb_run *run) {
  gb_requests_give_up(run); /* nothing but headers is left unless something failed */
  gb_requests_release(run);
}

/* Until all is done, also with those whose calls this rank has left. */
static void complete(gb_run *run) {
  int rc = gb_agree_begin(run);
  bool heard = true;
  while (rc == MPI_SUCCESS && heard) {
    rc = work(run);
    if (rc == MPI_SUCCESS)
      rc = gb_listen_stop(run, &heard);
  }
  if (rc != MPI_SUCCESS)
    note(run, rc);
}

int gb_engine(gb_comm *c, gb_role *role, size_t bytes, gb_flow *flow) {
  gb_run run;
  begin(&run, c, role, bytes, flow);
  complete(&run);
  finish(&run);
  return run.code;
}

int gb_engine_settle(gb_comm *c, uint64_t end, int code) {
  gb_role none = {.root = -1};
  while (code != MPI_SUCCESS && c->sequence < end) {
    gb_run run;
    begin(&run, c, &none, 0, NULL);
    gb_agree_fail(&run, code);
    finish(&run);
  }
  return code;
}

void gb_engine_close(gb_comm *c) {
  gb_role none = {.root = -1};
  gb_run run;
  uint64_t mine = c->doubt, doubt = 0;
  if (c->sequence == 1)
    return;
  begin(&run, c, &none, 0, NULL);
  MPI_Request *all = gb_requests_next(&run);
  if (all != NULL && MPI_Iallreduce(&mine, &doubt, 1, MPI_UINT64_T, MPI_MAX, c->dup, all) == MPI_SUCCESS) {
    gb_requests_add(&run, &(gb_slot){.kind = GB_SLOT_CLOSE});
    complete(&run);
  }
  finish(&run);
  gb_listen_end(c);
  if (doubt > 0)
    (void)gb_sweep(c);
  gb_orphans_end(&c->orphan);
}
