/* Calls with one argument that is wrong. */
#include "mistakes.h"

const char *const mistake_name[MISTAKES] = {"a root too high",
                                            "a root below zero",
                                            "MPI_ROOT",
                                            "a count below zero",
                                            "MPI_DATATYPE_NULL",
                                            "a type that is not committed",
                                            "no buffer",
                                            "MPI_IN_PLACE",
                                            "a buffer for both",
                                            "MPI_OP_NULL",
                                            "an operator that does not take the type"};

const call_shape call_shapes[CALLS] = {
    [BCAST] = {"bcast", NO_RANK, EVERY_RANK, .rooted = true},
    [SCATTER] = {"scatter", THE_ROOT, EVERY_RANK, .rooted = true},
    [SCATTERV] = {"scatterv", THE_ROOT, EVERY_RANK, .rooted = true},
    [GATHER] = {"gather", EVERY_RANK, THE_ROOT, .rooted = true},
    [GATHERV] = {"gatherv", EVERY_RANK, THE_ROOT, .rooted = true},
    [ALLGATHER] = {"allgather", EVERY_RANK, EVERY_RANK},
    [ALLGATHERV] = {"allgatherv", EVERY_RANK, EVERY_RANK},
    [ALLTOALL] = {"alltoall", EVERY_RANK, EVERY_RANK},
    [ALLTOALLV] = {"alltoallv", EVERY_RANK, EVERY_RANK},
    [REDUCE] = {"reduce", EVERY_RANK, THE_ROOT, .rooted = true, .combines = true},
    [ALLREDUCE] = {"allreduce", EVERY_RANK, EVERY_RANK, .combines = true},
    [REDUCE_SCATTER_BLOCK] = {"reduce_scatter_block", EVERY_RANK, EVERY_RANK, .combines = true},
};

bool mistake_makes_sense(const error_case *e) {
  const call_shape *shape = &call_shapes[e->call];
  if (e->sending && shape->sends == NO_RANK)
    return false;
  switch (e->mistake) {
  case ROOT_HIGH:
  case ROOT_LOW:
  case ROOT_GROUP:
    return shape->rooted && !e->sending && e->count > 0;
  case NULL_OP:
  case WRONG_OP:
    return shape->combines && !e->sending && e->count > 0;
  case COUNT:
    return e->count > 0 && !(e->sending && shape->combines); /* reductions have one count and one type */
  case NULL_TYPE:
  case NEW_TYPE:
    return !(e->sending && shape->combines);
  case NULL_BUFFER:
    return e->count > 0;
  case SAME_BUFFER:
    return !e->sending && e->count > 0 && shape->sends != NO_RANK;
  default: /* in place is right at a scatter's root for what is received, elsewhere for what is sent */
    return e->sending == (shape->sends == THE_ROOT) &&
           (e->count > 0 || (shape->sends != THE_ROOT && shape->receives != THE_ROOT));
  }
}

typedef struct side {
  void *at;
  MPI_Count count;
  MPI_Datatype type;
} side;

typedef struct arguments {
  side send, receive;
  int root;
  MPI_Op op;
} arguments;

static void make_wrong(arguments *a, enum mistake mistake, bool sending, int size, MPI_Datatype new_type) {
  side *s = sending ? &a->send : &a->receive;
  switch (mistake) {
  case ROOT_HIGH:
    a->root = size;
    break;
  case ROOT_LOW:
    a->root = -7;
    break;
  case ROOT_GROUP:
    a->root = MPI_ROOT;
    break;
  case COUNT:
    s->count = -1;
    break;
  case NULL_TYPE:
    s->type = MPI_DATATYPE_NULL;
    break;
  case NEW_TYPE:
    s->type = new_type;
    break;
  case NULL_BUFFER:
    s->at = NULL;
    break;
  case IN_PLACE:
    s->at = MPI_IN_PLACE;
    break;
  case NULL_OP:
    a->op = MPI_OP_NULL;
    break;
  default:
    a->op = MPI_MAXLOC;
    break;
  }
}

static int make(enum call call, const place *at, const call_table *f, const arguments *a, const side *both) {
  enum { ranks_most = 16 };
  const side *s = &a->send, *r = &a->receive;
  const MPI_Comm comm = at->comm;
  const bool is_root = at->rank == a->root || a->root < 0 || a->root >= at->size;
  const int ranks = is_root ? at->size : 0;
  MPI_Count sends[ranks_most], receives[ranks_most];
  MPI_Aint begin[ranks_most];
  for (int i = 0; i < at->size && i < ranks_most; i++) {
    sends[i] = s->count;
    receives[i] = r->count;
    begin[i] = 0;
  }
  switch (call) {
  case BCAST:
    return f->bcast(r->at, r->count, r->type, a->root, comm);
  case SCATTER:
    return f->scatter(s->at, s->count, s->type, r->at, r->count, r->type, a->root, comm);
  case SCATTERV:
    return f->scatterv(s->at, ranks, is_root ? sends : NULL, is_root ? begin : NULL, s->type, r->at, r->count,
                       r->type, a->root, comm);
  case GATHER:
    return f->gather(s->at, s->count, s->type, r->at, r->count, r->type, a->root, comm);
  case GATHERV:
    return f->gatherv(s->at, s->count, s->type, r->at, ranks, is_root ? receives : NULL,
                      is_root ? begin : NULL, r->type, a->root, comm);
  case ALLGATHER:
    return f->allgather(s->at, s->count, s->type, r->at, r->count, r->type, comm);
  case ALLGATHERV:
    return f->allgatherv(s->at, s->count, s->type, r->at, at->size, receives, begin, r->type, comm);
  case ALLTOALL:
    return f->alltoall(s->at, s->count, s->type, r->at, r->count, r->type, comm);
  case ALLTOALLV:
    return f->alltoallv(s->at, at->size, sends, begin, s->type, r->at, receives, begin, r->type, comm);
  case REDUCE:
    return f->reduce(s->at, r->at, both->count, both->type, a->op, a->root, comm);
  case ALLREDUCE:
    return f->allreduce(s->at, r->at, both->count, both->type, a->op, comm);
  default:
    return f->reduce_scatter_block(s->at, r->at, both->count, both->type, a->op, comm);
  }
}

/* What this rank sends to itself is where it is received. */
static void make_same(arguments *a, const error_case *e, int rank) {
  const bool in_turn = e->call == SCATTER || e->call == GATHER || e->call == ALLGATHER;
  const int own = in_turn ? rank * e->count : 0; /* the others have all blocks in one place */
  if (call_shapes[e->call].sends == THE_ROOT)
    a->receive.at = (int *)a->send.at + own;
  else
    a->send.at = (int *)a->receive.at + own;
}

int mistake_make(const error_case *e, const place *at, const call_table *f, void *send, void *receive,
                 MPI_Datatype new_type) {
  const call_shape *shape = &call_shapes[e->call];
  arguments a = {{send, e->count, MPI_INT}, {receive, e->count, MPI_INT}, at->size - 1, MPI_MAX};
  const bool sends = shape->sends == EVERY_RANK || (shape->sends == THE_ROOT && at->rank == a.root),
             receives = shape->receives == EVERY_RANK || at->rank == a.root,
             sending = e->sending ? sends : !receives;
  /* on the other side these are right, or MPICH does not look for them there */
  const bool other = (e->mistake == IN_PLACE && sending != e->sending) ||
                     (e->mistake == SAME_BUFFER && !(sends && receives));
  if (other)
    make_wrong(&a, shape->combines ? NULL_OP : COUNT, sending, at->size, new_type);
  else if (e->mistake == SAME_BUFFER)
    make_same(&a, e, at->rank);
  else
    make_wrong(&a, e->mistake, sending, at->size, new_type);
  return make(e->call, at, f, &a, sending ? &a.send : &a.receive);
}
