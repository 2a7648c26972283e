/* The plans that a communicator has used last. Every rank makes the same calls, so every rank keeps the same
 * ones. */
#include "mpi/cache.h"
#include "mpi/comm.h"
#include "mpi/epoch.h"
#include <string.h>

/* Moves what lies before position `at` up by one and puts `role` first. */
static void put_first(gb_cache *cache, unsigned at, gb_role *role) {
  memmove((void *)(cache->role + 1), (const void *)cache->role, sizeof(gb_role *) * at);
  cache->role[0] = role;
}

/* Where news make a plan impossible they do so on every rank. */
static int make(gb_comm *c, enum gbcast_operation operation, size_t bytes, int root, gb_role **out) {
  int rc = gb_role_make(c, operation, bytes, root, out);
  return rc == MPI_ERR_ARG && gb_epoch_back(c) ? gb_role_make(c, operation, bytes, root, out) : rc;
}

int gb_cache_role(gb_comm *c, enum gbcast_operation operation, size_t bytes, int root, gb_role **out) {
  gb_cache *cache = &c->cache;
  uint64_t class_bytes = gb_size_class(bytes);
  gb_epoch_settle(c);
  for (unsigned i = 0; i < cache->count; i++) {
    gb_role *role = cache->role[i];
    if (role->class_bytes == class_bytes && role->root == root && role->operation == operation) {
      put_first(cache, i, role);
      role->used++;
      *out = role;
      return MPI_SUCCESS;
    }
  }
  int rc = make(c, operation, bytes, root, out);
  if (rc != MPI_SUCCESS)
    return rc;
  (*out)->used = 1;
  if (cache->count == GB_CACHE_ROLES)
    gb_role_free(cache->role[GB_CACHE_ROLES - 1]);
  else
    cache->count++;
  put_first(cache, cache->count - 1, *out);
  return MPI_SUCCESS;
}

void gb_cache_release(gb_cache *cache) {
  for (unsigned i = 0; i < cache->count; i++)
    gb_role_free(cache->role[i]);
  cache->count = 0;
}
