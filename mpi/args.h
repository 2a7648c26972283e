/* What MPI checks before a collective, with the same error classes. */
#ifndef GB_MPI_ARGS_H
#define GB_MPI_ARGS_H

#include "mpi/comm.h"
#include <stddef.h>

/* A buffer of `count` elements; *bytes is their size. An error class. */
int gb_check_buffer(const gb_comm *c, const void *buffer, MPI_Count count, MPI_Datatype type, size_t *bytes);

/* A rank of the communicator. */
static inline int gb_check_root(const gb_comm *c, int root) {
  return root < 0 || root >= c->size ? MPI_ERR_ROOT : MPI_SUCCESS;
}

#endif
