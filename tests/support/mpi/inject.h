/* Calls of MPI that fail where the library makes them. The program is linked with --wrap for all functions of
 * inject_table.h that can fail. Blocking collectives become non-blocking ones with a loop, so that all ranks
 * get out of a call in which one has failed: see `stop`. */
#ifndef GB_TESTS_SUPPORT_MPI_INJECT_H
#define GB_TESTS_SUPPORT_MPI_INJECT_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { INJECTED = MPI_ERR_INTERN, USER = -2 };

#define FAILS(name, how, comm) AT_##name,
#define TWIN(name, twin, comm) AT_##name,
#define EXEMPT(name, why)
enum { /* the functions */
#include "tests/support/mpi/inject_table.h"
       INJECT_FUNCTIONS
};
#undef FAILS
#undef TWIN
#undef EXEMPT

typedef struct injection {
  bool inside;                      /* a call of the library's: only then anything is counted, or fails */
  int function;                     /* which is to fail; -1: none ... */
  unsigned at;                      /* ... when it is called so many times */
  bool failed;                      /* it has */
  unsigned calls[INJECT_FUNCTIONS]; /* since inject_arm() */
  MPI_Comm user;                    /* the communicator of requests that fail in PMPI's functions */
  atomic_int *stop;                 /* shared by all ranks: while it is set nobody waits, but fails */
} injection;
extern injection inject;

const char *inject_name(int function);

/* Whether it is called as often as it takes. */
bool inject_polls(int function);

/* Counts anew, to fail where it says. */
void inject_arm(int function, unsigned at);

int inject_left(int rc);
#define LIBRARY(call) (inject.inside = true, inject_left(call))

/* MPI_Comm_free(), which calls the library back. */
int inject_comm_free(MPI_Comm *comm);

#endif
