/* The plans that a communicator has used last. Every rank makes the same calls, so every rank keeps the same
 * ones. */
#ifndef GB_MPI_CACHE_H
#define GB_MPI_CACHE_H

#include "mpi/role.h"

enum { GB_CACHE_ROLES = 64 };

typedef struct gb_cache {
  unsigned count;
  gb_role *role[GB_CACHE_ROLES]; /* the last used first */
} gb_cache;

/* The role for a size, root and operation, of the epoch that begins with this call if one does; planned when
 * it is not there. An error class. */
int gb_cache_role(struct gb_comm *c, enum gbcast_operation operation, size_t bytes, int root, gb_role **out);

void gb_cache_release(gb_cache *cache);

#endif
