/* What the benchmarks call: a broadcast or scatter by gbcast or by MPI, data to send, the check of what
 * arrived. */
#ifndef GB_BENCH_CALLS_H
#define GB_BENCH_CALLS_H

#include <gbcast/gbcast.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench_call {
  bool scatter;
  int rank, ranks, root;
  size_t size;
  uint64_t key; /* of the data, another for every call */
  char *all;    /* a scatter's blocks, on the root */
  char *mine;
} bench_call;

static inline uint64_t word(uint64_t key, size_t i) {
  return (key + i) * 0x9E3779B97F4A7C15u;
}

static inline void fill(char *data, size_t n, uint64_t key) {
  for (size_t i = 0; i < n; i += 8) {
    uint64_t w = word(key, i / 8);
    memcpy(data + i, &w, n - i < 8 ? n - i : 8);
  }
}

static inline bool is_filled(const char *data, size_t n, uint64_t key) {
  bool same = true;
  for (size_t i = 0; i < n; i += 8) {
    uint64_t w = word(key, i / 8);
    same &= memcmp(data + i, &w, n - i < 8 ? n - i : 8) == 0;
  }
  return same;
}

/* Memory for messages of up to `most` bytes; false, on all ranks, when one has none. */
static inline bool allocate(bench_call *b, size_t most) {
  bool blocks = b->scatter && b->rank == b->root;
  b->mine = malloc(most + 1);
  b->all = blocks ? malloc(most * (size_t)b->ranks + 1) : NULL;
  int missing = b->mine == NULL || (blocks && b->all == NULL), any_missing = 1;
  MPI_Allreduce(&missing, &any_missing, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return any_missing == 0;
}

static inline void release(bench_call *b) {
  free(b->all);
  free(b->mine);
}

static inline uint64_t block_key(const bench_call *b, int rank) {
  return b->key + (b->scatter ? (uint64_t)rank * 7919 : 0);
}

/* New data on the root, none on the others. */
static inline void prepare(bench_call *b) {
  b->key++;
  memset(b->mine, 0xA5, b->size);
  if (b->rank != b->root)
    return;
  for (int r = 0; r < b->ranks && b->scatter; r++)
    fill(b->all + (size_t)r * b->size, b->size, block_key(b, r));
  if (!b->scatter)
    fill(b->mine, b->size, b->key);
}

static inline int call(const bench_call *b, bool by_gbcast) {
  int n = (int)b->size;
  if (b->scatter)
    return by_gbcast ? gbcast_scatter(b->all, n, MPI_BYTE, b->mine, n, MPI_BYTE, b->root, MPI_COMM_WORLD)
                     : MPI_Scatter(b->all, n, MPI_BYTE, b->mine, n, MPI_BYTE, b->root, MPI_COMM_WORLD);
  return by_gbcast ? gbcast_bcast(b->mine, n, MPI_BYTE, b->root, MPI_COMM_WORLD)
                   : MPI_Bcast(b->mine, n, MPI_BYTE, b->root, MPI_COMM_WORLD);
}

static inline bool arrived(const bench_call *b) {
  return is_filled(b->mine, b->size, block_key(b, b->rank));
}

#endif
