/* The plans that a communicator has used: a hash table, and a list by last use. The least recently used plan
 * is dropped first. All this depends on the calls alone, so no rank drops a plan that another one keeps. */
#include "mpi/comm/plans.h"
#include <stdlib.h>

/* Multiplies by 2^64 over the golden ratio: the high bits depend on all bits of the key (Knuth, 6.4). */
static size_t bucket_of(const gb_cache *cache, enum gbcast_operation operation, uint64_t class_bytes,
                        int root) {
  const uint64_t key = (class_bytes << 4 | (uint64_t)operation) ^ (uint64_t)(uint32_t)root << 40;
  return (size_t)(key * 0x9e3779b97f4a7c15u >> 32) & (cache->buckets - 1);
}

static void unlink_use(gb_cache *cache, gb_rank_schedule *schedule) {
  *(schedule->newer != NULL ? &schedule->newer->older : &cache->newest) = schedule->older;
  *(schedule->older != NULL ? &schedule->older->newer : &cache->oldest) = schedule->newer;
}

static void put_first(gb_cache *cache, gb_rank_schedule *schedule) {
  schedule->newer = NULL;
  schedule->older = cache->newest;
  *(cache->newest != NULL ? &cache->newest->newer : &cache->oldest) = schedule;
  cache->newest = schedule;
}

static void put_in(gb_cache *cache, gb_rank_schedule *schedule) {
  gb_rank_schedule **first =
      &cache->bucket[bucket_of(cache, schedule->operation, schedule->class_bytes, schedule->root)];
  schedule->chain = *first;
  *first = schedule;
}

static bool grow(gb_cache *cache) {
  if (cache->count < cache->buckets)
    return true;
  const size_t buckets = cache->buckets == 0 ? GB_CACHE_LEAST : 2 * cache->buckets;
  gb_rank_schedule **bucket = calloc(buckets, sizeof(gb_rank_schedule *));
  if (bucket == NULL)
    return cache->buckets > 0; /* the lists become longer */
  free((void *)cache->bucket);
  cache->bucket = bucket;
  cache->buckets = buckets;
  for (gb_rank_schedule *schedule = cache->oldest; schedule != NULL; schedule = schedule->newer)
    put_in(cache, schedule);
  return true;
}

static void drop(gb_cache *cache, gb_rank_schedule *schedule) {
  gb_rank_schedule **at =
      &cache->bucket[bucket_of(cache, schedule->operation, schedule->class_bytes, schedule->root)];
  while (*at != schedule)
    at = &(*at)->chain;
  *at = schedule->chain;
  unlink_use(cache, schedule);
  cache->count--;
  cache->bytes -= schedule->bytes_estimate;
  gb_rank_schedule_free(schedule);
}

gb_rank_schedule *gb_cache_find(gb_cache *cache, enum gbcast_operation operation, size_t bytes, int root) {
  const uint64_t class_bytes = gb_size_class(bytes);
  if (cache->buckets == 0)
    return NULL;
  gb_rank_schedule *schedule = cache->bucket[bucket_of(cache, operation, class_bytes, root)];
  while (schedule != NULL &&
         (schedule->class_bytes != class_bytes || schedule->root != root || schedule->operation != operation))
    schedule = schedule->chain;
  if (schedule != NULL && schedule != cache->newest) {
    unlink_use(cache, schedule);
    put_first(cache, schedule);
  }
  return schedule;
}

int gb_cache_add(gb_cache *cache, gb_rank_schedule *schedule) {
  if (!grow(cache)) {
    gb_rank_schedule_free(schedule);
    return MPI_ERR_NO_MEM;
  }
  put_in(cache, schedule);
  put_first(cache, schedule);
  cache->count++;
  cache->bytes += schedule->bytes_estimate;
  while (cache->count > GB_CACHE_LEAST && cache->bytes > GB_CACHE_BYTES && cache->oldest != NULL)
    drop(cache, cache->oldest);
  return MPI_SUCCESS;
}

void gb_cache_release(gb_cache *cache) {
  while (cache->newest != NULL) {
    gb_rank_schedule *schedule = cache->newest;
    cache->newest = schedule->older;
    gb_rank_schedule_free(schedule);
  }
  free((void *)cache->bucket);
  *cache = (gb_cache){0};
}
