/* Wrong arguments: their error classes, and that the error handler of the communicator is called, once. Every
 * rank makes the mistake, in what counts there, as ranks that make none may wait for ever.
 *
 * Where MPI leaves a mistake to the library the transcript says what a caller may meet, and why; the class is
 * checked here then. */
#include "cases.h"
#include <string.h>

enum mistake { ROOT_HIGH, ROOT_LOW, ROOT_GROUP, COUNT, NULL_TYPE, NEW_TYPE, NULL_BUFFER, IN_PLACE, MISTAKES };
static const char *const mistake_name[MISTAKES] = {"a root too high",   "a root below zero",
                                                   "MPI_ROOT",          "a count below zero",
                                                   "MPI_DATATYPE_NULL", "a type that is not committed",
                                                   "no buffer",         "MPI_IN_PLACE"};

enum call { BCAST, SCATTER, SCATTERV, ALLTOALL, CALLS };
static const char *const call_name[CALLS] = {"bcast", "scatter", "scatterv", "alltoall"};

/* In what is sent or in what is received; a broadcast has one buffer. Ranks other than a scatter's root send
 * nothing, so theirs is always in what is received. */
typedef struct error_case {
  enum call call;
  enum mistake mistake;
  bool sending;
  int count; /* of what is right otherwise */
} error_case;

/* What libraries may do, where that is more than one thing. */
typedef struct latitude {
  enum mistake mistake;
  int count;
  enum call call;       /* CALLS: all of them */
  const char *class[2]; /* NULL: the call is not made */
  const char *told;
} latitude;
static const latitude free_to[] = {
    {NULL_TYPE,
     0,
     CALLS,
     {NULL},
     "not called, because MPICH 4.0 does not look at the type, and then ends the job for it"},
    {NEW_TYPE,
     0,
     CALLS,
     {"type", "success"},
     "type or success, because no data have this type, and MPICH does not look at it"},
    {IN_PLACE,
     0,
     CALLS,
     {"buffer", "success"},
     "buffer or success, because no data are there, and MPICH does not look for them"},
    {IN_PLACE, 3, BCAST, {NULL}, "not called, because MPICH 4.0 takes it for an address, and crashes"},
};

typedef struct heard { /* by the handler */
  int calls;
  bool same; /* of the code that the function returns */
  int code;
  MPI_Comm comm;
} heard;
static heard last;

static void handler(MPI_Comm *comm, int *code, ...) {
  last.calls++;
  last.code = *code;
  last.comm = *comm;
}

typedef struct side {
  void *at;
  MPI_Count count;
  MPI_Datatype type;
} side;

static side wrong(side right, enum mistake mistake, MPI_Datatype new_type) {
  switch (mistake) {
  case COUNT:
    right.count = -1;
    break;
  case NULL_TYPE:
    right.type = MPI_DATATYPE_NULL;
    break;
  case NEW_TYPE:
    right.type = new_type;
    break;
  case NULL_BUFFER:
    right.at = NULL;
    break;
  case IN_PLACE:
    right.at = MPI_IN_PLACE;
    break;
  default:
    break;
  }
  return right;
}

static int make(const error_case *e, const place *at, const call_table *f, side send, side receive,
                int root) {
  enum { ranks_most = 16 };
  MPI_Count count[ranks_most];
  MPI_Aint begin[ranks_most];
  const bool is_root = at->rank == root || root < 0 || root >= at->size;
  switch (e->call) {
  case BCAST:
    return f->bcast(receive.at, receive.count, receive.type, root, at->comm);
  case SCATTER:
    return f->scatter(send.at, send.count, send.type, receive.at, receive.count, receive.type, root,
                      at->comm);
  case ALLTOALL:
    return f->alltoall(send.at, send.count, send.type, receive.at, receive.count, receive.type, at->comm);
  default:
    for (int i = 0; i < at->size && i < ranks_most; i++) {
      count[i] = send.count;
      begin[i] = 0;
    }
    return f->scatterv(send.at, is_root ? at->size : 0, is_root ? count : NULL, is_root ? begin : NULL,
                       send.type, receive.at, receive.count, receive.type, root, at->comm);
  }
}

static const latitude *latitude_of(const error_case *e) {
  for (size_t i = 0; i < sizeof free_to / sizeof *free_to; i++)
    if (free_to[i].mistake == e->mistake && free_to[i].count == e->count &&
        (free_to[i].call == CALLS || free_to[i].call == e->call))
      return &free_to[i];
  return NULL;
}

/* Whether the handler of this communicator has heard of exactly this. */
static bool heard_well(const place *at, int rc) {
  int mine = MPI_SUCCESS, theirs = MPI_SUCCESS, same = MPI_UNEQUAL;
  if (rc == MPI_SUCCESS || last.calls != 1)
    return rc == MPI_SUCCESS && last.calls == 0;
  must(MPI_Error_class(rc, &mine), "MPI_Error_class");
  must(MPI_Error_class(last.code, &theirs), "MPI_Error_class");
  must(MPI_Comm_compare(last.comm, at->comm, &same), "MPI_Comm_compare");
  return mine == theirs && same == MPI_IDENT;
}

/* One line; a class that is left to the library is checked and not told. */
static void tell(record *r, const place *at, const call_table *f, const error_case *e, int rc,
                 const region *buffers) {
  const latitude *l = latitude_of(e);
  const char *class = class_name(rc);
  if (l != NULL && l->class[0] != NULL && strcmp(class, l->class[0]) != 0 && strcmp(class, l->class[1]) != 0)
    must(rc, mistake_name[e->mistake]);
  char outcome[160];
  snprintf(outcome, sizeof outcome, "%s%s", l == NULL ? class : l->told,
           heard_well(at, rc) ? "" : "; the handler was called wrongly");
  place here = *at;
  if (l != NULL && l->class[0] == NULL)
    here.taker = NOBODY;
  record_call(r, &here, outcome, &buffers[0], &buffers[1], "%s %s, %s in what is %s, count %d",
              call_name[e->call], f->name, mistake_name[e->mistake], e->sending ? "sent" : "received",
              e->count);
}

static void one(record *r, const place *at, const call_table *f, const error_case *e, MPI_Datatype new_type) {
  const bool root_wrong = e->mistake == ROOT_HIGH || e->mistake == ROOT_LOW || e->mistake == ROOT_GROUP;
  const int root = e->mistake == ROOT_HIGH    ? at->size
                   : e->mistake == ROOT_LOW   ? -7
                   : e->mistake == ROOT_GROUP ? MPI_ROOT
                                              : 0;
  const bool sending = e->sending && (e->call == ALLTOALL || at->rank == root);
  region buffers[2] = {region_new(MPI_INT, 0, 4L * at->size, 1), region_new(MPI_INT, 0, 4L * at->size, 2)};
  side receive = {buffers[0].at, e->count, MPI_INT}, send = {buffers[1].at, e->count, MPI_INT};
  /* MPICH looks for MPI_IN_PLACE at the root only */
  const bool other = e->mistake == IN_PLACE && e->sending && !sending;
  if (!root_wrong)
    *(sending ? &send : &receive) = wrong(sending ? send : receive, other ? COUNT : e->mistake, new_type);
  last = (heard){0};
  const latitude *l = latitude_of(e);
  int rc = l != NULL && l->class[0] == NULL ? MPI_SUCCESS : make(e, at, f, send, receive, root);
  tell(r, at, f, e, rc, buffers);
  region_free(&buffers[0]);
  region_free(&buffers[1]);
}

/* Whether it is a mistake at all, and one that libraries have to notice. */
static bool makes_sense(const error_case *e) {
  const bool rooted = e->mistake == ROOT_HIGH || e->mistake == ROOT_LOW || e->mistake == ROOT_GROUP;
  if (e->sending && (e->call == BCAST || rooted))
    return false;
  if (rooted)
    return e->call != ALLTOALL && e->count > 0;
  if (e->mistake == NULL_BUFFER || e->mistake == COUNT)
    return e->count > 0;
  /* in place is right at a scatter's root for what is received, and in an all-to-all for what is sent */
  const bool scatter = e->call == SCATTER || e->call == SCATTERV;
  return e->mistake != IN_PLACE || (scatter ? e->sending && e->count > 0 : !e->sending);
}

/* No communicator: which handler is called is left to the library before MPI 4, and MPICH calls another one
 * than MPI 4 says. */
static void no_communicator(record *r, const place *at, const call_table *f) {
  int value[1] = {0}, room[1] = {0};
  const MPI_Count count[1] = {1};
  const MPI_Aint begin[1] = {0};
  const int rc[] = {f->bytes(value, 4, 0, MPI_COMM_NULL),
                    f->bcast(value, 1, MPI_INT, 0, MPI_COMM_NULL),
                    f->scatter(value, 1, MPI_INT, room, 1, MPI_INT, 0, MPI_COMM_NULL),
                    f->scatterv(value, 1, count, begin, MPI_INT, room, 1, MPI_INT, 0, MPI_COMM_NULL),
                    f->alltoall(value, 1, MPI_INT, room, 1, MPI_INT, MPI_COMM_NULL),
                    f->gather(value, 1, MPI_INT, room, 1, MPI_INT, 0, MPI_COMM_NULL),
                    f->gatherv(value, 1, MPI_INT, room, 1, count, begin, MPI_INT, 0, MPI_COMM_NULL),
                    f->allgather(value, 1, MPI_INT, room, 1, MPI_INT, MPI_COMM_NULL),
                    f->allgatherv(value, 1, MPI_INT, room, 1, count, begin, MPI_INT, MPI_COMM_NULL),
                    f->alltoallv(value, 1, count, begin, MPI_INT, room, count, begin, MPI_INT, MPI_COMM_NULL),
                    f->reduce(value, room, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_NULL),
                    f->allreduce(value, room, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL),
                    f->reduce_scatter_block(value, room, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL),
                    f->barrier(MPI_COMM_NULL)};
  for (size_t i = 0; i < sizeof rc / sizeof *rc; i++)
    record_call(r, at, class_name(rc[i]), NULL, NULL, "call %zu %s, MPI_COMM_NULL", i, f->name);
}

void error_cases(record *r) {
  place at = {.name = "errors", .taker = EITHER};
  MPI_Errhandler own;
  MPI_Datatype new_type;
  must(MPI_Comm_dup(MPI_COMM_WORLD, &at.comm), "dup");
  must(MPI_Comm_rank(at.comm, &at.rank), "rank");
  must(MPI_Comm_size(at.comm, &at.size), "size");
  must(MPI_Comm_create_errhandler(handler, &own), "handler");
  must(MPI_Comm_set_errhandler(at.comm, own), "handler");
  must(MPI_Type_contiguous(1, MPI_INT, &new_type), "contiguous");
  for (int n = 0; n < FORMS; n++) {
    for (int i = 0; i < CALLS * MISTAKES * 4; i++) {
      const error_case e = {(enum call)(i / 4 / MISTAKES), (enum mistake)(i / 4 % MISTAKES), i % 2 == 1,
                            i % 4 < 2 ? 3 : 0};
      if (makes_sense(&e))
        one(r, &at, &form[n], &e, new_type);
    }
    no_communicator(r, &at, &form[n]);
  }
  must(MPI_Type_free(&new_type), "type");
  must(MPI_Errhandler_free(&own), "handler");
  place after = {"after errors", at.comm, at.rank, at.size, at.size > 1 ? OURS : MPIS, false};
  bcast_cases(r, &after);
  must(MPI_Comm_free(&at.comm), "free");
}
