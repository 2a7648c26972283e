/* Calls under way: blocking ones, and those in the list of this process. */
#include "mpi/comm/handle.h"
#include "mpi/comm/comm.h"
#include "mpi/comm/progress_thread.h"
#include "mpi/comm/registry.h"
#include <limits.h>
#include <sched.h>

/* What ranks compare when they use a schedule for the first time. */
static uint64_t hash_of(const gb_rank_schedule *schedule, size_t bytes) {
  uint64_t hash = gb_hash_number(schedule->hash, (uint64_t)schedule->operation);
  hash = gb_hash_number(hash, (uint64_t)schedule->root);
  return gb_hash_number(hash, bytes);
}

bool gb_handle_is_planned(gb_comm *c, const gb_rank_schedule *schedule, bool own) {
  return !(schedule->native && own) &&
         (c->wire.comm != MPI_COMM_NULL || gb_comm_duplicate(c, gb_exec_new(&c->wire)));
}

int gb_handle_plan(gb_handle *h, enum gbcast_operation operation, size_t bytes, int root, unsigned runs) {
  gb_comm *c = h->c;
  gb_rank_schedule *schedule = NULL;
  h->schedule = NULL;
  h->checked = false;
  if (c == NULL)
    return MPI_SUCCESS;
  int rc = gb_comm_enter(c);
  if (rc != MPI_SUCCESS || c->left != GB_LEFT_NOTHING)
    return rc;
  if ((rc = gb_comm_schedule(c, operation, bytes, root, &schedule)) != MPI_SUCCESS) {
    if (rc != MPI_ERR_ARG) /* on this rank alone: the others begin a call that it takes no part in */
      c->wire.poison = rc;
    return rc;
  }
  h->checked = c->check && bytes > 0;
  if (!gb_handle_is_planned(c, schedule, !h->never_own && bytes <= INT_MAX)) /* in which MPI counts */
    return MPI_SUCCESS;
  h->schedule = gb_rank_schedule_keep(schedule);
  h->number = c->wire.number;
  c->wire.number += runs + h->checked;
  h->compares = !schedule->used_before || c->check;
  h->hash = h->compares ? hash_of(schedule, bytes) : schedule->hash;
  schedule->used_before = true;
  return MPI_SUCCESS;
}

int gb_handle_refuse(gb_handle *h, int code) {
  int class = code;
  (void)MPI_Error_class(code, &class);
  h->c->wire.poison = class;
  gb_rank_schedule_free(h->schedule);
  h->schedule = NULL;
  return class;
}

int gb_handle_run(gb_handle *h) {
  int rc = gb_run_new(&h->c->wire, h->schedule, h->number++, h->hash, &h->run);
  if (rc != MPI_SUCCESS || !h->compares)
    return rc;
  h->compares = false;
  if (h->c->check)
    gb_run_awaits_agreement(h->run);
  return gb_exec_agree(&h->c->wire, h->hash);
}

static void finish(gb_handle *h, int code) {
  int class = code;
  (void)MPI_Error_class(code, &class);
  if (class != MPI_SUCCESS && h->schedule != NULL && h->c->wire.poison == MPI_SUCCESS)
    h->c->wire.poison = class;
  if (h->run != NULL) { /* which `next` has not begun in full */
    gb_run_cancel(h->run, class);
    (void)gb_run_end(h->run);
    h->run = NULL;
  }
  for (int i = 0; i < GB_OWN_MOST; i++) /* the other one may still receive into the caller's buffer */
    if (h->own[i] != MPI_REQUEST_NULL)
      (void)PMPI_Wait(&h->own[i], MPI_STATUS_IGNORE);
  h->code = class;
  atomic_store_explicit(&h->over, true, memory_order_release);
}

/* Begins the next part, once one is over with `code`. */
static void next(gb_handle *h, int code) {
  if (code == MPI_SUCCESS)
    code = h->next(h);
  bool more = code == MPI_SUCCESS && h->run != NULL;
  for (int i = 0; code == MPI_SUCCESS && i < GB_OWN_MOST; i++)
    more |= h->own[i] != MPI_REQUEST_NULL;
  if (!more)
    finish(h, code);
}

void gb_handle_begin(gb_handle *h) {
  h->registry = h->c != NULL ? h->c->registry : NULL;
  h->part = 0;
  h->run = NULL;
  for (int i = 0; i < GB_OWN_MOST; i++)
    h->own[i] = MPI_REQUEST_NULL;
  h->raised = false;
  atomic_store_explicit(&h->over, false, memory_order_relaxed);
  next(h, MPI_SUCCESS);
}

/* Ends the part if it is over. Whether it was. */
static bool end_part(gb_handle *h) {
  int rc = MPI_SUCCESS, done = true;
  if (h->run != NULL) {
    if (!gb_run_progress(h->run))
      return false;
    rc = gb_run_end(h->run);
    h->run = NULL;
  }
  for (int i = 0; done && i < GB_OWN_MOST; i++) {
    if (h->own[i] == MPI_REQUEST_NULL)
      continue;
    int one = PMPI_Test(&h->own[i], &done, MPI_STATUS_IGNORE);
    h->raised |= one != MPI_SUCCESS;
    rc = rc == MPI_SUCCESS ? one : rc;
  }
  if (done || rc != MPI_SUCCESS)
    next(h, rc);
  return done;
}

static void progress(gb_handle *h) {
  while (!h->over && end_part(h))
    ;
}

/* Whether no other call of this process is under way. */
static bool is_alone(const gb_comm_registry *list) {
  return list == NULL || atomic_load_explicit(&list->listed, memory_order_acquire) == 0;
}

static void lock(gb_comm_registry *list) {
  while (atomic_flag_test_and_set_explicit(&list->working, memory_order_acquire))
    (void)sched_yield();
}

static void unlock(gb_comm_registry *list) {
  atomic_flag_clear_explicit(&list->working, memory_order_release);
}

static void unlink_handle(gb_comm_registry *list, gb_handle *h) {
  *(h->previous != NULL ? &h->previous->later : &list->first_handle) = h->later;
  *(h->later != NULL ? &h->later->previous : &list->last_handle) = h->previous;
  h->listed = false;
  atomic_fetch_sub_explicit(&list->listed, 1, memory_order_release);
}

static void progress_listed(gb_comm_registry *list) {
  for (gb_handle *h = list->first_handle, *later; h != NULL; h = later) {
    later = h->later;
    progress(h);
    if (h->over)
      unlink_handle(list, h);
  }
}

void gb_handle_progress_all(gb_comm_registry *list) {
  if (is_alone(list) || atomic_flag_test_and_set_explicit(&list->working, memory_order_acquire))
    return;
  progress_listed(list);
  unlock(list);
}

/* Beside others in the list, which it may have to wait for. */
static void wait_among(gb_comm_registry *list, gb_handle *h) {
  while (!atomic_load_explicit(&h->over, memory_order_acquire)) {
    lock(list);
    if (!h->listed)
      progress(h);
    progress_listed(list);
    unlock(list);
    if (!h->over)
      gb_machine_pause();
  }
}

int gb_handle_wait(gb_handle *h) {
  gb_comm_registry *list = h->registry;
  while (!h->over && !h->listed && is_alone(list)) {
    if (h->run != NULL)
      gb_run_wait(h->run);
    if (!end_part(h))
      gb_machine_pause();
  }
  if (!h->over)
    wait_among(list, h);
  return gb_handle_release(h);
}

int gb_handle_release(gb_handle *h) {
  const bool raised = h->raised;
  h->release(h);
  gb_rank_schedule_free(h->schedule);
  h->schedule = NULL;
  return raised ? h->code : gb_raise(h->comm, h->code);
}

void gb_handle_list(gb_handle *h) {
  gb_comm_registry *list = h->registry;
  if (h->over || list == NULL)
    return;
  lock(list);
  h->previous = list->last_handle;
  h->later = NULL;
  *(list->last_handle != NULL ? &list->last_handle->later : &list->first_handle) = h;
  list->last_handle = h;
  h->listed = true;
  atomic_fetch_add_explicit(&list->listed, 1, memory_order_release);
  progress_listed(list);
  gb_progress_thread_wake(list);
  unlock(list);
}

bool gb_handle_test(gb_handle *h) {
  gb_comm_registry *list = h->registry;
  if (list == NULL)
    progress(h);
  else
    gb_handle_progress_all(list);
  return atomic_load_explicit(&h->over, memory_order_acquire);
}

static bool is_under_way(const gb_comm_registry *list, const gb_comm *c) {
  const gb_handle *h = list->first_handle;
  while (h != NULL && h->c != c)
    h = h->later;
  return h != NULL;
}

void gb_handle_wait_all(gb_comm *c) {
  gb_comm_registry *list = c->registry;
  bool some = list != NULL && !is_alone(list);
  while (some) {
    lock(list);
    progress_listed(list);
    some = is_under_way(list, c);
    unlock(list);
    if (some)
      gb_machine_pause();
  }
}
