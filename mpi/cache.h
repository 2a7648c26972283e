/* The plans that a communicator has used, found by operation, size class and root. Every rank makes the same
 * calls, so every rank keeps the same ones. */
#ifndef GB_MPI_CACHE_H
#define GB_MPI_CACHE_H

#include "mpi/role.h"

/* What is kept: as many plans as ranks and size classes call for, in so many bytes on any rank; some dozens
 * also where ranks are so many that these take more. */
enum { GB_CACHE_BYTES = 64 << 20, GB_CACHE_LEAST = 64 };

typedef struct gb_cache {
  size_t count;
  uint64_t bytes;           /* at most, of any rank's roles: the same on all of them */
  size_t buckets;           /* 0, or a power of two */
  gb_role **bucket;         /* lists of roles (gb_role.chain) */
  gb_role *newest, *oldest; /* by their last use (gb_role.older, .newer) */
} gb_cache;

/* The role for a size, root and operation, of the epoch that begins with this call if one does; planned when
 * it is not there. An error class. */
int gb_cache_role(struct gb_comm *c, enum gbcast_operation operation, size_t bytes, int root, gb_role **out);

void gb_cache_release(gb_cache *cache);

#endif
