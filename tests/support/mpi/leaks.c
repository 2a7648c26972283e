/* Requests, communicators, datatypes and so on that somebody makes and nobody frees. These functions take the
 * place of MPI's, for the library and for the test alike, and keep a list of what is there; at the end of
 * MPI_Finalize, which may free what hangs off communicators, it must be empty. What is freed must have been
 * on the list, so that a function that is missing here is found. What MPI makes for itself comes by none of
 * them. */
#include "tests/support/mpi/leaks.h"
#include <execinfo.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOLD = 10 };

enum kind { COMM, DATATYPE, ERRHANDLER, GROUP, INFO, KEYVAL, OP, REQUEST };
static const char *const kind_name[] = {"communicator", "datatype", "error handler", "group",
                                        "info",         "keyval",   "operation",     "request"};

typedef struct object {
  enum kind kind;
  uint64_t handle; /* several may have the same: MPI counts references, too */
  const char *by;
  void *caller;
} object;

static struct {
  pthread_mutex_t lock;
  object *object;
  size_t count, capacity;
  bool forgotten; /* what is left is no error */
  int rank;       /* at the end, where it can be asked for no more */
} alive = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void tell(const char *what, const object *o) {
  char **where = backtrace_symbols(&o->caller, 1);
  fprintf(stderr, "leaks.c: rank %d: %s: a %s of %s, called at %s\n", alive.rank, what, kind_name[o->kind],
          o->by, where != NULL ? where[0] : "?");
  free(where);
}

static uint64_t number(const void *handle, size_t size) {
  uint64_t n = 0;
  memcpy(&n, handle, size);
  return n;
}
#define NUMBER(handle) number(handle, sizeof *(handle))

static void add(object o) {
  (void)pthread_mutex_lock(&alive.lock);
  if (alive.count == alive.capacity) {
    alive.capacity = 2 * alive.capacity + 64;
    alive.object = realloc(alive.object, alive.capacity * sizeof *alive.object);
    if (alive.object == NULL)
      abort();
  }
  alive.object[alive.count++] = o;
  (void)pthread_mutex_unlock(&alive.lock);
}

static void drop(object o) {
  (void)pthread_mutex_lock(&alive.lock);
  size_t i = alive.count;
  while (i > 0 && (alive.object[i - 1].kind != o.kind || alive.object[i - 1].handle != o.handle))
    i--;
  if (i > 0)
    alive.object[i - 1] = alive.object[--alive.count];
  const bool forgotten = alive.forgotten;
  (void)pthread_mutex_unlock(&alive.lock);
  if (i > 0 || forgotten)
    return;
  (void)PMPI_Comm_rank(MPI_COMM_WORLD, &alive.rank);
  tell("freed, but never made", &o);
  (void)PMPI_Abort(MPI_COMM_WORLD, 1);
}

#define OBJECT(kind, handle, name) ((object){kind, handle, #name, __builtin_return_address(0)})

#define MAKES(kind, name, handle, parameters, arguments)                                                     \
  int MPI_##name parameters {                                                                                \
    int rc = PMPI_##name arguments;                                                                          \
    if (rc == MPI_SUCCESS)                                                                                   \
      add(OBJECT(kind, NUMBER(handle), MPI_##name));                                                         \
    return rc;                                                                                               \
  }
#define FREES(kind, name, type)                                                                              \
  int MPI_##name(type *handle) {                                                                             \
    uint64_t before = NUMBER(handle);                                                                        \
    int rc = PMPI_##name(handle);                                                                            \
    if (rc == MPI_SUCCESS)                                                                                   \
      drop(OBJECT(kind, before, MPI_##name));                                                                \
    return rc;                                                                                               \
  }

MAKES(COMM, Comm_dup, made, (MPI_Comm comm, MPI_Comm *made), (comm, made))
MAKES(COMM, Comm_create_group, made, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made),
      (comm, group, tag, made))
MAKES(COMM, Intercomm_create, made,
      (MPI_Comm comm, int leader, MPI_Comm peers, int other, int tag, MPI_Comm *made),
      (comm, leader, peers, other, tag, made))
FREES(COMM, Comm_free, MPI_Comm)

/* A rank that asked for none gets none. */
#define SPLITS(name, parameters, arguments)                                                                  \
  int MPI_##name parameters {                                                                                \
    int rc = PMPI_##name arguments;                                                                          \
    if (rc == MPI_SUCCESS && *made != MPI_COMM_NULL)                                                         \
      add(OBJECT(COMM, NUMBER(made), MPI_##name));                                                           \
    return rc;                                                                                               \
  }
SPLITS(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made))
SPLITS(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
       (comm, type, key, info, made))

MAKES(DATATYPE, Type_contiguous, made, (int count, MPI_Datatype type, MPI_Datatype *made),
      (count, type, made))
MAKES(DATATYPE, Type_vector, made, (int count, int length, int stride, MPI_Datatype type, MPI_Datatype *made),
      (count, length, stride, type, made))
MAKES(DATATYPE, Type_indexed, made,
      (int count, const int length[], const int place[], MPI_Datatype type, MPI_Datatype *made),
      (count, length, place, type, made))
MAKES(DATATYPE, Type_create_hindexed, made,
      (int count, const int length[], const MPI_Aint place[], MPI_Datatype type, MPI_Datatype *made),
      (count, length, place, type, made))
MAKES(DATATYPE, Type_create_hindexed_block, made,
      (int count, int length, const MPI_Aint place[], MPI_Datatype type, MPI_Datatype *made),
      (count, length, place, type, made))
MAKES(DATATYPE, Type_dup, made, (MPI_Datatype type, MPI_Datatype *made), (type, made))
MAKES(DATATYPE, Type_create_hvector, made,
      (int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype *made),
      (count, length, stride, type, made))
MAKES(DATATYPE, Type_create_indexed_block, made,
      (int count, int length, const int place[], MPI_Datatype type, MPI_Datatype *made),
      (count, length, place, type, made))
MAKES(DATATYPE, Type_create_subarray, made,
      (int dimensions, const int size[], const int part[], const int first[], int order, MPI_Datatype type,
       MPI_Datatype *made),
      (dimensions, size, part, first, order, type, made))
MAKES(DATATYPE, Type_create_darray, made,
      (int size, int rank, int dimensions, const int whole[], const int distribution[], const int argument[],
       const int ranks[], int order, MPI_Datatype type, MPI_Datatype *made),
      (size, rank, dimensions, whole, distribution, argument, ranks, order, type, made))
MAKES(DATATYPE, Type_create_resized, made,
      (MPI_Datatype type, MPI_Aint lower, MPI_Aint extent, MPI_Datatype *made), (type, lower, extent, made))
MAKES(DATATYPE, Type_create_struct, made,
      (int count, const int length[], const MPI_Aint place[], const MPI_Datatype type[], MPI_Datatype *made),
      (count, length, place, type, made))
FREES(DATATYPE, Type_free, MPI_Datatype)

#if MPI_VERSION >= 4
MAKES(DATATYPE, Type_contiguous_c, made, (MPI_Count count, MPI_Datatype type, MPI_Datatype *made),
      (count, type, made))
MAKES(DATATYPE, Type_vector_c, made,
      (MPI_Count count, MPI_Count length, MPI_Count stride, MPI_Datatype type, MPI_Datatype *made),
      (count, length, stride, type, made))
#endif

/* What a type was made of is given away, but for the predefined ones; not all of these have a name. */
static int given(MPI_Datatype type, const char *by, void *caller) {
  int combiner;
#if MPI_VERSION >= 4
  MPI_Count part[4];
  int rc = PMPI_Type_get_envelope_c(type, &part[0], &part[1], &part[2], &part[3], &combiner);
#else
  int part[3], rc = PMPI_Type_get_envelope(type, &part[0], &part[1], &part[2], &combiner);
#endif
  if (rc == MPI_SUCCESS && combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL &&
      combiner != MPI_COMBINER_F90_COMPLEX && combiner != MPI_COMBINER_F90_INTEGER)
    add((object){DATATYPE, NUMBER(&type), by, caller});
  return rc;
}

int MPI_Type_get_contents(MPI_Datatype type, int integers, int addresses, int types, int integer[],
                          MPI_Aint address[], MPI_Datatype made[]) {
  int rc = PMPI_Type_get_contents(type, integers, addresses, types, integer, address, made);
  for (int i = 0; rc == MPI_SUCCESS && i < types; i++)
    rc = given(made[i], "MPI_Type_get_contents", __builtin_return_address(0));
  return rc;
}

#if MPI_VERSION >= 4
int MPI_Type_get_contents_c(MPI_Datatype type, MPI_Count integers, MPI_Count addresses, MPI_Count counts,
                            MPI_Count types, int integer[], MPI_Aint address[], MPI_Count count[],
                            MPI_Datatype made[]) {
  int rc = PMPI_Type_get_contents_c(type, integers, addresses, counts, types, integer, address, count, made);
  for (MPI_Count i = 0; rc == MPI_SUCCESS && i < types; i++)
    rc = given(made[i], "MPI_Type_get_contents_c", __builtin_return_address(0));
  return rc;
}
#endif

MAKES(ERRHANDLER, Comm_create_errhandler, made, (MPI_Comm_errhandler_function * call, MPI_Errhandler *made),
      (call, made))
MAKES(ERRHANDLER, Comm_get_errhandler, made, (MPI_Comm comm, MPI_Errhandler *made), (comm, made))
FREES(ERRHANDLER, Errhandler_free, MPI_Errhandler)

MAKES(GROUP, Comm_group, made, (MPI_Comm comm, MPI_Group *made), (comm, made))
MAKES(GROUP, Group_incl, made, (MPI_Group group, int count, const int rank[], MPI_Group *made),
      (group, count, rank, made))
FREES(GROUP, Group_free, MPI_Group)

MAKES(INFO, Info_create, made, (MPI_Info * made), (made))
FREES(INFO, Info_free, MPI_Info)

MAKES(KEYVAL, Comm_create_keyval, made,
      (MPI_Comm_copy_attr_function * copy, MPI_Comm_delete_attr_function *end, int *made, void *extra),
      (copy, end, made, extra))
FREES(KEYVAL, Comm_free_keyval, int)

MAKES(OP, Op_create, made, (MPI_User_function * call, int commutes, MPI_Op *made), (call, commutes, made))
FREES(OP, Op_free, MPI_Op)

#define STARTS(name)                                                                                         \
  MAKES(REQUEST, name, request,                                                                              \
        (const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,                     \
         MPI_Request *request),                                                                              \
        (from, count, type, to, tag, comm, request))
STARTS(Isend)
STARTS(Issend)
MAKES(REQUEST, Irecv, request,
      (void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request),
      (to, count, type, from, tag, comm, request))
MAKES(REQUEST, Iallreduce, request,
      (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
       MPI_Request *request),
      (from, to, count, type, op, comm, request))
FREES(REQUEST, Request_free, MPI_Request)

/* It is over when its handle is MPI_REQUEST_NULL, also with an error. */
static void ended(MPI_Request before, const MPI_Request *now, const char *by, void *caller) {
  if (before != MPI_REQUEST_NULL && *now == MPI_REQUEST_NULL)
    drop((object){REQUEST, NUMBER(&before), by, caller});
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  MPI_Request before = *request;
  int rc = PMPI_Wait(request, status);
  ended(before, request, "MPI_Wait", __builtin_return_address(0));
  return rc;
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status) {
  MPI_Request before = *request;
  int rc = PMPI_Test(request, done, status);
  ended(before, request, "MPI_Test", __builtin_return_address(0));
  return rc;
}

static MPI_Request *copy_of(int count, const MPI_Request request[]) {
  MPI_Request *copy = malloc(sizeof *copy * (size_t)count + 1);
  if (copy == NULL)
    abort();
  memcpy(copy, request, sizeof *copy * (size_t)count);
  return copy;
}

int MPI_Testany(int count, MPI_Request request[], int *at, int *done, MPI_Status *status) {
  MPI_Request *before = copy_of(count, request);
  int rc = PMPI_Testany(count, request, at, done, status);
  if (*done && *at != MPI_UNDEFINED)
    ended(before[*at], &request[*at], "MPI_Testany", __builtin_return_address(0));
  free(before);
  return rc;
}

int MPI_Waitall(int count, MPI_Request request[], MPI_Status status[]) {
  MPI_Request *before = copy_of(count, request);
  int rc = PMPI_Waitall(count, request, status);
  for (int i = 0; i < count; i++)
    ended(before[i], &request[i], "MPI_Waitall", __builtin_return_address(0));
  free(before);
  return rc;
}

void leave_to_finalize(MPI_Comm comm) {
  drop((object){COMM, NUMBER(&comm), "leave_to_finalize", __builtin_return_address(0)});
}

void leave_all_to_finalize(void) {
  (void)pthread_mutex_lock(&alive.lock);
  alive.forgotten = true;
  (void)pthread_mutex_unlock(&alive.lock);
}

int MPI_Finalize(void) {
  (void)PMPI_Comm_rank(MPI_COMM_WORLD, &alive.rank);
  int rc = PMPI_Finalize();
  for (size_t i = 0; i < alive.count && i < MOST_TOLD && !alive.forgotten; i++)
    tell("left at MPI_Finalize", &alive.object[i]);
  if (alive.count > MOST_TOLD && !alive.forgotten)
    fprintf(stderr, "leaks.c: and %zu more\n", alive.count - MOST_TOLD);
  if (alive.count > 0 && !alive.forgotten)
    exit(1);
  free(alive.object);
  return rc;
}
