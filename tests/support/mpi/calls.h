/* Any of the collectives, with bytes or with every second byte, and what they should bring. */
#ifndef GB_TESTS_SUPPORT_MPI_CALLS_H
#define GB_TESTS_SUPPORT_MPI_CALLS_H

#include "tests/support/mpi/check.h"

/* The first four are those that some tests make in a way of their own. */
enum call {
  BCAST,
  SCATTER,
  SCATTERV,
  ALLTOALL,
  GATHER,
  GATHERV,
  ALLGATHER,
  ALLGATHERV,
  ALLTOALLV,
  REDUCE,
  ALLREDUCE,
  REDUCE_SCATTER,
  BARRIER,
  CALLS,
  FIRST_CALLS = ALLTOALL + 1
};
static const char *const call_name[CALLS] = {
    "a broadcast",  "a scatter",        "a scatterv",    "an all-to-all", "a gather",
    "a gatherv",    "an allgather",     "an allgatherv", "an alltoallv",  "a reduction",
    "an allreduce", "a reduce-scatter", "a barrier"};

enum form { BLOCKING, AT_ONCE, PERSISTENT, FORMS };
static const char *const form_name[FORMS] = {"blocking", "non-blocking", "persistent"};

typedef struct one_call {
  enum call call;
  size_t bytes; /* the message, or a block */
  int root;
  bool holes;    /* a byte between any two, on all ranks; not in reductions, which would be MPI's own */
  bool uneven;   /* those whose names end with v: block_of() */
  bool in_place; /* the root's own block or operands stay where they are; all do where there is no root */
  uint64_t key;  /* of the data */
  unsigned char *send, *receive;
  MPI_Count *count, *in; /* of blocks, until the call is over: sent, or gathered; received in an alltoallv */
  MPI_Aint *place;
  MPI_Datatype type;
} one_call;

/* Whether the communicator may be freed while such a call, which may be MPI's own, is under way. As MPI
 * allows it, it is tried with other libraries; Open MPI 4.1 crashes by itself then (docs/limits.md). */
static inline bool outlives_communicator(enum call call) {
#ifdef OPEN_MPI
  return call != ALLTOALLV && call != REDUCE && call != ALLREDUCE && call != REDUCE_SCATTER &&
         call != BARRIER;
#else
  (void)call;
  return true;
#endif
}

/* SimGrid's MPI_Alltoallw() in place is wrong (tests/mpi/CMakeLists.txt). */
static inline bool may_be_in_place(enum call call) {
#ifdef GB_TEST_SMPI
  return call != ALLTOALLV;
#else
  (void)call;
  return true;
#endif
}

static inline bool reduces(const one_call *x) {
  return x->call == REDUCE || x->call == ALLREDUCE || x->call == REDUCE_SCATTER;
}

static inline bool gathers_all(const one_call *x) {
  return x->call == ALLGATHER || x->call == ALLGATHERV;
}

static inline bool gathers(const one_call *x) {
  return x->call == GATHER || x->call == GATHERV || gathers_all(x);
}

static inline bool is_all_to_all(const one_call *x) {
  return x->call == ALLTOALL || x->call == ALLTOALLV;
}

/* To all ranks goes the same. Of operands, `to` is the block. */
static inline uint64_t key_of(const one_call *x, int from, int to) {
  const bool same = x->call == BCAST || gathers(x) || x->call == REDUCE || x->call == ALLREDUCE;
  return (uint64_t)(x->call == BCAST ? from : same ? from * 64 : from * 64 + to) + 7 + x->key;
}

static inline size_t step_of(const one_call *x) {
  return x->holes ? 2 : 1;
}

/* What rank `from` sends to rank `to`. */
static inline size_t block_of(const one_call *x, int from, int to) {
  const int shift = x->call == SCATTERV                           ? to % 3
                    : x->call == GATHERV || x->call == ALLGATHERV ? from % 3
                    : x->call == ALLTOALLV                        ? (from + to) % 3
                                                                  : 0;
  return x->uneven ? x->bytes >> shift : x->bytes;
}

/* Blocks that a rank sends: one, or one for each rank. */
static inline int blocks_sent(const one_call *x, int size) {
  return gathers(x) || x->call == REDUCE || x->call == ALLREDUCE ? 1 : size;
}

static inline bool stays(const one_call *x, int rank) {
  const bool rooted = x->call == SCATTER || x->call == SCATTERV || x->call == GATHER || x->call == GATHERV ||
                      x->call == REDUCE;
  if (x->call == REDUCE && x->root != 0) /* MPI_Reduce() of MPICH 4.0 crashes there */
    return false;
  return x->in_place && x->call != BCAST && (!rooted || rank == x->root);
}

static inline void fill_block(const one_call *x, unsigned char *at, int from, int to) {
  for (size_t i = 0; i < block_of(x, from, to); i++)
    at[i * step_of(x)] = pattern(key_of(x, from, to), i);
}

/* What is sent; what is received is something else at first. Again for each start of a persistent call. */
static inline void fill_call(const one_call *x, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  const size_t block = step_of(x) * x->bytes, room = block * (size_t)size;
  memset(x->send, 0xA5, room);
  memset(x->receive, 0xA5, room);
  for (int to = 0; to < blocks_sent(x, size); to++)
    fill_block(x, x->send + block * (size_t)to, rank, to);
  if (x->call == BCAST && rank == x->root)
    memcpy(x->receive, x->send, block);
  else if (stays(x, rank) && gathers(x))
    memcpy(x->receive + block * (size_t)rank, x->send, block);
  else if (stays(x, rank) && (is_all_to_all(x) || reduces(x)))
    memcpy(x->receive, x->send, room);
}

static inline void prepare_call(one_call *x, MPI_Comm comm) {
#ifdef GB_TEST_SMPI /* which gets a type of one element with a hole wrong, as calls under way keep */
  x->holes = false;
#endif
  x->holes = x->holes && !reduces(x);
  const int rank = rank_in(comm);
  const size_t size = (size_t)size_of(comm), room = step_of(x) * x->bytes * size;
  x->send = allocate(room);
  x->receive = allocate(room);
  x->count = allocate(sizeof *x->count * size);
  x->in = allocate(sizeof *x->in * size);
  x->place = allocate(sizeof *x->place * size);
  for (int r = 0; r < (int)size; r++) {
    x->count[r] = (MPI_Count)(gathers(x) ? block_of(x, r, rank) : block_of(x, rank, r));
    x->in[r] = (MPI_Count)block_of(x, r, rank);
    x->place[r] = (MPI_Aint)x->bytes * r;
  }
  x->type = MPI_BYTE;
  if (x->holes) {
    MUST(MPI_Type_create_resized(MPI_BYTE, 0, 2, &x->type));
    MUST(MPI_Type_commit(&x->type));
  }
  fill_call(x, comm);
}

#define IN_FORM(form, name, handle, ...)                                                                     \
  ((form) == BLOCKING  ? gbcast_##name(__VA_ARGS__)                                                          \
   : (form) == AT_ONCE ? gbcast_i##name(__VA_ARGS__, handle)                                                 \
                       : gbcast_##name##_init(__VA_ARGS__, handle))

/* Makes the call, begins it, or prepares it to be started. An error code. */
static inline int call_in_form(const one_call *x, MPI_Comm comm, enum form form, gbcast_handle *handle) {
  const int rank = rank_in(comm);
  const MPI_Count n = (MPI_Count)x->bytes, mine = (MPI_Count)block_of(x, x->root, rank),
                  given = (MPI_Count)block_of(x, rank, x->root);
  void *own = stays(x, rank) ? MPI_IN_PLACE : x->receive;
  const void *from = stays(x, rank) ? MPI_IN_PLACE : x->send;
  switch (x->call) {
  case BCAST:
    return IN_FORM(form, bcast, handle, x->receive, n, x->type, x->root, comm);
  case SCATTER:
    return IN_FORM(form, scatter, handle, x->send, n, x->type, own, n, x->type, x->root, comm);
  case SCATTERV:
    return IN_FORM(form, scatterv, handle, x->send, x->count, x->place, x->type, own, mine, x->type, x->root,
                   comm);
  case GATHER:
    return IN_FORM(form, gather, handle, from, n, x->type, x->receive, n, x->type, x->root, comm);
  case GATHERV:
    return IN_FORM(form, gatherv, handle, from, given, x->type, x->receive, x->count, x->place, x->type,
                   x->root, comm);
  case ALLGATHER:
    return IN_FORM(form, allgather, handle, from, n, x->type, x->receive, n, x->type, comm);
  case ALLGATHERV:
    return IN_FORM(form, allgatherv, handle, from, given, x->type, x->receive, x->count, x->place, x->type,
                   comm);
  case ALLTOALLV:
    return IN_FORM(form, alltoallv, handle, from, x->count, x->place, x->type, x->receive, x->in, x->place,
                   x->type, comm);
  case REDUCE:
    return IN_FORM(form, reduce, handle, from, x->receive, n, x->type, MPI_BXOR, x->root, comm);
  case ALLREDUCE:
    return IN_FORM(form, allreduce, handle, from, x->receive, n, x->type, MPI_BXOR, comm);
  case REDUCE_SCATTER:
    return IN_FORM(form, reduce_scatter_block, handle, from, x->receive, n, x->type, MPI_BXOR, comm);
  case BARRIER:
    return form == BLOCKING  ? gbcast_barrier(comm)
           : form == AT_ONCE ? gbcast_ibarrier(comm, handle)
                             : gbcast_barrier_init(comm, handle);
  default:
    return IN_FORM(form, alltoall, handle, from, n, x->type, x->receive, n, x->type, comm);
  }
}

static inline int make_call(const one_call *x, MPI_Comm comm) {
  return call_in_form(x, comm, BLOCKING, NULL);
}

/* Bytes that come to place number b of a rank. */
static inline size_t bytes_at(const one_call *x, int rank, int b) {
  const bool root = rank == x->root;
  if (is_all_to_all(x) || gathers_all(x) || (gathers(x) && root))
    return block_of(x, b, rank);
  if (b > 0 || gathers(x) || x->call == BARRIER || (x->call == REDUCE && !root))
    return 0;
  return (x->call == SCATTER || x->call == SCATTERV) && stays(x, rank) ? 0 : block_of(x, x->root, rank);
}

static inline unsigned char byte_at(const one_call *x, int rank, int size, int b, size_t i) {
  unsigned char all = 0;
  for (int r = 0; reduces(x) && r < size; r++)
    all ^= pattern(key_of(x, r, rank), i);
  return reduces(x) ? all : pattern(key_of(x, is_all_to_all(x) || gathers(x) ? b : x->root, rank), i);
}

/* Whether a rank has all that it should have, and nothing beside it. */
static inline bool data_are_right(const one_call *x, int rank, int size) {
  const size_t step = step_of(x);
  const unsigned char *at = x->receive;
  const int blocks = x->call == REDUCE_SCATTER && stays(x, rank) ? 1 : size; /* behind it are operands */
  for (int b = 0; b < blocks; b++) {
    const size_t there = bytes_at(x, rank, b);
    for (size_t i = 0; i < x->bytes; i++, at += step)
      if (at[0] != (i < there ? byte_at(x, rank, size, b, i) : 0xA5) || (x->holes && at[1] != 0xA5))
        return false;
  }
  return true;
}

static inline bool call_is_right(const one_call *x, MPI_Comm comm) {
  return data_are_right(x, rank_in(comm), size_of(comm));
}

static inline void free_buffers(one_call *x) {
  free(x->send);
  free(x->receive);
  free(x->count);
  free(x->in);
  free(x->place);
}

static inline void end_call(one_call *x) {
  if (x->holes)
    MUST(MPI_Type_free(&x->type));
  free_buffers(x);
}

/* A communicator on which errors return, set up so that nothing is MPI's own. */
static inline MPI_Comm comm_for(const char *hosts, const char *intra, const char *sync) {
  MPI_Comm comm;
  const setting forced[] = {{"gbcast_intra", intra}, {"gbcast_sync", sync}, {"gbcast_segment", "4k"}};
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  MUST(set_up_with(comm, hosts, forced, sizeof forced / sizeof *forced));
  return comm;
}

/* The largest of all ranks' numbers. */
static inline int most_of(int mine) {
  int most;
  MUST(MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  return most;
}

#endif
