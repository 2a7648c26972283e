/* What the preloaded library remembers of a process, and its end. */
#include "mpi/pmpi/dropin.h"
#include "mpi/settings.h"
#include <gbcast/error.h>
#include <stdlib.h>

/* A library that steps in between is handed nothing of its own by its callers, so that this has to be found
 * without them. It stays when MPI has ended, as a sign that it has. */
static _Atomic(gb_dropin *) shared;

/* MPI_Finalize begins by deleting the attributes of MPI_COMM_SELF. To take over the call itself would not do:
 * the module mpi_f08 calls PMPI_Finalize. What the program's own attributes still do after this is passed on.
 */
static int end(MPI_Comm comm, int keyval, void *value, void *extra) {
  gb_dropin *d = value;
  (void)comm;
  (void)keyval;
  (void)extra;
  atomic_store(&d->closed, true);
  if (d->counts)
    gb_tally_print(&d->tally, stderr);
  gb_tally_release(&d->tally);
  return MPI_SUCCESS;
}

static void end_with_mpi(gb_dropin *d) {
  int keyval;
  if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &keyval, NULL) != MPI_SUCCESS)
    return;
  (void)PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, d);
  (void)PMPI_Comm_free_keyval(&keyval); /* which stays as long as the attribute */
}

static gb_dropin *make(void) {
  gb_dropin *d = calloc(1, sizeof *d);
  if (d == NULL)
    return NULL;
  int rank = -1;
  gb_settings verbose;
  (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && gb_settings_read_one("GBCAST_VERBOSE", &verbose, NULL) == GBCAST_OK) {
    d->counts = verbose.verbose > 0;
    gb_settings_release(&verbose);
  }
  gb_tally_init(&d->tally);
  return d;
}

gb_dropin *gb_dropin_get(void) {
  gb_dropin *d = atomic_load_explicit(&shared, memory_order_acquire), *none = NULL;
  int initialized = 0, finalized = 0;
  if (d != NULL)
    return atomic_load_explicit(&d->closed, memory_order_relaxed) ? NULL : d;
  if (PMPI_Initialized(&initialized) != MPI_SUCCESS || !initialized ||
      PMPI_Finalized(&finalized) != MPI_SUCCESS || finalized || (d = make()) == NULL)
    return NULL;
  if (!atomic_compare_exchange_strong(&shared, &none, d)) { /* another thread was first */
    gb_tally_release(&d->tally);
    free(d);
    return none;
  }
  end_with_mpi(d);
  return d;
}

/* So that a program that makes none of the calls is told so, too. */
GBCAST_API int MPI_Init(int *argc, char ***argv) {
  int rc = PMPI_Init(argc, argv);
  if (rc == MPI_SUCCESS)
    (void)gb_dropin_get();
  return rc;
}

GBCAST_API int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  int rc = PMPI_Init_thread(argc, argv, required, provided);
  if (rc == MPI_SUCCESS)
    (void)gb_dropin_get();
  return rc;
}
