/* The plans that a communicator has used: a hash table, and a list by last use. The least recently used plan
 * is dropped first. All this depends on the calls alone, so no rank drops a plan that another one keeps. */
#include "mpi/comm/cache.h"
#include <stdlib.h>

/* Multiplies by 2^64 over the golden ratio: the high bits depend on all bits of the key (Knuth, 6.4). */
static size_t bucket_of(const gb_cache *cache, enum gbcast_operation operation, uint64_t class_bytes,
                        int root) {
  const uint64_t key = (class_bytes << 2 | (uint64_t)operation) ^ (uint64_t)(uint32_t)root << 40;
  return (size_t)(key * 0x9e3779b97f4a7c15u >> 32) & (cache->buckets - 1);
}

static void unlink_use(gb_cache *cache, gb_role *role) {
  *(role->newer != NULL ? &role->newer->older : &cache->newest) = role->older;
  *(role->older != NULL ? &role->older->newer : &cache->oldest) = role->newer;
}

static void put_first(gb_cache *cache, gb_role *role) {
  role->newer = NULL;
  role->older = cache->newest;
  *(cache->newest != NULL ? &cache->newest->newer : &cache->oldest) = role;
  cache->newest = role;
}

static void put_in(gb_cache *cache, gb_role *role) {
  gb_role **first = &cache->bucket[bucket_of(cache, role->operation, role->class_bytes, role->root)];
  role->chain = *first;
  *first = role;
}

static bool grow(gb_cache *cache) {
  if (cache->count < cache->buckets)
    return true;
  const size_t buckets = cache->buckets == 0 ? GB_CACHE_LEAST : 2 * cache->buckets;
  gb_role **bucket = calloc(buckets, sizeof(gb_role *));
  if (bucket == NULL)
    return cache->buckets > 0; /* the lists become longer */
  free((void *)cache->bucket);
  cache->bucket = bucket;
  cache->buckets = buckets;
  for (gb_role *role = cache->oldest; role != NULL; role = role->newer)
    put_in(cache, role);
  return true;
}

static void drop(gb_cache *cache, gb_role *role) {
  gb_role **at = &cache->bucket[bucket_of(cache, role->operation, role->class_bytes, role->root)];
  while (*at != role)
    at = &(*at)->chain;
  *at = role->chain;
  unlink_use(cache, role);
  cache->count--;
  cache->bytes -= role->bytes_at_most;
  gb_role_free(role);
}

static gb_role *find(const gb_cache *cache, enum gbcast_operation operation, uint64_t class_bytes, int root) {
  if (cache->buckets == 0)
    return NULL;
  gb_role *role = cache->bucket[bucket_of(cache, operation, class_bytes, root)];
  while (role != NULL &&
         (role->class_bytes != class_bytes || role->root != root || role->operation != operation))
    role = role->chain;
  return role;
}

gb_role *gb_cache_find(gb_cache *cache, enum gbcast_operation operation, size_t bytes, int root) {
  gb_role *role = find(cache, operation, gb_size_class(bytes), root);
  if (role != NULL && role != cache->newest) {
    unlink_use(cache, role);
    put_first(cache, role);
  }
  return role;
}

int gb_cache_add(gb_cache *cache, gb_role *role) {
  if (!grow(cache)) {
    gb_role_free(role);
    return MPI_ERR_NO_MEM;
  }
  put_in(cache, role);
  put_first(cache, role);
  cache->count++;
  cache->bytes += role->bytes_at_most;
  while (cache->count > GB_CACHE_LEAST && cache->bytes > GB_CACHE_BYTES && cache->oldest != NULL)
    drop(cache, cache->oldest);
  return MPI_SUCCESS;
}

void gb_cache_release(gb_cache *cache) {
  while (cache->newest != NULL) {
    gb_role *role = cache->newest;
    cache->newest = role->older;
    gb_role_free(role);
  }
  free((void *)cache->bucket);
  *cache = (gb_cache){0};
}
