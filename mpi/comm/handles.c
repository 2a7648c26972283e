/* The list of this process's non-blocking calls: those under way, and those that are over and whose end the
 * program has not asked for. */
#include "mpi/comm/handles.h"
#include "mpi/comm/comm.h"
#include "mpi/comm/progress_thread.h"
#include <sched.h>

bool gb_handles_are_none(const gb_comm_registry *list) {
  return list == NULL || atomic_load_explicit(&list->under_way, memory_order_acquire) == 0;
}

void gb_handles_lock(gb_comm_registry *list) {
  while (atomic_flag_test_and_set_explicit(&list->working, memory_order_acquire))
    (void)sched_yield();
}

void gb_handles_unlock(gb_comm_registry *list) {
  atomic_flag_clear_explicit(&list->working, memory_order_release);
}

static void unlink_call(gb_comm_registry *list, gb_handle *h) {
  *(h->previous != NULL ? &h->previous->later : &list->first_handle) = h->later;
  *(h->later != NULL ? &h->later->previous : &list->last_handle) = h->previous;
  h->listed = false;
}

/* What the call holds. */
static void release(gb_handle *h) {
  h->release(h);
  gb_rank_schedule_free(h->schedule);
  h->schedule = NULL;
}

void gb_handles_take_out(gb_handle *h) {
  gb_handles_lock(h->registry); /* another thread may still be looking at it */
  unlink_call(h->registry, h);
  gb_handles_unlock(h->registry);
  release(h);
  if (h->c != NULL)
    gb_comm_release(h->c);
}

static void end(gb_handle *h) {
  unlink_call(h->registry, h);
  release(h);
  h->ended(h);
}

void gb_handle_on_end(gb_handle *h, void (*ended)(gb_handle *h), void *told) {
  gb_comm_registry *list = h->registry;
  gb_handles_lock(list);
  h->ended = ended;
  h->told = told;
  if (h->over)
    end(h);
  gb_handles_unlock(list);
}

void gb_handles_progress(gb_comm_registry *list) {
  for (gb_handle *h = list->first_handle, *later; h != NULL; h = later) {
    later = h->later;
    if (h->over)
      continue;
    gb_handle_progress(h);
    if (!h->over)
      continue;
    atomic_fetch_sub_explicit(&list->under_way, 1, memory_order_release);
    if (h->ended != NULL)
      end(h);
  }
}

void gb_handle_progress_all(gb_comm_registry *list) {
  if (gb_handles_are_none(list) || atomic_flag_test_and_set_explicit(&list->working, memory_order_acquire))
    return;
  gb_handles_progress(list);
  gb_handles_unlock(list);
}

void gb_handle_list(gb_handle *h) {
  if (h->registry == NULL && !h->over)
    h->registry = gb_comm_list();
  gb_comm_registry *list = h->registry;
  if (list == NULL)
    return;
  gb_handles_lock(list);
  h->previous = list->last_handle;
  h->later = NULL;
  *(list->last_handle != NULL ? &list->last_handle->later : &list->first_handle) = h;
  list->last_handle = h;
  h->listed = true;
  if (h->schedule != NULL)
    (void)gb_rank_schedule_keep(h->schedule);
  if (h->c != NULL)
    atomic_fetch_add_explicit(&h->c->references, 1, memory_order_relaxed);
  if (!h->over)
    atomic_fetch_add_explicit(&list->under_way, 1, memory_order_release);
  gb_handles_progress(list);
  gb_progress_thread_wake(list);
  gb_handles_unlock(list);
}

int gb_handle_wait_for(gb_comm_registry *list, MPI_Request *request) {
  int done = 0, rc = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
  while (rc == MPI_SUCCESS && !done &&
         *request != MPI_REQUEST_NULL) { /* of which SimGrid says that it is not done */
    gb_handle_progress_all(list);
    gb_machine_pause();
    rc = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
  }
  return rc;
}

/* Calls that have failed, whose ends the program has not asked for. */
static void give_up_failed(gb_comm_registry *list, const gb_comm *c) {
  gb_handles_lock(list);
  for (gb_handle *h = list->first_handle; h != NULL; h = h->later)
    if (h->c == c)
      gb_handle_give_up(h);
  gb_handles_unlock(list);
}

static bool is_under_way(const gb_comm_registry *list, const gb_comm *c) {
  const gb_handle *h = list->first_handle;
  while (h != NULL && (h->over || (c != NULL && h->c != c)))
    h = h->later;
  return h != NULL;
}

void gb_handle_wait_all(gb_comm_registry *list, const gb_comm *c) {
  bool some = !gb_handles_are_none(list);
  while (some) {
    gb_handles_lock(list);
    gb_handles_progress(list);
    some = is_under_way(list, c);
    gb_handles_unlock(list);
    if (some)
      gb_machine_pause();
  }
  if (c != NULL)
    give_up_failed(list, c);
}

void gb_handle_end_all(gb_comm_registry *list) {
  gb_handle_wait_all(list, NULL);
  while (list->first_handle != NULL) {
    gb_handle *h = list->first_handle;
    h->code = gb_handle_raise(h);
    h->raised = true;
    gb_handle_give_up(h);
    gb_handle_free_types(h);
    gb_handles_take_out(h);
  }
}
