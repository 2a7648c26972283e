/* Which MPI library the process runs with, and whether it is one that this library was built for. */
#include "mpi/library.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Libraries of the other kind say one of these words in their version. */
#ifdef OPEN_MPI
static const char *const foreign[] = {"MPICH", "MVAPICH", "Intel(R) MPI", "CRAY MPI", "ParaStation"};
static const char built_for[] = "Open MPI", other_size[] = "PMI_SIZE";
static const char alone[] =
    "mpiexec of MPICH started several processes, but this is a program of Open MPI, so that each is a "
    "job of one rank: use mpirun of Open MPI";
#else
static const char *const foreign[] = {"Open MPI", "Spectrum MPI"};
static const char built_for[] = "MPICH", other_size[] = "OMPI_COMM_WORLD_SIZE";
static const char alone[] =
    "mpirun of Open MPI started several processes, but this is a program of MPICH, so that each is a "
    "job of one rank: use mpiexec of MPICH";
#endif

enum { LONGEST_VERSION = 16384 }; /* of any library; MPICH has 8192, and Open MPI 256 */

enum { UNKNOWN, OURS, FOREIGN };

/* What the first look found: a fact about the process, and the only way to tell it once. */
static _Atomic int found = UNKNOWN;

static bool is_foreign(const char *version) {
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (strstr(version, foreign[i]) != NULL)
      return true;
  return false;
}

/* Only what is known to be of another kind is taken for it. */
static int look(char version[LONGEST_VERSION]) {
  int length = 0;
  if (PMPI_Get_library_version(version, &length) != MPI_SUCCESS)
    return OURS;
  version[strcspn(version, "\n,")] = '\0';
  for (char *at = version; (at = strchr(at, '\t')) != NULL;)
    *at = ' ';
  return is_foreign(version) ? FOREIGN : OURS;
}

bool gb_library_is_ours(void) {
  int before = atomic_load_explicit(&found, memory_order_relaxed);
  if (before != UNKNOWN)
    return before == OURS;
  char version[LONGEST_VERSION] = "";
  const int now = look(version);
  if (atomic_compare_exchange_strong(&found, &before, now) && now == FOREIGN && gb_library_speaks())
    fprintf(
        stderr,
        "gbcast: this libgbcast was built for %s, but the program runs with %s; the calls are passed on to "
        "MPI. Use one that was built for the program's MPI library\n",
        built_for, version);
  return now == OURS;
}

bool gb_library_has_world(void) {
  int initialized = 0, finalized = 0;
  return PMPI_Initialized(&initialized) == MPI_SUCCESS && initialized &&
         PMPI_Finalized(&finalized) == MPI_SUCCESS && !finalized;
}

bool gb_library_is_alone(void) {
  static atomic_bool told; /* a fact about the process, as above */
  const char *size = getenv(other_size);
  if (size == NULL || strtol(size, NULL, 10) < 2)
    return false;
  if (!atomic_exchange(&told, true) && gb_library_speaks())
    fprintf(stderr, "gbcast: %s\n", alone);
  return true;
}

bool gb_library_speaks(void) {
  static const char *const variable[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof variable / sizeof *variable; i++) {
    const char *rank = getenv(variable[i]);
    if (rank != NULL && rank[0] != '\0')
      return strtol(rank, NULL, 10) == 0;
  }
  return true;
}
