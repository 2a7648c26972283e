/* GBCAST_CHECK: whether what has landed in a caller's buffer is what was sent. The sender's checksum of every
 * message or block goes the same way as its data, right behind them, and each rank compares it with one of
 * what it finds in the caller's buffer. Both are over the data in the order of their signature, without
 * holes: datatypes may differ. */
#ifndef GB_MPI_API_VERIFY_H
#define GB_MPI_API_VERIFY_H

#include "mpi/comm/comm.h"
#include <stddef.h>
#include <stdint.h>

/* The checksums of `blocks` blocks, each of `count` elements, of which the first `bytes` bytes count. */
int gb_verify_sums(const gb_comm *c, const void *buf, MPI_Count count, MPI_Datatype type, size_t bytes,
                   int blocks, uint64_t *sum);

/* Data that have come from rank `from`, where they had the checksum `sent`. MPI_ERR_OTHER, and told on
 * stderr, when they have another one here. what: of which call. */
int gb_verify_arrived(const gb_comm *c, const char *what, int from, size_t bytes, uint64_t sent,
                      uint64_t found);

#endif
