/* Wrong arguments: their error classes, and that the error handler of the communicator is called, once. Every
 * rank makes the mistake, in what counts there, as ranks that make none may wait for ever.
 *
 * Where MPI leaves a mistake to the library the transcript says what a caller may meet, and why; the class is
 * checked here then. */
#include "mistakes.h"
#include <string.h>

enum { REDUCTIONS = CALLS + 1 };

/* What libraries may do, where that is more than one thing. */
typedef struct latitude {
  enum mistake mistake;
  int count;
  unsigned call;        /* CALLS: all of them; REDUCTIONS: those with an operator */
  const char *class[2]; /* NULL: the call is not made */
  const char *told;
} latitude;
static const latitude free_to[] = {
    {COUNT,
     3,
     REDUCTIONS,
     {NULL},
     "not called, because MPICH 4.0 does not look at the count of a reduction, and crashes"},
    {NULL_TYPE, 3, REDUCTIONS, {"type", "op"}, "type or op, because the operator does not take that either"},
    {NEW_TYPE, 3, REDUCTIONS, {"type", "op"}, "type or op, because the operator does not take that either"},
    {NEW_TYPE, 0, REDUCTIONS, {"op", "success"}, "op or success, because there are no data to combine"},
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
    {SAME_BUFFER,
     3,
     ALLTOALLV,
     {NULL},
     "not called, because MPICH looks for it only where one array has the counts of both sides"},
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

static const latitude *latitude_of(const error_case *e) {
  for (size_t i = 0; i < sizeof free_to / sizeof *free_to; i++)
    if (free_to[i].mistake == e->mistake && free_to[i].count == e->count &&
        (free_to[i].call == CALLS || free_to[i].call == e->call ||
         (free_to[i].call == REDUCTIONS && call_shapes[e->call].combines)))
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
              call_shapes[e->call].name, f->name, mistake_name[e->mistake], e->sending ? "sent" : "received",
              e->count);
}

static void one(record *r, const place *at, const call_table *f, const error_case *e, MPI_Datatype new_type) {
  region buffers[2] = {region_new(MPI_INT, 0, 4L * at->size, 1), region_new(MPI_INT, 0, 4L * at->size, 2)};
  const latitude *l = latitude_of(e);
  last = (heard){0};
  int rc = l != NULL && l->class[0] == NULL ? MPI_SUCCESS
                                            : mistake_make(e, at, f, buffers[1].at, buffers[0].at, new_type);
  tell(r, at, f, e, rc, buffers);
  region_free(&buffers[0]);
  region_free(&buffers[1]);
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
      if (mistake_makes_sense(&e))
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
