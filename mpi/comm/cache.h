/* The plans that a communicator has used, found by operation, size class and root. Every rank makes the same
 * calls, so every rank keeps the same plans. */
#ifndef GB_MPI_COMM_CACHE_H
#define GB_MPI_COMM_CACHE_H

#include "mpi/schedule/schedule.h"

/* Plans are kept as long as they fit into GB_CACHE_BYTES on every rank. GB_CACHE_LEAST plans are kept even if
 * the ranks are so many that these take more. */
enum { GB_CACHE_BYTES = 64 << 20, GB_CACHE_LEAST = 64 };

typedef struct gb_cache {
  size_t count;
  uint64_t bytes;           /* an upper bound for all roles on any rank; the same on every rank */
  size_t buckets;           /* 0, or a power of two */
  gb_role **bucket;         /* lists of roles, linked by gb_role.chain */
  gb_role *newest, *oldest; /* by last use, linked by gb_role.older and .newer */
} gb_cache;

/* The schedule for a size, root and operation, which counts as used now; NULL: none is kept. */
gb_role *gb_cache_find(gb_cache *cache, enum gbcast_operation operation, size_t bytes, int root);

/* Takes one over; what was used least recently may be dropped for it. MPI_ERR_NO_MEM. */
int gb_cache_add(gb_cache *cache, gb_role *role);

void gb_cache_release(gb_cache *cache);

#endif
