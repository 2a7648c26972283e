/* Where what is known about a communicator is found.
 *
 * Everything is found through one keyval. On MPI_COMM_SELF its attribute is the registry, which MPI_Finalize
 * deletes first; on any other communicator but MPI_COMM_WORLD it is that communicator's gb_comm. */
#include "mpi/comm/handle.h"
#include "mpi/comm/registry.h"
#include "mpi/comm/reporting.h"
#include "mpi/comm/setup.h"
#include <stdatomic.h>
#include <stdlib.h>

/* An attribute is found by its keyval, and MPI offers no place to look the keyval up, so it is kept here. It
 * does not change from the first call to MPI_Finalize. Simulated ranks share it, and the simulator's keyvals
 * as well, so it is right for all of them. */
static _Atomic int shared_keyval = MPI_KEYVAL_INVALID;

/* The keyval after MPI_Finalize has closed all communicators. Callbacks of the program's own attributes may
 * still broadcast then: these calls are passed on to MPI. */
enum { ENDED = MPI_KEYVAL_INVALID - 1 };

void gb_comm_release(gb_comm *c) {
  if (atomic_fetch_sub_explicit(&c->references, 1, memory_order_acq_rel) > 1)
    return;
  gb_registry_remove(c);
  gb_setup_free(c);
}

/* In MPI_Finalize: closes all communicators that the program did not free, in the same order on every rank.
 * SimGrid can delete no attributes any more there, nor does it use them again. */
static int close_registry(gb_comm_registry *list, int keyval) {
  int rc = MPI_SUCCESS;
  gb_progress_thread_end(list);
  gb_handle_end_all(list);
  while (list->first != NULL) {
    gb_comm *c = list->first;
    if (!gb_this_machine.deletes_attributes || gb_registry_entry(list, c->user) != NULL) {
      gb_comm_release(c);
      continue;
    }
    int one = MPI_Comm_delete_attr(c->user, keyval); /* calls on_delete */
    if (one != MPI_SUCCESS)
      rc = one;
    if (list->first == c) /* it did not: the communicator is gone */
      gb_registry_remove(c);
  }
  if (list->owns_report && list->report != NULL)
    gb_report_close(list->report);
  if (gb_this_machine.deletes_attributes)
    (void)MPI_Comm_free(&list->local);
  free(list);
  int mine = keyval;
  if (atomic_compare_exchange_strong(&shared_keyval, &mine,
                                     gb_this_machine.deletes_attributes ? ENDED : MPI_KEYVAL_INVALID))
    (void)MPI_Comm_free_keyval(&keyval);
  return rc;
}

/* The program frees a communicator. Where collectives are under way, MPICH calls this once they are over, in
 * whatever call that may be: so nothing is waited for, and no lock is taken that this thread may hold. */
static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra) {
  gb_comm *c = value;
  MPI_Errhandler handler;
  (void)extra;
  if (comm == MPI_COMM_SELF)
    return close_registry(value, keyval);
  if (MPI_Comm_get_errhandler(comm, &handler) == MPI_SUCCESS) {
    c->returns = handler == MPI_ERRORS_RETURN;
    (void)MPI_Errhandler_free(&handler); /* what was got is a reference */
  }
  atomic_store_explicit(&c->gone, true, memory_order_release);
  gb_comm_release(c);
  return MPI_SUCCESS;
}

/* The attribute of `comm`, or NULL. */
static int look_up(MPI_Comm comm, void **value) {
  int keyval = atomic_load_explicit(&shared_keyval, memory_order_acquire), found = 0;
  *value = NULL;
  if (keyval == MPI_KEYVAL_INVALID || keyval == ENDED)
    return MPI_SUCCESS;
  const int rc = MPI_Comm_get_attr(comm, keyval, (void *)value, &found);
  if (rc != MPI_SUCCESS || !found)
    *value = NULL;
  return rc;
}

int gb_attach_find(MPI_Comm comm, gb_comm **out) {
  const bool listed = comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF;
  void *value;
  const int rc = look_up(listed ? MPI_COMM_SELF : comm, &value);
  *out = listed && value != NULL ? *gb_registry_entry(value, comm) : value;
  return rc;
}

gb_comm *gb_comm_known(MPI_Comm comm) {
  gb_comm *c;
  (void)gb_attach_find(comm, &c);
  return c;
}

static int make_registry(int keyval) {
  gb_comm_registry *list = calloc(1, sizeof *list);
  if (list == NULL)
    return MPI_ERR_NO_MEM;
  atomic_flag_clear(&list->busy);
  atomic_flag_clear(&list->working);
  int rc = MPI_Comm_split(MPI_COMM_SELF, 0, 0, &list->local); /* copies no attribute of the program's */
  if (rc != MPI_SUCCESS) {
    free(list);
    return rc;
  }
  rc = MPI_Comm_set_errhandler(list->local, MPI_ERRORS_RETURN);
  list->report = gb_reporting_of_process(&list->owns_report);
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_set_attr(MPI_COMM_SELF, keyval, list);
  if (rc != MPI_SUCCESS) {
    if (list->owns_report)
      gb_report_drop(list->report);
    (void)MPI_Comm_free(&list->local);
    free(list);
  }
  return rc;
}

/* Makes the registry before other threads see the keyval. If two threads made it later, the second one would
 * delete that of the first. */
static int keyval_of(int *keyval) {
  *keyval = atomic_load_explicit(&shared_keyval, memory_order_acquire);
  if (*keyval != MPI_KEYVAL_INVALID)
    return MPI_SUCCESS;
  int made, rc = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &made, NULL);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = make_registry(made);
  *keyval = MPI_KEYVAL_INVALID;
  if (rc == MPI_SUCCESS && atomic_compare_exchange_strong(&shared_keyval, keyval, made)) {
    *keyval = made;
    return MPI_SUCCESS;
  }
  if (rc == MPI_SUCCESS) /* another thread was first */
    rc = MPI_Comm_delete_attr(MPI_COMM_SELF, made);
  (void)MPI_Comm_free_keyval(&made);
  return rc;
}

/* The registry is made with the keyval, unless another simulated rank has made the keyval. */
static int registry_of(int keyval, gb_comm_registry **out) {
  void *value;
  int rc = look_up(MPI_COMM_SELF, &value);
  if (rc == MPI_SUCCESS && value == NULL && (rc = make_registry(keyval)) == MPI_SUCCESS)
    rc = look_up(MPI_COMM_SELF, &value);
  *out = value;
  return rc;
}

int gb_attach_registry(gb_comm_registry **list) {
  int keyval, rc = keyval_of(&keyval);
  return rc == MPI_SUCCESS ? registry_of(keyval, list) : rc;
}

int gb_attach(gb_comm_registry *list, MPI_Comm comm, gb_comm *c) {
  gb_comm **entry = gb_registry_entry(list, comm);
  int rc = MPI_SUCCESS;
  if (entry != NULL)
    *entry = c;
  else
    rc = MPI_Comm_set_attr(comm, atomic_load_explicit(&shared_keyval, memory_order_acquire), c);
  if (rc == MPI_SUCCESS)
    gb_registry_add(list, c);
  return rc;
}

bool gb_attach_has_ended(void) {
  return atomic_load_explicit(&shared_keyval, memory_order_acquire) == ENDED;
}
