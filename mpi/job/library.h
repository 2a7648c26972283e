/* Which MPI library the process runs with, and whether this library was built for it. Handles of MPICH and
 * its derivatives are integers, those of Open MPI are addresses: neither library may get the other's. */
#ifndef GB_MPI_JOB_LIBRARY_H
#define GB_MPI_JOB_LIBRARY_H

#include "platform/text/text.h"
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* A handle as a program of any MPI library passes it. On 64-bit systems an argument has a whole register or
 * stack slot, so a handle of either kind can be passed on as an integer (gb_word). */
typedef uintptr_t gb_word;

#ifdef OPEN_MPI
#define GB_HANDLE(type, word) ((type)(word)) // NOLINT(performance-no-int-to-ptr)
#else
#define GB_HANDLE(type, word) ((type)(word))
#endif

/* Whether the process runs with the kind of MPI library that this library was built for. If not, both are
 * named on stderr, once in a job. May be called at any time; uses no handle. */
bool gb_library_is_ours(void);

/* The MPI library that the process runs with, such as "MPICH 4.0.2"; "an unknown MPI library" if it does not
 * say. May be called at any time. */
void gb_library_name(char name[GB_VERSION_TEXT]);

/* Whether MPI_COMM_WORLD and MPI_COMM_SELF exist: MPI_Init() or MPI_Init_thread() has been called, and
 * MPI_Finalize() has not ended. A program that only uses sessions has neither. */
bool gb_library_has_world(void);

/* For a process that is alone in its MPI_COMM_WORLD: whether the launcher of another MPI library has started
 * several such processes, as the environment says. Prints that once on stderr. */
bool gb_library_is_alone(void);

/* Whether this process prints messages for the job when MPI cannot tell its rank: it is rank 0 by the
 * launcher's environment variables, or there are none. */
bool gb_library_speaks(void);

#endif
