/* What the preloaded library knows about the process, and the library that is called by name does not. */
#ifndef GB_MPI_PRELOAD_H
#define GB_MPI_PRELOAD_H

#include <mpi.h>
#include <stdatomic.h>

typedef struct gb_preload {
  atomic_bool told; /* why a communicator is left to MPI: once is enough */
  char *folder; /* where the process was in MPI_Init(): relative paths of settings begin there; NULL: where
                   it is now */
  MPI_Comm
      parent;     /* a duplicate of MPI_COMM_WORLD that returns errors, from which all others are made, so
                     that no error handler of the program is called; MPI_COMM_NULL: MPI_Init() was not seen */
  MPI_Group node; /* the ranks that share memory with this one; MPI_GROUP_NULL: not known */
  int leader;     /* the lowest of them in MPI_COMM_WORLD; -1: not known */
} gb_preload;

#endif
