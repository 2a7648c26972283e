/* Where the data of a collective are, at its two ends. */
#ifndef GB_MPI_API_BUFFERS_H
#define GB_MPI_API_BUFFERS_H

#include "mpi/comm/comm.h"
#include <mpi.h>
#include <stddef.h>

typedef struct gb_send {
  const void *buf;
  MPI_Count count;
  MPI_Datatype type;
} gb_send;

/* A block of its own for each rank. */
typedef struct gb_send_each {
  const void *buf;
  const MPI_Count *count; /* of each rank */
  const MPI_Aint *place;  /* in extents */
  MPI_Datatype type;
} gb_send_each;

typedef struct gb_receive {
  void *buf;
  MPI_Count count;
  MPI_Datatype type;
} gb_receive;

/* Of the blocks that a scatterv is planned for: only its root knows the counts. */
enum { GB_NOMINAL_BLOCK = 65536 };

/* A scatterv is so many calls of the engine: the counts, the blocks, and with GBCAST_CHECK their checksums.
 */
static inline uint64_t gb_scatterv_calls(const gb_comm *c) {
  return c->check ? 3 : 2;
}

/* Puts `bytes` packed bytes, no more than it has room for, where the caller wants them. */
int gb_receive_keep(const gb_receive *r, const char *packed, size_t bytes, MPI_Comm comm);

#endif
