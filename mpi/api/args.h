/* The arguments that MPI checks before a collective, with the same error classes. The checks are local and
 * come before anything is sent, even before a communicator is set up. So a call that is wrong on one rank
 * alone returns there, as MPI's does, and the other ranks are not affected. */
#ifndef GB_MPI_API_ARGS_H
#define GB_MPI_API_ARGS_H

#include "mpi/api/buffers.h"
#include "mpi/comm/comm.h"
#include <stddef.h>

/* Checks a buffer of `count` elements; *bytes is their size. An error class. */
int gb_check_buffer(const gb_comm *c, const void *buffer, MPI_Count count, MPI_Datatype type, size_t *bytes);

/* The root has to be a rank of the communicator. */
static inline int gb_check_root(const gb_comm *c, int root) {
  return root < 0 || root >= c->wire.size ? MPI_ERR_ROOT : MPI_SUCCESS;
}

/* Check all arguments of a collective. *bytes is the size of the message or of this rank's block. */
int gb_check_bcast(const gb_comm *c, const void *buf, MPI_Count count, MPI_Datatype type, int root,
                   size_t *bytes);
int gb_check_alltoall(const gb_comm *c, const gb_send_buffer *s, const gb_receive_buffer *r, size_t *bytes);

/* *receive_bytes is the size of the receive buffer, 0 if nothing is received. */
int gb_check_scatter(const gb_comm *c, const gb_send_buffer *s, const gb_receive_buffer *r, int root,
                     size_t *bytes, size_t *receive_bytes);

/* s is read at the root only. */
int gb_check_scatterv(const gb_comm *c, const gb_send_blocks *s, const gb_receive_buffer *r, int root,
                      size_t *receive_bytes);

#endif
