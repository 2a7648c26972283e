/* One engine runs any plan: it posts what can be posted, waits for something to complete, and goes on. */
#include "mpi/exec/agree.h"
#include "mpi/exec/drain.h"
#include "mpi/exec/early.h"
#include "mpi/exec/exchanging.h"
#include "mpi/exec/exec.h"
#include "mpi/exec/hear.h"
#include "mpi/exec/listen.h"
#include "mpi/exec/news.h"
#include "mpi/exec/offer.h"
#include "mpi/exec/orphan.h"
#include "mpi/exec/requests.h"
#include "mpi/exec/stream.h"
#include "mpi/exec/sweep.h"
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

static void note(gb_run *run, int code) {
  if (run->code == MPI_SUCCESS)
    run->code = code;
}

/* Whether a receive got as many bytes as expected. */
static bool is_whole(const gb_slot *slot, const MPI_Status *status) {
  int count = 0;
  return MPI_Get_count(status, MPI_BYTE, &count) == MPI_SUCCESS && count >= 0 &&
         (size_t)count == slot->length;
}

/* A message of the wrong length is an error, and is not sent on to children. If the call has failed before,
 * all ranks know, and the bytes are sent on so that nobody waits for them. */
static int check_received(gb_run *run, const gb_slot *slot, const MPI_Status *status) {
  if (is_whole(slot, status))
    return MPI_SUCCESS;
  if (!run->failed)
    return MPI_ERR_TRUNCATE;
  note(run, MPI_ERR_TRUNCATE);
  return MPI_SUCCESS;
}

static int completed(gb_run *run, unsigned at, const MPI_Status *status) {
  gb_slot slot = run->slot[at]; /* the arrays may move */
  int rc;
  switch (slot.kind) {
  case GB_SLOT_RECEIVE:
    if (slot.offset < run->flow[slot.flow].prefix) /* taken back */
      return MPI_SUCCESS;
    if (slot.offset == 0 && gb_news_begin(run, &slot, status))
      return gb_news_expect(run, &slot);
    if ((rc = check_received(run, &slot, status)) == MPI_SUCCESS)
      gb_stream_received(run, &slot);
    return rc;
  case GB_SLOT_SEND:
    gb_stream_sent(run, &slot);
    return MPI_SUCCESS;
  case GB_SLOT_DRAIN:
    run->slot[at].copy = NULL; /* moved */
    return gb_drain_next(run, &slot);
  case GB_SLOT_NEWS:
    if (!is_whole(&slot, status)) { /* must not be planned from */
      gb_agree_fail(run, MPI_ERR_TRUNCATE);
      return MPI_SUCCESS;
    }
    run->slot[at].copy = NULL; /* moved */
    return gb_news_heard(run, &slot);
  case GB_SLOT_BLOCK_IN:
    if ((rc = check_received(run, &slot, status)) == MPI_SUCCESS)
      gb_exchanging_done(run, &slot);
    return rc;
  case GB_SLOT_BLOCK_OUT:
  case GB_SLOT_WORD_IN:
  case GB_SLOT_WORD_OUT:
    gb_exchanging_done(run, &slot);
    return MPI_SUCCESS;
  case GB_SLOT_LISTEN:
    return gb_hear(run, slot.ear, status);
  default:
    return MPI_SUCCESS;
  }
}

/* For the first word of a parent or, unless all is in vain, of a child. */
static bool is_waiting(const gb_run *run) {
  if (run->hellos > 0 && !run->failed)
    return true;
  if (run->exchanging != NULL && gb_exchanging_is_waiting(run))
    return true;
  for (uint32_t t = 0; t < run->role->tree_count; t++)
    if (run->flow[t].state == GB_FLOW_WAITING)
      return true;
  return false;
}

/* Until then, or a little less. To sleep costs no processor time, but takes some fifty microseconds at
 * least; for less, others may have the processor if they want it. */
static void rest(double until) {
  double left = until - MPI_Wtime();
  if (left < gb_this_machine.nap_least) {
    (void)sched_yield();
    return;
  }
  struct timespec nap = {0, (long)((left < GB_NAP_MOST ? left : GB_NAP_MOST) * 1e9)};
  (void)nanosleep(&nap, NULL);
}

/* Sends that wait for nobody are likely to be complete as soon as they are posted: those that are, the last
 * one first, are done with before anything is waited for. SimGrid's MPI_Testany never sees them; and there,
 * where whoever looks in vain makes all further looks of all ranks longer, a look that succeeds ends that.
 * After an error *at is the one that failed. */
static int collect_eager(gb_run *run, bool *some, int *at, MPI_Status *status) {
  for (unsigned i = run->used; i > 0; i--) {
    if (run->slot[i - 1].kind != GB_SLOT_SEND || !run->slot[i - 1].eager)
      continue;
    int which, done;
    int rc = gb_machine_look(1, &run->request[i - 1], &which, &done, status);
    if (rc != MPI_SUCCESS)
      *at = (int)i - 1;
    if (rc != MPI_SUCCESS || !done)
      return rc;
    gb_stream_sent(run, &run->slot[i - 1]);
    *some = true;
  }
  return MPI_SUCCESS;
}

/* *at is MPI_UNDEFINED when nothing has completed. SimGrid's MPI_Testany passes over collectives. */
static int test_any(gb_run *run, int *at, MPI_Status *status) {
  int done = 0;
  int rc = run->closing == 0 && run->used > gb_this_machine.few
               ? MPI_Testany((int)run->used, run->request, at, &done, status)
               : gb_machine_look(run->used, run->request, at, &done, status);
  if (rc == MPI_SUCCESS && !done)
    *at = MPI_UNDEFINED;
  return rc;
}

/* Waits for something to complete, or for a send's time to come; *at is MPI_UNDEFINED when nothing has. Where
 * ranks have not agreed nobody waits for ever: others may have left, or given up a stream; but all come to
 * close. */
static int await(gb_run *run, int *at, MPI_Status *status) {
  bool paced = run->wake < INFINITY;
  if (paced && run->wake - MPI_Wtime() < gb_this_machine.too_soon) {
    rest(run->wake);
    return MPI_SUCCESS;
  }
  bool mine = run->sends > 0 || run->receives > run->drains || is_waiting(run);
  bool some = false;
  int rc = collect_eager(run, &some, at, status);
  if (rc != MPI_SUCCESS || some)
    return rc;
  if (!paced && mine && !run->failed && run->closing == 0) /* SimGrid would wait for a collective alone */
    return gb_machine_wait_any(run->used, run->request, at, status);
  double until = paced ? run->wake : MPI_Wtime() + GB_GRACE;
  while ((rc = test_any(run, at, status)) == MPI_SUCCESS && *at == MPI_UNDEFINED && MPI_Wtime() < until)
    rest(paced && run->alert ? 0 : until);
  run->given_up = rc == MPI_SUCCESS && !paced && *at == MPI_UNDEFINED && run->closing == 0;
  return rc;
}

static int wait_one(gb_run *run) {
  int at = MPI_UNDEFINED;
  MPI_Status status;
  int rc = await(run, &at, &status);
  if (rc != MPI_SUCCESS) {
    if (at == MPI_UNDEFINED || run->request[at] != MPI_REQUEST_NULL || !run->failed)
      return rc;
    note(run, rc); /* of this message only */
  }
  rc = at == MPI_UNDEFINED ? MPI_SUCCESS : completed(run, (unsigned)at, &status);
  gb_requests_compact(run);
  return rc;
}

static int work(gb_run *run) {
  int rc = MPI_SUCCESS;
  for (;;) {
    if (rc == MPI_SUCCESS)
      rc = gb_stream_pump(run);
    if (rc == MPI_SUCCESS && run->exchanging != NULL)
      rc = gb_exchanging_pump(run);
    if (rc != MPI_SUCCESS)
      return rc;
    if (run->w->poison != MPI_SUCCESS && run->closing == 0)
      return MPI_SUCCESS;
    bool idle = run->receives == 0 && run->sends == 0 && run->wake == INFINITY;
    if (run->given_up || (idle && !is_waiting(run)))
      return MPI_SUCCESS;
    rc = wait_one(run);
  }
}

static void begin(gb_run *run, gb_wire *w, gb_role *role, size_t bytes, gb_flow *flow) {
  run->w = w;
  run->role = role;
  run->bytes = bytes;
  run->flow = flow;
  run->exchanging = NULL;
  run->sequence = w->sequence++;
  run->stamp = 0;
  run->port = run->looked = 0;
  run->hellos = 0;
  run->agreeing = run->failed = run->given_up = false;
  run->code = MPI_SUCCESS;
  gb_news_init(run);
  gb_requests_init(run);
}

static void finish(gb_run *run) {
  gb_requests_give_up(run); /* nothing but headers is left unless something failed */
  gb_requests_release(run);
}

/* Works until all is done, including what other ranks still need from calls that this rank has left. */
static void complete(gb_run *run) {
  int rc = gb_agree_begin(run);
  bool heard = true;
  while (rc == MPI_SUCCESS && heard) {
    rc = work(run);
    if (rc == MPI_SUCCESS)
      gb_news_read(run);
    if (rc == MPI_SUCCESS)
      rc = gb_hear_last(run, &heard);
  }
  if (rc != MPI_SUCCESS)
    gb_agree_poison(run, rc);
}

int gb_exec_run(gb_wire *w, gb_role *role, size_t bytes, gb_flow *flow) {
  gb_run run;
  begin(&run, w, role, bytes, flow);
  complete(&run);
  gb_news_keep(&run);
  finish(&run);
  return run.code;
}

int gb_exec_exchange(gb_wire *w, gb_role *role, size_t bytes, const void *send, void *receive) {
  gb_exchanging exchanging = {.send = send, .receive = receive, .nothing = bytes == 0};
  gb_run run;
  begin(&run, w, role, bytes, NULL);
  run.exchanging = &exchanging;
  int rc = gb_exchanging_begin(&run);
  if (rc != MPI_SUCCESS)
    gb_agree_fail(&run, rc);
  complete(&run);
  finish(&run);
  gb_exchanging_end(&run);
  return run.code;
}

int gb_exec_abandon(gb_wire *w, uint64_t end, int code) {
  gb_role none = {.root = -1};
  if (w->poison != MPI_SUCCESS)
    return code != MPI_SUCCESS ? code : w->poison;
  while (code != MPI_SUCCESS && w->sequence < end) {
    gb_run run;
    begin(&run, w, &none, 0, NULL);
    gb_agree_fail(&run, code);
    finish(&run);
  }
  return code;
}

/* Takes in what lies around from failed calls, until nobody is in a call any more. */
static void close_calls(gb_wire *w) {
  gb_role none = {.root = -1};
  gb_run run;
  uint64_t mine = w->doubt > 0 ? w->doubt : gb_offers_made(w), doubt = 0; /* nobody waits for an offer */
  if (w->sequence == 1)
    return;
  begin(&run, w, &none, 0, NULL);
  MPI_Request *all = gb_requests_next(&run);
  if (all != NULL && MPI_Iallreduce(&mine, &doubt, 1, MPI_UINT64_T, MPI_MAX, w->comm, all) == MPI_SUCCESS) {
    gb_requests_add(&run, &(gb_slot){.kind = GB_SLOT_CLOSE});
    complete(&run);
  }
  finish(&run);
  gb_listen_end(w);
  if (doubt > 0)
    (void)gb_sweep(w);
  gb_orphans_end(&w->exec->orphan);
  gb_offers_end(w);
}

static void close_wire(gb_wire *w) {
  if (w->comm != MPI_COMM_NULL)
    close_calls(w);
  gb_early_release(w->exec->early);
  free(w->exec);
  w->exec = NULL;
}

bool gb_exec_new(gb_wire *w) {
  if (w->exec == NULL && (w->exec = calloc(1, sizeof *w->exec)) != NULL) {
    w->exec->offer = MPI_REQUEST_NULL;
    for (unsigned ear = 0; ear < GB_EARS; ear++)
      w->exec->listen[ear] = MPI_REQUEST_NULL;
    w->close = close_wire;
  }
  return w->exec != NULL;
}

void gb_exec_look_for_offer(gb_wire *w) {
  gb_offer_look(w);
}

void gb_exec_look_for_failures(gb_wire *w) {
  (void)gb_listen_peek(w, w->sequence, false);
}

void gb_exec_offer(gb_wire *w, int root) {
  (void)gb_offer_make(w, root);
}
