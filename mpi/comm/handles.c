/* The list of this process's non-blocking calls: those under way, and those that are over and whose end the
 * program has not asked for. */
#include "mpi/comm/comm.h"
#include "mpi/comm/handle.h"
#include <sched.h>

bool gb_handles_are_none(const gb_comm_registry *list) {
  return list == NULL || atomic_load_explicit(&list->under_way, memory_order_acquire) == 0;
}

void gb_handles_lock(gb_comm_registry *list) {
  while (atomic_flag_test_and_set_explicit(&list->working, memory_order_acquire))
    (void)sched_yield();
}

static void unlock(gb_comm_registry *list) {
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

/* Nobody waits for the end of this call, which is over. Its error handler, and what it has to wait for, may
 * need other calls: the list is not locked. */
static void end(gb_handle *h) {
  gb_comm_registry *list = h->registry;
  h->code = gb_handle_raise(h);
  h->raised = true;
  if (h->code != MPI_SUCCESS)
    gb_handle_give_up(h);
  release(h);
  gb_handles_lock(list);
  unlink_call(list, h);
  unlock(list);
  h->ended(h);
  atomic_fetch_sub_explicit(&list->under_way, 1, memory_order_release);
}

void gb_handles_unlock(gb_comm_registry *list) {
  gb_handle *h = list->first_ended, *next;
  list->first_ended = NULL;
  unlock(list);
  for (; h != NULL; h = next) {
    next = h->next_ended;
    end(h);
  }
}

static void will_end(gb_comm_registry *list, gb_handle *h) {
  h->ending = true;
  h->next_ended = list->first_ended;
  list->first_ended = h;
}

void gb_handle_on_end(gb_handle *h, void (*ended)(gb_handle *h), void *told) {
  gb_comm_registry *list = h->registry;
  gb_handles_lock(list);
  h->ended = ended;
  h->told = told;
  if (h->over) {
    atomic_fetch_add_explicit(&list->under_way, 1, memory_order_release);
    will_end(list, h);
  }
  gb_handles_unlock(list);
}

void gb_handles_progress(gb_comm_registry *list) {
  for (gb_handle *h = list->first_handle; h != NULL; h = h->later) {
    if (h->over)
      continue;
    gb_handle_progress(h);
    if (h->over && h->ended != NULL)
      will_end(list, h);
    else if (h->over)
      atomic_fetch_sub_explicit(&list->under_way, 1, memory_order_release);
  }
}

void gb_handle_progress_all(gb_comm_registry *list) {
  if (gb_handles_are_none(list) || atomic_flag_test_and_set_explicit(&list->working, memory_order_acquire))
    return;
  gb_handles_progress(list);
  gb_handles_unlock(list);
}

void gb_handles_add(gb_handle *h) {
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

/* A call that has failed, whose end the program has not asked for, and that is not given up; or NULL. */
static gb_handle *failed_call(gb_comm_registry *list, const gb_comm *c) {
  gb_handles_lock(list);
  gb_handle *h = list->first_handle;
  while (h != NULL && (h->c != c || !h->over || h->run == NULL))
    h = h->later;
  gb_handles_unlock(list);
  return h;
}

static bool is_under_way(const gb_comm_registry *list, const gb_comm *c) {
  const gb_handle *h = list->first_handle;
  while (h != NULL && (h->c != c || (h->over && !h->ending)))
    h = h->later;
  return h != NULL;
}

void gb_handle_wait_all(gb_comm_registry *list, const gb_comm *c) {
  bool some = !gb_handles_are_none(list);
  while (some) {
    gb_handles_lock(list);
    gb_handles_progress(list);
    some = c != NULL ? is_under_way(list, c) : !gb_handles_are_none(list);
    gb_handles_unlock(list);
    if (some)
      gb_machine_pause();
  }
  for (gb_handle *h; c != NULL && (h = failed_call(list, c)) != NULL;) {
    gb_handle_give_up(h);
    h->release(h);
    h->left = NULL; /* what is left of a run ends with the set-up */
  }
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
