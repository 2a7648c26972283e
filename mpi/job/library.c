/* Which MPI library the process runs with, and whether this library was built for it. */
#include "mpi/job/library.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How to recognise the other kind of MPI library: words of its version, and a symbol that only it exports. */
#ifdef OPEN_MPI
static const char *const foreign[] = {"MPICH", "MVAPICH", "Intel(R) MPI", "CRAY MPI", "ParaStation"};
static const char built_for[] = "Open MPI", other[] = "MPICH", other_size[] = "PMI_SIZE",
                  launcher[] = "mpiexec", own_launcher[] = "mpirun";
extern char foreign_name __asm__("MPI_UNWEIGHTED") __attribute__((weak));
#else
static const char *const foreign[] = {"Open MPI", "Spectrum MPI"};
static const char built_for[] = "MPICH", other[] = "Open MPI", other_size[] = "OMPI_COMM_WORLD_SIZE",
                  launcher[] = "mpirun", own_launcher[] = "mpiexec";
extern char foreign_name __asm__("ompi_mpi_comm_world") __attribute__((weak));
#endif

enum { LONGEST_VERSION = 16384 }; /* bytes; MPICH needs 8192, Open MPI 256 */

enum { UNKNOWN, OURS, FOREIGN };

/* Facts about the process: what the first look found, and which messages have been printed. */
static _Atomic int found = UNKNOWN;
static atomic_bool printed, printed_alone;

static void tell(const char *runs_with) {
  if (!atomic_exchange(&printed, true) && gb_library_speaks())
    fprintf(
        stderr,
        "gbcast: this libgbcast was built for %s, but the program runs with %s; the calls are passed on to "
        "MPI. Use a libgbcast that was built for it\n",
        built_for, runs_with);
}

/* Runs before main(): a Fortran program that has loaded both libraries may crash before its first call of
 * this one. */
static void __attribute__((constructor)) look_for_both(void) {
  if (&foreign_name != NULL)
    tell(other);
}

static bool is_foreign(const char *name) {
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (strstr(name, foreign[i]) != NULL)
      return true;
  return false;
}

void gb_library_name(char name[GB_VERSION_TEXT]) {
  char version[LONGEST_VERSION] = "";
  int length = 0;
  if (PMPI_Get_library_version(version, &length) != MPI_SUCCESS)
    version[0] = '\0';
  gb_shorten_version(version, name);
}

bool gb_library_is_ours(void) {
  const int before = atomic_load_explicit(&found, memory_order_relaxed);
  if (before != UNKNOWN)
    return before == OURS;
  char name[GB_VERSION_TEXT];
  gb_library_name(name);
  const int now = is_foreign(name) ? FOREIGN : OURS; /* an unknown one counts as ours */
  atomic_store(&found, now);
  if (now == FOREIGN)
    tell(name);
  return now == OURS;
}

bool gb_library_has_world(void) {
  int initialized = 0, finalized = 0;
  return PMPI_Initialized(&initialized) == MPI_SUCCESS && initialized &&
         PMPI_Finalized(&finalized) == MPI_SUCCESS && !finalized;
}

bool gb_library_is_alone(void) {
  const char *size = getenv(other_size);
  if (size == NULL || strtol(size, NULL, 10) < 2)
    return false;
  if (!atomic_exchange(&printed_alone, true) && gb_library_speaks())
    fprintf(
        stderr,
        "gbcast: %s of %s started several processes, but this is a program of %s, so that each is a job of "
        "one rank: use %s of %s\n",
        launcher, other, built_for, own_launcher, built_for);
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
