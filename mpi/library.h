/* Which MPI library the process runs with, and whether it is one that this library was built for. Handles of
 * MPICH and its kin are integers, those of Open MPI are addresses: neither may reach the other. */
#ifndef GB_MPI_LIBRARY_H
#define GB_MPI_LIBRARY_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* A handle as a program of any MPI library passes it. On 64-bit systems an argument has a whole register or
 * stack slot, so that a word that is passed on arrives as it came. */
typedef uintptr_t gb_word;

#ifdef OPEN_MPI
#define GB_HANDLE(type, word) ((type)(word)) // NOLINT(performance-no-int-to-ptr)
#else
#define GB_HANDLE(type, word) ((type)(word))
#endif

/* Whether MPI's handles are those of mpi.h here. When they are not, both libraries are named on
 * stderr, once in a job. May be called at any time; touches no handle. */
bool gb_library_is_ours(void);

/* MPI has been initialized by MPI_Init() or MPI_Init_thread(), and MPI_Finalize() has not ended: there are
 * MPI_COMM_WORLD and MPI_COMM_SELF. A program with sessions alone has neither. */
bool gb_library_has_world(void);

/* For a process that is alone in its MPI_COMM_WORLD: says once on stderr when another MPI library's launcher
 * has started several, which do not find each other. Returns whether that is so. Looks at the environment. */
bool gb_library_is_alone(void);

/* Whether this process speaks for the job where MPI cannot tell its rank: that of rank 0 by what the launcher
 * has put into the environment, or where that says nothing. */
bool gb_library_speaks(void);

#endif
