/* Calls under way: their parts, one after another. */
#include "mpi/comm/handle.h"
#include "mpi/comm/comm.h"
#include "mpi/comm/reporting.h"
#include <string.h>

int gb_handle_run(gb_handle *h) {
  int rc = MPI_SUCCESS;
  const bool awaits = h->compares && h->c->settings.check;
  if (h->compares)
    rc = gb_exec_compare(&h->c->wire, h->hash);
  h->compares = false;
  if (rc == MPI_SUCCESS)
    rc = gb_run_new(&h->c->wire, h->schedule, h->number++, h->hash, &h->run);
  if (rc == MPI_SUCCESS && awaits)
    gb_run_awaits_comparison(h->run);
  return rc;
}

int gb_handle_keep_types(gb_handle *h) {
  int rc = MPI_SUCCESS;
  h->keeps_types = true;
  for (int i = 0; i < GB_TYPES_MOST; i++) {
    MPI_Datatype *type = h->type[i], made;
    bool named = true;
    if (rc == MPI_SUCCESS && type != NULL && *type != MPI_DATATYPE_NULL)
      rc = gb_type_is_named(*type, &named);
    if (rc == MPI_SUCCESS && !named && (rc = MPI_Type_contiguous(1, *type, &made)) == MPI_SUCCESS) {
      *type = made; /* no duplicate, which copies the program's attributes */
      rc = MPI_Type_commit(type);
    } else {
      h->type[i] = NULL;
    }
  }
  return rc;
}

void gb_handle_free_types(gb_handle *h) {
  for (int i = 0; h->keeps_types && i < GB_TYPES_MOST; i++)
    if (h->type[i] != NULL)
      (void)MPI_Type_free(h->type[i]);
  memset((void *)h->type, 0, sizeof h->type);
}

static void finish(gb_handle *h, int code) {
  const int class = gb_class_of_code(code);
  /* what gbcast cannot do may be what MPI refuses, before anything has begun */
  if (h->c != NULL && h->c->left == GB_PASSED_NOT && h->c->wire.poison == MPI_SUCCESS && !h->always_native)
    h->c->wire.poison = class;
  if (h->run != NULL) /* which has failed, or `next` has not begun in full */
    gb_run_cancel(h->run, class);
  if (!h->persistent)
    gb_handle_free_types(h);
  h->code = class;
  gb_reporting_over(h);
  atomic_store_explicit(&h->over, true, memory_order_release);
}

/* Begins the next part, once one is over with `code`. */
static void next(gb_handle *h, int code) {
  if (code == MPI_SUCCESS)
    code = h->next(h);
  bool more = code == MPI_SUCCESS && h->run != NULL;
  for (int i = 0; code == MPI_SUCCESS && i < GB_NATIVE_MOST; i++)
    more |= h->request[i] != MPI_REQUEST_NULL;
  if (!more)
    finish(h, code);
}

static void open_call(gb_handle *h) {
  h->registry = h->c != NULL ? h->c->registry : NULL;
  h->part = 0;
  h->run = h->left = NULL;
  for (int i = 0; i < GB_NATIVE_MOST; i++)
    h->request[i] = MPI_REQUEST_NULL;
  h->raised = h->abandoned = false;
  gb_reporting_start(h);
  atomic_store_explicit(&h->over, false, memory_order_relaxed);
}

/* Begins its first part, unless it has failed with `code`. */
static void begin(gb_handle *h, int code) {
  const bool locks = !gb_handles_are_none(h->registry); /* another thread may be at calls of `c` */
  if (locks)
    gb_handles_lock(h->registry);
  next(h, code);
  if (locks)
    gb_handles_unlock(h->registry);
  if (h->c == NULL) /* on one rank, MPI's own is over */
    gb_handle_progress(h);
}

/* Ends the part if it is over. Whether it was. */
static bool end_part(gb_handle *h, bool waits) {
  int rc = MPI_SUCCESS, done = true;
  if (h->run != NULL) {
    if (!gb_run_progress(h->run, waits))
      return false;
    if ((rc = gb_run_code(h->run)) == MPI_SUCCESS) {
      (void)gb_run_end(h->run);
      h->run = NULL;
    }
  }
  for (int i = 0; done && i < GB_NATIVE_MOST; i++) {
    if (rc != MPI_SUCCESS || h->request[i] == MPI_REQUEST_NULL)
      continue;
    rc = gb_handle_native(h, PMPI_Test(&h->request[i], &done, MPI_STATUS_IGNORE));
  }
  if (done || rc != MPI_SUCCESS)
    next(h, rc);
  return done;
}

void gb_handle_progress(gb_handle *h) {
  while (!h->over && end_part(h, false))
    ;
}

/* Beside others in the list, which it may have to wait for. */
static void wait_among(gb_comm_registry *list, gb_handle *h) {
  while (!h->over) {
    gb_handles_lock(list);
    gb_handle_progress(h);
    gb_handles_progress(list);
    gb_handles_unlock(list);
    if (!h->over)
      gb_machine_pause();
  }
}

/* Waits, and releases what the call holds. */
static int wait_for(gb_handle *h) {
  while (!h->over && gb_handles_are_none(h->registry)) {
    if (!end_part(h, true))
      gb_machine_pause();
  }
  if (!h->over)
    wait_among(h->registry, h);
  return gb_handle_release(h);
}

int gb_handle_call(gb_handle *h) {
  if (h->c != NULL)
    gb_handle_progress_all(h->c->registry);
  int rc = gb_handle_plan(h);
  if (rc != MPI_SUCCESS)
    return gb_raise(h->comm, rc);
  open_call(h);
  if (h->schedule == NULL && !h->checked) {
    if ((rc = h->native(h)) == MPI_SUCCESS) {
      gb_reporting_over(h);
      return rc;
    }
  } else if (h->schedule != NULL && h->c->settings.refresh > 0) {
    rc = gb_versions_step(h->c);
  }
  begin(h, rc);
  return wait_for(h);
}

int gb_handle_start(gb_handle *h) {
  const int rc = gb_handle_plan(h);
  if (rc != MPI_SUCCESS)
    return gb_raise(h->comm, rc);
  open_call(h);
  begin(h, MPI_SUCCESS);
  if (h->over && h->code != MPI_SUCCESS)
    return gb_handle_release(h);
  h->active = true;
  gb_handles_add(h);
  return MPI_SUCCESS;
}

/* Whose error handler: MPI_COMM_WORLD's, where the program has freed its communicator, unless that returned
 * errors. */
static MPI_Comm handler_of(const gb_handle *h) {
  if (h->c == NULL || !atomic_load_explicit(&h->c->gone, memory_order_acquire))
    return h->comm;
  return h->c->returns ? MPI_COMM_NULL : MPI_COMM_WORLD;
}

int gb_handle_raise(const gb_handle *h) {
  if (h->raised || h->code == MPI_SUCCESS)
    return h->code;
  const MPI_Comm comm = handler_of(h);
  return comm == MPI_COMM_NULL ? h->code : gb_raise(comm, h->code);
}

/* Ends what can be ended of what is under way. Whether all is. */
static bool give_up_some(gb_handle *h) {
  bool all = true;
  if (h->run != NULL && (all = gb_run_can_end(h->run))) {
    h->left = gb_run_end(h->run);
    h->run = NULL;
  }
  for (int i = 0; i < GB_NATIVE_MOST; i++) { /* another one may still receive into the caller's buffer */
    int done = 1, rc = MPI_SUCCESS;
    if (h->request[i] != MPI_REQUEST_NULL)
      rc = PMPI_Test(&h->request[i], &done, MPI_STATUS_IGNORE);
    if (rc != MPI_SUCCESS) /* there is no other way left */
      (void)PMPI_Wait(&h->request[i], MPI_STATUS_IGNORE);
    h->abandoned |= rc != MPI_SUCCESS && h->request[i] != MPI_REQUEST_NULL;
    all = all && (done || rc != MPI_SUCCESS);
  }
  return all;
}

void gb_handle_give_up(gb_handle *h) {
  bool all = false;
  while (!all) { /* another rank may first wait for another call of this process */
    if (h->registry != NULL)
      gb_handles_lock(h->registry); /* another thread may be at calls of `c` */
    all = give_up_some(h);
    if (h->registry != NULL)
      gb_handles_unlock(h->registry);
    if (!all && h->registry != NULL)
      gb_handle_progress_all(h->registry);
    if (!all)
      gb_machine_pause();
  }
}

int gb_handle_release(gb_handle *h) {
  const int code = gb_handle_raise(h);
  if (code != MPI_SUCCESS)
    gb_handle_give_up(h);
  if (h->listed)
    gb_handles_take_out(h);
  else
    h->release(h);
  return code;
}

bool gb_handle_test(gb_handle *h) {
  if (atomic_load_explicit(&h->over, memory_order_acquire)) /* perhaps after MPI_Finalize() */
    return true;
  if (h->registry != NULL)
    gb_handle_progress_all(h->registry);
  else
    gb_handle_progress(h);
  return atomic_load_explicit(&h->over, memory_order_acquire);
}
