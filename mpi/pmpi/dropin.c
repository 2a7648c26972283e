/* The state of the preloaded library in a process, from MPI_Init() to MPI_Finalize(). */
#define _GNU_SOURCE
#include "mpi/pmpi/dropin.h"
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"
#include "mpi/pmpi/next.h"
#include "mpi/pmpi/start.h"
#include <stdlib.h>
#include <unistd.h>

/* Callers of MPI's functions pass nothing of this library's, so the state is global. It is not freed at the
 * end: `closed` says that MPI has ended. */
static _Atomic(gb_dropin *) shared;

/* MPI_Finalize begins by deleting the attributes of MPI_COMM_SELF. Taking over the call itself is not enough,
 * because a language binding may call PMPI_Finalize. */
static int end(MPI_Comm comm, int keyval, void *value, void *extra) {
  gb_dropin *d = value;
  (void)comm;
  (void)keyval;
  (void)extra;
  atomic_store(&d->ending, true);
  atomic_store(&d->closed, true);
  if (d->report != NULL)
    gb_report_close(d->report);
  d->report = NULL;
  if (d->preload.parent != MPI_COMM_NULL)
    (void)PMPI_Comm_free(&d->preload.parent);
  if (d->preload.requests != MPI_COMM_NULL)
    (void)PMPI_Comm_free(&d->preload.requests);
  if (d->preload.node != MPI_GROUP_NULL)
    (void)PMPI_Group_free(&d->preload.node);
  free(d->preload.folder);
  d->preload.folder = NULL;
  return MPI_SUCCESS;
}

static void end_with_mpi(gb_dropin *d) {
  int keyval;
  if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &keyval, NULL) != MPI_SUCCESS)
    return;
  (void)PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, d);
  (void)PMPI_Comm_free_keyval(&keyval); /* MPI keeps it as long as the attribute */
}

static bool is_set(const char *name) {
  gb_settings one = {0};
  gb_settings_read_one(name, &one);
  const bool set = one.disabled != 0 || one.progress_thread != 0 || one.hosts != NULL;
  gb_settings_release(&one);
  return set;
}

static int tag_most(void) {
  int *most, found = 0;
  return PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, (void *)&most, &found) == MPI_SUCCESS && found
             ? *most
             : 32767; /* which MPI promises */
}

static gb_dropin *make(void) {
  gb_dropin *d = calloc(1, sizeof *d);
  if (d == NULL)
    return NULL;
  d->report = gb_reporting_open();
  d->active = !is_set("GBCAST_DISABLE");
  d->why = d->active ? GB_PASSED_NOT : GB_PASSED_DISABLED;
  d->preload.parent = MPI_COMM_NULL;
  d->preload.node = MPI_GROUP_NULL;
  d->preload.leader = -1;
  d->preload.requests = MPI_COMM_NULL;
  d->tag_most = tag_most();
  return d;
}

gb_dropin *gb_dropin_get(void) {
  gb_dropin *d = atomic_load_explicit(&shared, memory_order_acquire), *none = NULL;
  if (d != NULL)
    return atomic_load_explicit(&d->closed, memory_order_relaxed) ? NULL : d;
  if (!gb_library_is_ours() || !gb_library_has_world() || (d = make()) == NULL)
    return NULL;
  if (!atomic_compare_exchange_strong(&shared, &none, d)) { /* another thread was first */
    gb_report_drop(d->report);
    free(d);
    return none;
  }
  end_with_mpi(d);
  return d;
}

void *gbcast_preloaded_report(void) {
  const gb_dropin *d = gb_dropin_get();
  return d != NULL ? d->report : NULL;
}

/* Why no call at all is taken over, as rank 0 sees it. */
static enum gb_passed why_passive(void) {
  int size = 0;
  (void)PMPI_Comm_size(MPI_COMM_WORLD, &size);
  return size == 1 ? GB_PASSED_ALONE : is_set("GBCAST_HOSTS") ? GB_PASSED_NOT_ALL : GB_PASSED_NO_HOSTS;
}

/* Starts the library in MPI_Init(): all ranks are in this call, and the program has sent nothing yet. Also,
 * counts are printed for a program that never calls a collective. */
static void start(void) {
  gb_dropin *d = gb_dropin_get();
  if (d == NULL)
    return;
  d->preload.folder = getcwd(NULL, 0);
  if (!d->active)
    return;
  d->active = gb_start(&d->preload);
  if (!d->active)
    d->why = why_passive();
  if (d->active && d->preload.requests != MPI_COMM_NULL)
    gb_call_prepare(MPI_COMM_WORLD, &d->preload);
}

/* Whether MPI has to be prepared for the progress thread, which a program asks for that need not know of
 * threads itself. */
static bool wants_threads(void) {
  return gb_library_is_ours() && is_set("GBCAST_PROGRESS") && !is_set("GBCAST_DISABLE");
}

int gb_pmpi_init(int *argc, char ***argv) {
  int provided, rc = wants_threads()
                         ? gb_next_in_line()->init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided)
                         : gb_next_in_line()->init(argc, argv);
  if (rc == MPI_SUCCESS)
    start();
  return rc;
}

int gb_pmpi_init_thread(int *argc, char ***argv, int required, int *provided) {
  const bool more = wants_threads();
  int rc = gb_next_in_line()->init_thread(argc, argv, more ? MPI_THREAD_MULTIPLE : required, provided);
  if (more && *provided > required) /* the program gets what it has asked for */
    *provided = required;
  if (rc == MPI_SUCCESS)
    start();
  return rc;
}

/* Callbacks of the program's own attributes may still call collectives: these are passed on. The progress
 * thread ends before MPICH stops taking its locks, which it does at the beginning. */
int gb_pmpi_finalize(void) {
  gb_dropin *d = gb_dropin_get();
  gb_comm_registry *list = d != NULL && d->active ? gb_comm_list() : NULL;
  if (d != NULL)
    atomic_store(&d->ending, true);
  if (list != NULL) {
    gb_progress_thread_end(list);
    gb_handle_wait_all(list, NULL); /* such a callback may wait for their requests */
  }
  return gb_next_in_line()->finalize();
}
