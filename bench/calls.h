/* What the benchmarks call: a collective by gbcast or by MPI, blocking or not, data to send, the check of
 * what arrived. Reductions are sums of bytes. */
#ifndef GB_BENCH_CALLS_H
#define GB_BENCH_CALLS_H

#include <gbcast/gbcast.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line for each: its constant, and its name on command lines. */
#define BENCH_EACH(DO) DO(BENCH_BCAST, "bcast") BENCH_OTHERS(DO)
#define BENCH_OTHERS(DO)                                                                                     \
  DO(BENCH_SCATTER, "scatter")                                                                               \
  DO(BENCH_GATHER, "gather")                                                                                 \
  DO(BENCH_ALLGATHER, "allgather")                                                                           \
  DO(BENCH_ALLTOALL, "alltoall")                                                                             \
  DO(BENCH_ALLTOALLV, "alltoallv")                                                                           \
  DO(BENCH_REDUCE, "reduce")                                                                                 \
  DO(BENCH_ALLREDUCE, "allreduce")                                                                           \
  DO(BENCH_REDUCE_SCATTER, "reduce-scatter")                                                                 \
  DO(BENCH_BARRIER, "barrier")

#define BENCH_CONSTANT(constant, name) constant,
enum bench_operation { BENCH_EACH(BENCH_CONSTANT) BENCH_OPERATIONS };

#define BENCH_BAR_NAME(constant, name) "|" name
#define BENCH_NAMES "bcast" BENCH_OTHERS(BENCH_BAR_NAME)

static inline const char *operation_name(enum bench_operation o) {
#define BENCH_NAME(constant, name) name,
  static const char *const name[] = {BENCH_EACH(BENCH_NAME)};
  return name[o];
}

static inline bool reduces(enum bench_operation o) {
  return o == BENCH_REDUCE || o == BENCH_ALLREDUCE || o == BENCH_REDUCE_SCATTER;
}

static inline bool goes_to_all(enum bench_operation o) {
  return o == BENCH_ALLTOALL || o == BENCH_ALLTOALLV;
}

static inline bool gathers(enum bench_operation o) {
  return o == BENCH_GATHER || o == BENCH_ALLGATHER;
}

/* Of a name; BENCH_OPERATIONS when it is none. */
static inline enum bench_operation operation_of(const char *name) {
  enum bench_operation o = BENCH_BCAST;
  while (o < BENCH_OPERATIONS && strcmp(name, operation_name(o)) != 0)
    o++;
  return o;
}

typedef struct bench_call {
  enum bench_operation operation;
  int rank, ranks, root;
  size_t size;  /* of the message, of a block, or of the longest block of an alltoallv */
  uint64_t key; /* of the data, another for every call */
  char
      *out; /* a block for each rank: of an all-to-all, or on the root of a scatter; else its own; operands */
  char *in; /* a block from each rank, or the one message; a broadcast's root sends it, too; a result */
  int *count, *place; /* of an alltoallv: the same for what is sent and what is received, for MPI ... */
  MPI_Count *count_c; /* ... and for gbcast */
  MPI_Aint *place_c;
} bench_call;

/* The first line of a table, to be called on one rank. */
static inline void print_job(const bench_call *b) {
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  const char *hosts = getenv("GBCAST_HOSTS");
  MPI_Get_library_version(library, &length);
  library[strcspn(library, "\n")] = '\0';
  printf("# gbcast %s, %s, %d ranks, root %d, hosts file %s\n", gbcast_version(), library, b->ranks, b->root,
         hosts ? hosts : "(none)");
}

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

/* How many blocks come in. */
static inline int blocks_in(const bench_call *b) {
  if (b->operation == BENCH_BARRIER)
    return 0;
  const bool all = goes_to_all(b->operation) || b->operation == BENCH_ALLGATHER;
  return all || (b->operation == BENCH_GATHER && b->rank == b->root) ? b->ranks : 1;
}

/* How many blocks go out of memory of their own. */
static inline int blocks_out(const bench_call *b) {
  if (b->operation == BENCH_REDUCE_SCATTER)
    return b->ranks;
  if (reduces(b->operation) || gathers(b->operation))
    return 1;
  return goes_to_all(b->operation) || (b->operation == BENCH_SCATTER && b->rank == b->root) ? b->ranks : 0;
}

/* Memory for messages of up to `most` bytes; false, on all ranks, when one has none. */
static inline bool allocate(bench_call *b, size_t most) {
  b->in = malloc(most * (size_t)blocks_in(b) + 1);
  b->out = malloc(most * (size_t)blocks_out(b) + 1);
  const size_t ranks = (size_t)b->ranks;
  b->count = malloc(2 * ranks * sizeof *b->count);
  b->count_c = malloc(ranks * (sizeof *b->count_c + sizeof *b->place_c));
  int missing = b->in == NULL || b->out == NULL || b->count == NULL || b->count_c == NULL, any_missing = 1;
  b->place = b->count + ranks;
  b->place_c = (MPI_Aint *)(b->count_c + ranks);
  MPI_Allreduce(&missing, &any_missing, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return any_missing == 0;
}

static inline void release(bench_call *b) {
  free(b->count_c);
  free(b->count);
  free(b->out);
  free(b->in);
}

/* Bytes of the block between two ranks: in an alltoallv none, half of the longest, or as many as that. */
static inline size_t block_size(const bench_call *b, int from, int to) {
  return b->operation == BENCH_ALLTOALLV ? (size_t)((from + to) % 3) * b->size / 2 : b->size;
}

static inline void set_counts(bench_call *b) {
  for (int r = 0; r < b->ranks; r++) {
    b->count_c[r] = b->count[r] = (int)block_size(b, b->rank, r);
    b->place_c[r] = b->place[r] = r * (int)b->size;
  }
}

static inline uint64_t block_key(const bench_call *b, int from, int to) {
  const uint64_t pair = (uint64_t)from * (uint64_t)b->ranks + (uint64_t)to;
  return b->operation == BENCH_BCAST ? b->key : b->key + pair * 7919;
}

/* Byte i of the operands of a rank, or with `all` of the sum over all ranks. */
static inline unsigned char operand(const bench_call *b, size_t i, bool all) {
  const uint64_t n = (uint64_t)b->ranks, each = b->key + 31 * i;
  return (unsigned char)(all ? n * each + 7 * (n * (n - 1) / 2) : each + 7 * (uint64_t)b->rank);
}

/* New data where they come from, none where they go to. */
static inline void prepare(bench_call *b) {
  b->key++;
  memset(b->in, 0xA5, b->size * (size_t)blocks_in(b));
  set_counts(b);
  if (reduces(b->operation)) {
    for (size_t i = 0; i < b->size * (size_t)blocks_out(b); i++)
      b->out[i] = (char)operand(b, i, false);
    return;
  }
  for (int r = 0; r < blocks_out(b); r++)
    fill(b->out + (size_t)r * b->size, block_size(b, b->rank, r), block_key(b, b->rank, r));
  if (b->operation == BENCH_BCAST && b->rank == b->root)
    fill(b->in, b->size, b->key);
}

/* A call that has begun, by gbcast or by MPI. */
typedef struct pending_call {
  gbcast_handle handle;
  MPI_Request request;
} pending_call;

/* Makes the call or, if p is not NULL, begins it. */
static inline int call_or_begin(const bench_call *b, bool by_gbcast, pending_call *p) {
#define BENCH_FORM(at_once, blocking, handle, ...)                                                           \
  (p != NULL ? at_once(__VA_ARGS__, &p->handle) : blocking(__VA_ARGS__))
#define BENCH_CALL(name, title, ...)                                                                         \
  (by_gbcast ? BENCH_FORM(gbcast_i##name, gbcast_##name, handle, __VA_ARGS__)                                \
             : BENCH_FORM(MPI_I##name, MPI_##title, request, __VA_ARGS__))
  const MPI_Comm world = MPI_COMM_WORLD;
  const MPI_Datatype byte = MPI_BYTE, number = MPI_UNSIGNED_CHAR;
  const int n = (int)b->size, root = b->root;
  char *out = b->out, *in = b->in;
  switch (b->operation) {
  case BENCH_BARRIER:
    return BENCH_CALL(barrier, Barrier, world);
  case BENCH_REDUCE:
    return BENCH_CALL(reduce, Reduce, out, in, n, number, MPI_SUM, root, world);
  case BENCH_ALLREDUCE:
    return BENCH_CALL(allreduce, Allreduce, out, in, n, number, MPI_SUM, world);
  case BENCH_REDUCE_SCATTER:
    return BENCH_CALL(reduce_scatter_block, Reduce_scatter_block, out, in, n, number, MPI_SUM, world);
  case BENCH_ALLTOALLV:
    return by_gbcast ? BENCH_FORM(gbcast_ialltoallv, gbcast_alltoallv, handle, out, b->count_c, b->place_c,
                                  byte, in, b->count_c, b->place_c, byte, world)
                     : BENCH_FORM(MPI_Ialltoallv, MPI_Alltoallv, request, out, b->count, b->place, byte, in,
                                  b->count, b->place, byte, world);
  case BENCH_ALLTOALL:
    return BENCH_CALL(alltoall, Alltoall, out, n, byte, in, n, byte, world);
  case BENCH_ALLGATHER:
    return BENCH_CALL(allgather, Allgather, out, n, byte, in, n, byte, world);
  case BENCH_GATHER:
    return BENCH_CALL(gather, Gather, out, n, byte, in, n, byte, root, world);
  case BENCH_SCATTER:
    return BENCH_CALL(scatter, Scatter, out, n, byte, in, n, byte, root, world);
  default:
    return BENCH_CALL(bcast, Bcast, in, n, byte, root, world);
  }
}

static inline int call(const bench_call *b, bool by_gbcast) {
  return call_or_begin(b, by_gbcast, NULL);
}

static inline int begin_call(const bench_call *b, bool by_gbcast, pending_call *p) {
  *p = (pending_call){GBCAST_HANDLE_NULL, MPI_REQUEST_NULL};
  return call_or_begin(b, by_gbcast, p);
}

static inline int test_call(bool by_gbcast, pending_call *p, int *done) {
  return by_gbcast ? gbcast_test(&p->handle, done) : MPI_Test(&p->request, done, MPI_STATUS_IGNORE);
}

static inline int wait_call(bool by_gbcast, pending_call *p) {
  return by_gbcast ? gbcast_wait(&p->handle) : MPI_Wait(&p->request, MPI_STATUS_IGNORE);
}

static inline bool arrived(const bench_call *b) {
  bool all = true;
  if (reduces(b->operation)) {
    const size_t first = b->operation == BENCH_REDUCE_SCATTER ? b->size * (size_t)b->rank : 0;
    for (size_t i = 0; i < b->size && (b->operation != BENCH_REDUCE || b->rank == b->root); i++)
      all &= (unsigned char)b->in[i] == operand(b, first + i, true);
    return all;
  }
  const bool from_all = goes_to_all(b->operation) || gathers(b->operation);
  const int blocks = b->operation == BENCH_GATHER && b->rank != b->root ? 0 : blocks_in(b);
  const int to = gathers(b->operation) ? 0 : b->rank; /* whoever gets a gathered block, it is the same */
  for (int i = 0; i < blocks; i++)
    all &= is_filled(b->in + (size_t)i * b->size, block_size(b, i, b->rank),
                     block_key(b, from_all ? i : b->root, to));
  return all;
}

#endif
