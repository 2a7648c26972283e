/* Where the data of a collective are, at its two ends. */
#ifndef GB_MPI_API_BUFFERS_H
#define GB_MPI_API_BUFFERS_H

#include "mpi/comm/comm.h"
#include <mpi.h>
#include <stddef.h>

typedef struct gb_send_buffer {
  const void *buf;
  MPI_Count count;
  MPI_Datatype type;
} gb_send_buffer;

/* A block of its own for each rank. */
typedef struct gb_send_blocks {
  const void *buf;
  const MPI_Count *count; /* of each rank */
  const MPI_Aint *place;  /* in extents */
  MPI_Datatype type;
} gb_send_blocks;

typedef struct gb_receive_buffer {
  void *buf;
  MPI_Count count;
  MPI_Datatype type;
} gb_receive_buffer;

/* Whether a scatter looks at what this rank says of its receive buffer. */
static inline bool gb_receives(const void *buf, int root) {
  return buf != MPI_IN_PLACE && root != MPI_ROOT && root != MPI_PROC_NULL;
}

/* Of the blocks that a scatterv is planned for: only its root knows the counts. */
enum { GB_NOMINAL_BLOCK = 65536 };

/* Puts `bytes` packed bytes, no more than it has room for, where the caller wants them. */
int gb_receive_keep(const gb_receive_buffer *r, const char *packed, size_t bytes, MPI_Comm comm);

#endif
