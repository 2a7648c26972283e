/* What programs with non-blocking collectives of MPI share. */
#ifndef GB_TESTS_MPI_PMPI_REQUESTS_H
#define GB_TESTS_MPI_PMPI_REQUESTS_H

#include "tests/support/mpi/calls.h"

enum { CALLS_MOST = 16, LONG = 60000, LONGER = 600000, LONGEST = 2400000 }; /* bytes */

typedef struct one {
  one_call x;
  MPI_Comm comm;
  int *count, *place; /* of a scatterv */
} one;

static one calls[CALLS_MOST];
static MPI_Request request[CALLS_MOST];
static MPI_Status status[CALLS_MOST];
static int begun; /* non-blocking calls */

/* One call of MPI; request NULL: the blocking one. */
static inline int call_mpi(one *o, MPI_Request *r) {
  const one_call *x = &o->x;
  const int n = (int)x->bytes, root = x->root, to = (int)block_of(x, root, rank_in(o->comm));
  void *own = x->in_place && rank_in(o->comm) == root ? MPI_IN_PLACE : x->receive;
  const void *from = x->in_place ? MPI_IN_PLACE : x->send;
  MPI_Comm comm = o->comm;
  begun += r != NULL;
  switch (x->call) {
  case BCAST:
    return r == NULL ? MPI_Bcast(x->receive, n, x->type, root, comm)
                     : MPI_Ibcast(x->receive, n, x->type, root, comm, r);
  case SCATTER:
    return r == NULL ? MPI_Scatter(x->send, n, x->type, own, n, x->type, root, comm)
                     : MPI_Iscatter(x->send, n, x->type, own, n, x->type, root, comm, r);
  case SCATTERV:
    return r == NULL ? MPI_Scatterv(x->send, o->count, o->place, x->type, own, to, x->type, root, comm)
                     : MPI_Iscatterv(x->send, o->count, o->place, x->type, own, to, x->type, root, comm, r);
  default:
    return r == NULL ? MPI_Alltoall(from, n, x->type, x->receive, n, x->type, comm)
                     : MPI_Ialltoall(from, n, x->type, x->receive, n, x->type, comm, r);
  }
}

static inline void prepare(one *o, one_call x, MPI_Comm comm) {
  const size_t size = (size_t)size_of(comm);
  *o = (one){.comm = comm, .x = x};
  prepare_call(&o->x, comm);
  o->count = allocate(sizeof *o->count * size);
  o->place = allocate(sizeof *o->place * size);
  for (size_t r = 0; r < size; r++) {
    o->count[r] = (int)o->x.count[r];
    o->place[r] = (int)o->x.place[r];
  }
}

static inline void discard(one *o) {
  end_call(&o->x);
  free(o->count);
  free(o->place);
}

static inline void check(one *o, const char *what) {
  CHECK(call_is_right(&o->x, o->comm), "%s: %s of %zu bytes from root %d is wrong", what,
        call_name[o->x.call], o->x.bytes, o->x.root);
}

static inline void ibcast(int i, size_t bytes, int root, MPI_Comm comm) {
  prepare(&calls[i], (one_call){.call = BCAST, .bytes = bytes, .root = root, .key = (uint64_t)i}, comm);
  MUST(call_mpi(&calls[i], &request[i]));
}

#endif
