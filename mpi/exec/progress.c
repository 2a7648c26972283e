/* A run, from its beginning to its end: it posts what can be posted, takes in what has completed, and
 * repeats. */
#include "mpi/exec/channels.h"
#include "mpi/exec/compare.h"
#include "mpi/exec/receive.h"
#include "mpi/exec/requests.h"
#include "mpi/exec/send.h"
#include <math.h>
#include <sched.h>
#include <time.h>

/* The request at `at` has completed. A message that is too short or too long is not sent on to receivers. */
static int completed(gb_run *run, unsigned at, const MPI_Status *status) {
  const gb_request request = run->request[at];
  gb_requests_remove(run, at);
  if (run->schedule->channel[request.channel].direction == GB_SEND) {
    gb_send_done(run, &request);
    return MPI_SUCCESS;
  }
  int count, rc = MPI_Get_count(status, MPI_BYTE, &count);
  if (rc == MPI_SUCCESS)
    rc = count >= 0 && (size_t)count == request.length ? gb_receive_done(run, &request) : MPI_ERR_TRUNCATE;
  return rc;
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

/* SimGrid's MPI_Testany never finds eager sends, which are likely to be complete as soon as they are posted.
 * There, those that are, the last one first, are handled before anything is waited for. A look that finds
 * nothing makes all later looks of all ranks take longer, until one finds something. */
static int collect_eager(gb_run *run, bool *some) {
  for (unsigned i = run->used; i > 0; i--) {
    if (!run->request[i - 1].eager)
      continue;
    int which, done;
    MPI_Status status;
    int rc = gb_machine_look(1, &run->handle[i - 1], &which, &done, &status);
    if (rc == MPI_SUCCESS && done)
      rc = completed(run, i - 1, &status);
    if (rc != MPI_SUCCESS || !done)
      return rc;
    *some = true;
  }
  return MPI_SUCCESS;
}

/* One look; *at is MPI_UNDEFINED when nothing has completed. */
static int look(gb_run *run, int *at, MPI_Status *status) {
  int done = 0;
  int rc = run->used > gb_this_machine.few ? MPI_Testany((int)run->used, run->handle, at, &done, status)
                                           : gb_machine_look(run->used, run->handle, at, &done, status);
  if (rc == MPI_SUCCESS && !done)
    *at = MPI_UNDEFINED;
  return rc;
}

/* Waits until something completes, or a paced send may begin; *at is MPI_UNDEFINED if nothing has completed.
 */
static int await(gb_run *run, int *at, MPI_Status *status) {
  const bool paced = run->wake < INFINITY;
  if (paced && run->wake - MPI_Wtime() < gb_this_machine.too_soon) {
    rest(run->wake);
    return MPI_SUCCESS;
  }
  bool some = false;
  int rc = gb_this_machine.finds_eager ? MPI_SUCCESS : collect_eager(run, &some);
  if (rc != MPI_SUCCESS || some)
    return rc;
  if (!paced) {
    rc = gb_machine_wait_any(run->used, run->handle, at, status);
    return rc == MPI_SUCCESS && *at == MPI_UNDEFINED ? gb_comparisons_look(run->w->exec) : rc;
  }
  while ((rc = look(run, at, status)) == MPI_SUCCESS && *at == MPI_UNDEFINED && MPI_Wtime() < run->wake)
    rest(run->alert ? 0 : run->wake);
  return rc;
}

/* The same without waiting. *some: it may be worth to post again. */
static int collect(gb_run *run, int *at, MPI_Status *status, bool *some) {
  *some = false;
  int rc = gb_this_machine.finds_eager ? MPI_SUCCESS : collect_eager(run, some);
  if (rc == MPI_SUCCESS && !*some && run->used > 0) {
    rc = look(run, at, status);
    *some = *at != MPI_UNDEFINED;
  }
  return rc == MPI_SUCCESS && !*some ? gb_comparisons_look(run->w->exec) : rc;
}

/* Posts what can be posted now. */
static int post(gb_run *run) {
  run->wake = INFINITY;
  run->held = false;
  const int rc = run->ready_count > 0 ? gb_channels_begin(run) : MPI_SUCCESS;
  return rc == MPI_SUCCESS && run->unsent > 0 ? gb_send_segments(run) : rc;
}

/* Lists a run behind those that were called before it. */
static void start(gb_run *run) {
  gb_run **place = &run->w->exec->oldest;
  while (*place != NULL && (*place)->number < run->number)
    place = &(*place)->younger;
  run->younger = *place;
  *place = run;
  gb_channels_start(run);
}

static void finish(gb_run *run) {
  run->over = true;
  if (run->begun) {
    gb_run **place = &run->w->exec->oldest;
    while (*place != run)
      place = &(*place)->younger;
    *place = run->younger;
  }
  run->w->exec->next_number[run->number % GB_RUNS_MOST] += GB_RUNS_MOST;
}

void gb_run_cancel(gb_run *run, int rc) {
  if (run->over)
    return;
  run->code = gb_class_of_code(rc);
  if (run->w->poison == MPI_SUCCESS)
    run->w->poison = run->code;
  finish(run);
}

/* A message of another length may be that of another call: the comparison tells. MPI_SUCCESS: not yet. */
static int decide(gb_run *run, bool waits) {
  gb_exec *exec = run->w->exec;
  const int rc = waits ? gb_comparison_wait(exec, run->comparison) : gb_comparisons_look(exec);
  if (rc == MPI_ERR_ARG)
    return rc;
  return rc == MPI_SUCCESS && gb_comparison_is_open(exec, run->comparison) ? MPI_SUCCESS : run->undecided;
}

/* All channels are over: so is the run, unless it waits for a comparison. */
static int end(gb_run *run, bool waits) {
  gb_exec *exec = run->w->exec;
  int rc = MPI_SUCCESS;
  if (run->awaits_comparison || (exec->comparisons != NULL && gb_this_machine.looks_are_free))
    rc = run->awaits_comparison && waits ? gb_comparison_wait(exec, run->comparison)
                                         : gb_comparisons_look(exec);
  if (rc == MPI_SUCCESS && !(run->awaits_comparison && gb_comparison_is_open(exec, run->comparison)))
    finish(run);
  return rc;
}

/* Whether other runs are under way beside this one. */
static bool has_others(const gb_run *run) {
  return run->w->exec->oldest != run || run->younger != NULL;
}

bool gb_run_progress(gb_run *run, bool waits) {
  if (run->over)
    return true;
  int rc = run->w->poison; /* of another run */
  bool more = true;
  unsigned looks = 0, most = 0;
  if (rc == MPI_SUCCESS && run->w->exec->next_number[run->number % GB_RUNS_MOST] != run->number)
    return false; /* its tags are not free yet */
  if (!run->begun)
    start(run);
  if (rc == MPI_SUCCESS && run->undecided != MPI_SUCCESS) {
    more = false;
    rc = decide(run, waits);
  }
  while (rc == MPI_SUCCESS && more) {
    int at = MPI_UNDEFINED;
    MPI_Status status;
    if (run->channels_left > 0)
      rc = post(run);
    more = run->channels_left > 0;
    if (rc == MPI_SUCCESS && !more)
      rc = end(run, waits);
    else if (rc == MPI_SUCCESS && run->used == 0 && run->wake == INFINITY && !run->held)
      rc = MPI_ERR_INTERN; /* the schedule waits for itself */
    else if (rc == MPI_SUCCESS && waits && !run->held)
      rc = await(run, &at, &status);
    else if (rc == MPI_SUCCESS) {
      most = looks == 0 ? run->used : most;
      more = looks++ <= most || !has_others(run); /* else the others are next */
      rc = more ? collect(run, &at, &status, &more) : MPI_SUCCESS;
    }
    if (rc == MPI_SUCCESS && at != MPI_UNDEFINED)
      rc = completed(run, (unsigned)at, &status);
  }
  if (rc != MPI_SUCCESS && run->undecided == MPI_SUCCESS && gb_class_of_code(rc) == MPI_ERR_TRUNCATE) {
    run->undecided = MPI_ERR_TRUNCATE;
    rc = decide(run, waits);
  }
  if (rc != MPI_SUCCESS)
    gb_run_cancel(run, rc);
  return run->over;
}
