/* Any of the four collectives, with bytes or with every second byte, and what they should bring. */
#ifndef GB_TESTS_SUPPORT_MPI_CALLS_H
#define GB_TESTS_SUPPORT_MPI_CALLS_H

#include "tests/support/mpi/check.h"

enum call { BCAST, SCATTER, SCATTERV, ALLTOALL, CALLS };
static const char *const call_name[CALLS] = {"a broadcast", "a scatter", "a scatterv", "an all-to-all"};

typedef struct one_call {
  enum call call;
  size_t bytes; /* the message, or a block */
  int root;
  bool holes; /* a byte between any two, on all ranks */
  unsigned char *send, *receive;
} one_call;

static inline uint64_t key_of(const one_call *x, int from, int to) {
  return (uint64_t)(x->call == BCAST ? from : from * 64 + to) + 7;
}

/* What is sent; what is received is something else at first. */
static inline void prepare_call(one_call *x, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  const size_t step = x->holes ? 2 : 1, room = step * x->bytes * (size_t)size;
  x->send = allocate(room);
  x->receive = allocate(room);
  memset(x->receive, 0xA5, room);
  for (int to = 0; to < size; to++)
    for (size_t i = 0; i < x->bytes; i++)
      x->send[((size_t)to * x->bytes + i) * step] = pattern(key_of(x, rank, to), i);
  if (x->call == BCAST && rank == x->root)
    memcpy(x->receive, x->send, step * x->bytes);
}

/* An error code. */
static inline int make_call(const one_call *x, MPI_Comm comm) {
  enum { ranks_most = 64 };
  const int size = size_of(comm);
  const MPI_Count n = (MPI_Count)x->bytes;
  MPI_Count count[ranks_most];
  MPI_Aint place[ranks_most];
  MPI_Datatype type = MPI_BYTE;
  CHECK(size <= ranks_most, "too many ranks");
  if (x->holes) {
    MUST(MPI_Type_create_resized(MPI_BYTE, 0, 2, &type));
    MUST(MPI_Type_commit(&type));
  }
  for (int r = 0; r < size; r++) {
    count[r] = n;
    place[r] = n * r;
  }
  int code;
  switch (x->call) {
  case BCAST:
    code = gbcast_bcast(x->receive, n, type, x->root, comm);
    break;
  case SCATTER:
    code = gbcast_scatter(x->send, n, type, x->receive, n, type, x->root, comm);
    break;
  case SCATTERV:
    code = gbcast_scatterv(x->send, count, place, type, x->receive, n, type, x->root, comm);
    break;
  default:
    code = gbcast_alltoall(x->send, n, type, x->receive, n, type, comm);
  }
  if (x->holes)
    MUST(MPI_Type_free(&type));
  return code;
}

/* Whether this rank has all that it should have. */
static inline bool call_is_right(const one_call *x, MPI_Comm comm) {
  const int rank = rank_in(comm), blocks = x->call == ALLTOALL ? size_of(comm) : 1;
  const size_t step = x->holes ? 2 : 1;
  for (int b = 0; b < blocks; b++)
    for (size_t i = 0; i < x->bytes; i++)
      if (x->receive[((size_t)b * x->bytes + i) * step] !=
          pattern(key_of(x, x->call == ALLTOALL ? b : x->root, rank), i))
        return false;
  return true;
}

static inline void end_call(one_call *x) {
  free(x->send);
  free(x->receive);
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
