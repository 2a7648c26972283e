/* At the end of a process that has used MPI without any call reaching this library, it prints why. The first
 * library in the dynamic linker's order that has a function gets all calls of it. */
#include "mpi/api/api.h"
#include "mpi/pmpi/next.h"
#include <stdio.h>

static bool is_told(void) {
  gb_settings one = {0};
  gb_settings_read_one("GBCAST_VERBOSE", &one);
  return one.verbose > 0 && gb_library_speaks();
}

/* The library is also preloaded into programs that do not use MPI, such as those that an MPI program starts:
 * they print nothing. */
static void __attribute__((destructor)) tell_order(void) {
  int initialized = 0;
  if (gb_next_was_called() || PMPI_Initialized(&initialized) != MPI_SUCCESS || !initialized || !is_told())
    return;
  const char *other = gb_next_instead("MPI_Init");
  if (other != NULL)
    fprintf(
        stderr,
        "gbcast: libgbcast-pmpi.so got no calls, because %s comes before it: put libgbcast-pmpi.so first in "
        "LD_PRELOAD\n",
        other);
  else
    fprintf(stderr,
            "gbcast: libgbcast-pmpi.so got no calls, because the program takes MPI's functions from a "
            "dlopen() handle: see gbcast(7)\n");
}
