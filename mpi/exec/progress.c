/* The executor runs any plan: it posts what can be posted, waits until something completes, and repeats. */
#include "mpi/exec/agree.h"
#include "mpi/exec/drain.h"
#include "mpi/exec/exchanging.h"
#include "mpi/exec/exec.h"
#include "mpi/exec/hear.h"
#include "mpi/exec/listen.h"
#include "mpi/exec/offer.h"
#include "mpi/exec/orphan.h"
#include "mpi/exec/receive.h"
#include "mpi/exec/requests.h"
#include "mpi/exec/send.h"
#include "mpi/exec/sweep.h"
#include "mpi/exec/unexpected.h"
#include "mpi/exec/update.h"
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

static void note(gb_run *run, int code) {
  if (run->code == MPI_SUCCESS)
    run->code = code;
}

/* Whether a receive got as many bytes as expected. */
static bool is_whole(const gb_request *request, const MPI_Status *status) {
  int count = 0;
  return MPI_Get_count(status, MPI_BYTE, &count) == MPI_SUCCESS && count >= 0 &&
         (size_t)count == request->length;
}

/* A message of the wrong length is an error, and is not sent on to children. If the call has failed before,
 * all ranks know, and the bytes are sent on so that nobody waits for them. */
static int check_received(gb_run *run, const gb_request *request, const MPI_Status *status) {
  if (is_whole(request, status))
    return MPI_SUCCESS;
  if (!run->failed)
    return MPI_ERR_TRUNCATE;
  note(run, MPI_ERR_TRUNCATE);
  return MPI_SUCCESS;
}

static int completed(gb_run *run, unsigned at, const MPI_Status *status) {
  gb_request request = run->request[at]; /* the arrays may move */
  int rc;
  switch (request.kind) {
  case GB_REQUEST_RECEIVE:
    if (request.offset < run->stream[request.stream].prefix) /* taken back */
      return MPI_SUCCESS;
    if (request.offset == 0 && gb_update_begin(run, &request, status))
      return gb_update_expect(run, &request);
    if ((rc = check_received(run, &request, status)) == MPI_SUCCESS)
      gb_receive_done(run, &request);
    return rc;
  case GB_REQUEST_SEND:
    gb_send_done(run, &request);
    return MPI_SUCCESS;
  case GB_REQUEST_DRAIN:
    run->request[at].copy = NULL; /* moved */
    return gb_drain_next(run, &request);
  case GB_REQUEST_UPDATE_IN:
    if (!is_whole(&request, status)) { /* must not be planned from */
      gb_agree_fail(run, MPI_ERR_TRUNCATE);
      return MPI_SUCCESS;
    }
    run->request[at].copy = NULL; /* moved */
    return gb_update_heard(run, &request);
  case GB_REQUEST_BLOCK_IN:
    if ((rc = check_received(run, &request, status)) == MPI_SUCCESS)
      gb_exchanging_done(run, &request);
    return rc;
  case GB_REQUEST_BLOCK_OUT:
  case GB_REQUEST_SYNC_IN:
  case GB_REQUEST_SYNC_OUT:
    gb_exchanging_done(run, &request);
    return MPI_SUCCESS;
  case GB_REQUEST_LISTEN:
    return gb_hear(run, request.ear, status);
  default:
    return MPI_SUCCESS;
  }
}

/* Whether this rank waits for the first header of a parent or, unless the call has failed, of a child. */
static bool is_waiting(const gb_run *run) {
  if (run->hellos > 0 && !run->failed)
    return true;
  if (run->exchanging != NULL && gb_exchanging_is_waiting(run))
    return true;
  for (uint32_t t = 0; t < run->schedule->tree_count; t++)
    if (run->stream[t].state == GB_STREAM_WAITING)
      return true;
  return false;
}

/* Sleeps until `until`, or a little less. Sleeping costs no processor time, but takes some 50 microseconds at
 * least; for less, other processes may have the processor. */
static void rest(double until) {
  double left = until - MPI_Wtime();
  if (left < gb_this_machine.nap_least) {
    (void)sched_yield();
    return;
  }
  struct timespec nap = {0, (long)((left < GB_NAP_MOST ? left : GB_NAP_MOST) * 1e9)};
  (void)nanosleep(&nap, NULL);
}

/* Eager sends are likely to be complete as soon as they are posted. Those that are, the last one first, are
 * handled before anything is waited for. SimGrid's MPI_Testany never finds them. There, a look that finds
 * nothing makes all later looks of all ranks take longer, until one finds something. After an error *at is
 * the request that failed. */
static int collect_eager(gb_run *run, bool *some, int *at, MPI_Status *status) {
  for (unsigned i = run->used; i > 0; i--) {
    if (run->request[i - 1].kind != GB_REQUEST_SEND || !run->request[i - 1].eager)
      continue;
    int which, done;
    int rc = gb_machine_look(1, &run->handle[i - 1], &which, &done, status);
    if (rc != MPI_SUCCESS)
      *at = (int)i - 1;
    if (rc != MPI_SUCCESS || !done)
      return rc;
    gb_send_done(run, &run->request[i - 1]);
    *some = true;
  }
  return MPI_SUCCESS;
}

/* *at is MPI_UNDEFINED when nothing has completed. SimGrid's MPI_Testany passes over collectives. */
static int test_any(gb_run *run, int *at, MPI_Status *status) {
  int done = 0;
  int rc = run->closing == 0 && run->used > gb_this_machine.few
               ? MPI_Testany((int)run->used, run->handle, at, &done, status)
               : gb_machine_look(run->used, run->handle, at, &done, status);
  if (rc == MPI_SUCCESS && !done)
    *at = MPI_UNDEFINED;
  return rc;
}

/* Waits until something completes, or a paced send may begin; *at is MPI_UNDEFINED if nothing has completed.
 * If ranks have not agreed, nobody waits forever, because others may have left, or given up a stream; but all
 * come to close. */
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
    return gb_machine_wait_any(run->used, run->handle, at, status);
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
    if (at == MPI_UNDEFINED || run->handle[at] != MPI_REQUEST_NULL || !run->failed)
      return rc;
    note(run, rc); /* an error of this message only */
  }
  rc = at == MPI_UNDEFINED ? MPI_SUCCESS : completed(run, (unsigned)at, &status);
  gb_requests_compact(run);
  return rc;
}

/* Posts what can be posted now. */
static int post(gb_run *run) {
  int rc = gb_receive_post(run);
  if (rc == MPI_SUCCESS)
    rc = gb_send_segments(run);
  return rc == MPI_SUCCESS && run->update.there ? gb_update_pass_on(run) : rc;
}

static int work(gb_run *run) {
  int rc = MPI_SUCCESS;
  for (;;) {
    if (rc == MPI_SUCCESS)
      rc = post(run);
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

static void begin(gb_run *run, gb_wire *w, gb_rank_schedule *schedule, size_t bytes, gb_tree_stream *stream) {
  run->w = w;
  run->schedule = schedule;
  run->bytes = bytes;
  run->stream = stream;
  run->exchanging = NULL;
  run->sequence = w->sequence++;
  run->stamp = 0;
  run->port = run->looked = 0;
  run->hellos = 0;
  run->agreeing = run->failed = run->given_up = false;
  run->code = MPI_SUCCESS;
  gb_update_init(run);
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
      gb_update_read(run);
    if (rc == MPI_SUCCESS)
      rc = gb_hear_last(run, &heard);
  }
  if (rc != MPI_SUCCESS)
    gb_agree_poison(run, rc);
}

int gb_exec_run(gb_wire *w, gb_rank_schedule *schedule, size_t bytes, gb_tree_stream *stream) {
  gb_run run;
  begin(&run, w, schedule, bytes, stream);
  complete(&run);
  gb_update_keep(&run);
  finish(&run);
  return run.code;
}

int gb_exec_exchange(gb_wire *w, gb_rank_schedule *schedule, size_t bytes, const void *send, void *receive) {
  gb_exchanging exchanging = {.send = send, .receive = receive, .nothing = bytes == 0};
  gb_run run;
  begin(&run, w, schedule, bytes, NULL);
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
  gb_rank_schedule none = {.root = -1};
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

/* Receives what failed calls have left, until no rank is in a call any more. */
static void close_calls(gb_wire *w) {
  gb_rank_schedule none = {.root = -1};
  gb_run run;
  uint64_t mine = w->doubt > 0 ? w->doubt : gb_offers_made(w), doubt = 0; /* nobody waits for an offer */
  if (w->sequence == 1)
    return;
  begin(&run, w, &none, 0, NULL);
  MPI_Request *all = gb_requests_next(&run);
  if (all != NULL && MPI_Iallreduce(&mine, &doubt, 1, MPI_UINT64_T, MPI_MAX, w->comm, all) == MPI_SUCCESS) {
    gb_requests_add(&run, &(gb_request){.kind = GB_REQUEST_CLOSE});
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
  gb_unexpected_free(w->exec->unexpected);
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
