/* Any of the four collectives, with bytes or with every second byte, and what they should bring. */
#ifndef GB_TESTS_SUPPORT_MPI_CALLS_H
#define GB_TESTS_SUPPORT_MPI_CALLS_H

#include "tests/support/mpi/check.h"

enum call { BCAST, SCATTER, SCATTERV, ALLTOALL, CALLS };
static const char *const call_name[CALLS] = {"a broadcast", "a scatter", "a scatterv", "an all-to-all"};

enum form { BLOCKING, AT_ONCE, PERSISTENT, FORMS };
static const char *const form_name[FORMS] = {"blocking", "non-blocking", "persistent"};

typedef struct one_call {
  enum call call;
  size_t bytes; /* the message, or a block */
  int root;
  bool holes;    /* a byte between any two, on all ranks */
  bool uneven;   /* SCATTERV: rank r gets bytes >> r % 3 */
  bool in_place; /* the root's own block of a scatter stays where it is; all blocks of an all-to-all do */
  uint64_t key;  /* of the data */
  unsigned char *send, *receive;
  MPI_Count *count; /* SCATTERV, until the call is over */
  MPI_Aint *place;
  MPI_Datatype type;
} one_call;

static inline uint64_t key_of(const one_call *x, int from, int to) {
  return (uint64_t)(x->call == BCAST ? from : from * 64 + to) + 7 + x->key;
}

static inline size_t step_of(const one_call *x) {
  return x->holes ? 2 : 1;
}

/* What rank `to` gets of each other. */
static inline size_t block_of(const one_call *x, int to) {
  return x->call == SCATTERV && x->uneven ? x->bytes >> to % 3 : x->bytes;
}

/* What is sent; what is received is something else at first. Again for each start of a persistent call. */
static inline void fill_call(const one_call *x, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  const size_t step = step_of(x), room = step * x->bytes * (size_t)size;
  memset(x->send, 0xA5, room);
  memset(x->receive, 0xA5, room);
  for (int to = 0; to < size; to++)
    for (size_t i = 0; i < block_of(x, to); i++)
      x->send[((size_t)to * x->bytes + i) * step] = pattern(key_of(x, rank, to), i);
  if ((x->call == BCAST && rank == x->root) || (x->call == ALLTOALL && x->in_place))
    memcpy(x->receive, x->send, x->call == BCAST ? step * x->bytes : room);
}

static inline void prepare_call(one_call *x, MPI_Comm comm) {
#ifdef GB_TEST_SMPI /* which gets a type of one element with a hole wrong, as calls under way keep */
  x->holes = false;
#endif
  const size_t size = (size_t)size_of(comm), room = step_of(x) * x->bytes * size;
  x->send = allocate(room);
  x->receive = allocate(room);
  x->count = allocate(sizeof *x->count * size);
  x->place = allocate(sizeof *x->place * size);
  for (size_t r = 0; r < size; r++) {
    x->count[r] = (MPI_Count)block_of(x, (int)r);
    x->place[r] = (MPI_Aint)(x->bytes * r);
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
  const MPI_Count n = (MPI_Count)x->bytes, mine = (MPI_Count)block_of(x, rank_in(comm));
  void *own = x->in_place && rank_in(comm) == x->root ? MPI_IN_PLACE : x->receive;
  switch (x->call) {
  case BCAST:
    return IN_FORM(form, bcast, handle, x->receive, n, x->type, x->root, comm);
  case SCATTER:
    return IN_FORM(form, scatter, handle, x->send, n, x->type, own, n, x->type, x->root, comm);
  case SCATTERV:
    return IN_FORM(form, scatterv, handle, x->send, x->count, x->place, x->type, own, mine, x->type, x->root,
                   comm);
  default:
    return IN_FORM(form, alltoall, handle, x->in_place ? MPI_IN_PLACE : x->send, n, x->type, x->receive, n,
                   x->type, comm);
  }
}

static inline int make_call(const one_call *x, MPI_Comm comm) {
  return call_in_form(x, comm, BLOCKING, NULL);
}

/* Whether a rank has all that it should have, and nothing beside it. */
static inline bool data_are_right(const one_call *x, int rank, int size) {
  const size_t step = step_of(x);
  const bool stays = x->in_place && rank == x->root && (x->call == SCATTER || x->call == SCATTERV);
  const unsigned char *at = x->receive;
  for (int b = 0; b < size; b++) {
    const size_t there = stays || (b > 0 && x->call != ALLTOALL) ? 0 : block_of(x, rank);
    const uint64_t key = key_of(x, x->call == ALLTOALL ? b : x->root, rank);
    for (size_t i = 0; i < x->bytes; i++, at += step)
      if (at[0] != (i < there ? pattern(key, i) : 0xA5) || (x->holes && at[1] != 0xA5))
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
