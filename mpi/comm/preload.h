/* What only the preloaded library knows about the process. */
#ifndef GB_MPI_COMM_PRELOAD_H
#define GB_MPI_COMM_PRELOAD_H

#include <mpi.h>
#include <stdatomic.h>

typedef struct gb_preload {
  atomic_bool printed; /* the reason why calls are passed on to MPI has been printed */
  char *folder;        /* the current folder in MPI_Init(), where relative paths of settings begin; NULL: the
                          current folder now */
  MPI_Comm parent;   /* a duplicate of MPI_COMM_WORLD that returns errors. All other duplicates are made from
                        it, so that no error handler of the program is called. MPI_COMM_NULL: there is none */
  MPI_Group node;    /* the ranks that share memory with this one; MPI_GROUP_NULL: not known */
  int leader;        /* the lowest of them in MPI_COMM_WORLD; -1: not known */
  MPI_Comm requests; /* a duplicate of `parent` for requests of non-blocking calls: the messages that complete
                        them go from a process to itself, which MPICH 4.0 does not see on a communicator of
                        one process. MPI_COMM_NULL: not every process has a progress thread */
} gb_preload;

#endif
