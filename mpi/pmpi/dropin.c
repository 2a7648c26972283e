/* What the preloaded library remembers of a process, and its end. */
#include "mpi/pmpi/dropin.h"
#include "mpi/settings.h"
#include <gbcast/error.h>
#include <stdlib.h>

/* A library that steps in between is handed nothing of its own by its callers. As an attribute of
 * MPI_COMM_SELF this would need the number of a keyval here instead. */
static _Atomic(gb_dropin *) shared;

static gb_dropin *make(void) {
  gb_dropin *d = calloc(1, sizeof *d);
  if (d == NULL)
    return NULL;
  int rank = -1;
  const gb_overrides none = {0};
  (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  d->counts = rank == 0 && gb_settings_verbose(&none) > 0;
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
  if (atomic_compare_exchange_strong(&shared, &none, d))
    return d;
  gb_tally_release(&d->tally); /* another thread was first */
  free(d);
  return none;
}

/* Before MPI ends: what the program's own attributes still do then is passed on. */
GBCAST_API int MPI_Finalize(void) {
  gb_dropin *d = gb_dropin_get();
  if (d != NULL && d->counts)
    gb_tally_print(&d->tally, stderr);
  if (d != NULL)
    atomic_store(&d->closed, true);
  int rc = PMPI_Finalize();
  atomic_store(&shared, NULL);
  if (d != NULL) {
    gb_tally_release(&d->tally);
    free(d);
  }
  return rc;
}
