/* Errors: their classes, the handler, and what becomes of the communicator. */
#include "mpi/comm/comm.h"
#include "tests/support/mpi/check.h"
#include "tests/support/mpi/leaks.h"

static MPI_Comm fresh(void) {
  MPI_Comm comm;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  return comm;
}

static void expect(int code, int wanted, const char *what) {
  int class = code;
  if (code != MPI_SUCCESS)
    MUST(MPI_Error_class(code, &class));
  CHECK(class == wanted, "%s: class %d, expected %d", what, class, wanted);
}

static void arguments(void) {
  MPI_Comm comm = fresh();
  int value = 1, size = size_of(comm);
  MUST(set_up(comm, "grid.txt", NULL, NULL, NULL));
  expect(gbcast(&value, 4, size, comm), MPI_ERR_ROOT, "root too large");
  expect(gbcast(&value, 4, -1, comm), MPI_ERR_ROOT, "root below zero");
  expect(gbcast(NULL, 4, 0, comm), MPI_ERR_BUFFER, "no buffer");
  expect(gbcast(NULL, 0, 0, comm), MPI_SUCCESS, "no buffer for no bytes");
  expect(gbcast_bcast(&value, -1, MPI_INT, 0, comm), MPI_ERR_COUNT, "count below zero");
  expect(gbcast_bcast(&value, 1, MPI_DATATYPE_NULL, 0, comm), MPI_ERR_TYPE, "no type");
  expect(gbcast_bcast(&value, 0, MPI_DATATYPE_NULL, 0, comm), MPI_ERR_TYPE, "no type for no data");
  expect(gbcast_bcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm), MPI_ERR_BUFFER, "broadcast in place");
  expect(gbcast_scatter(NULL, 1, MPI_INT, NULL, 1, MPI_INT, 0, comm), MPI_ERR_BUFFER,
         "scatter without buffers");
  expect(gbcast_scatter(&value, 1, MPI_INT, &value, 1, MPI_INT, size, comm), MPI_ERR_ROOT, "scatter, root");
  expect(gbcast_scatterv(NULL, NULL, NULL, MPI_INT, &value, 1, MPI_INT, size, comm), MPI_ERR_ROOT,
         "scatterv, root");
  expect(gbcast(&value, 4, 0, comm), MPI_SUCCESS, "a call after errors");
  MUST(MPI_Comm_free(&comm));
}

static void hosts_files(void) {
  MPI_Comm comm = fresh();
  int value = 1;
  char path[1024];
  expect(set_up(comm, "platform-topology-bad.txt", NULL, NULL, NULL), MPI_ERR_ARG, "a file that is wrong");
  snprintf(path, sizeof path, "%s/platforms/grid-small.txt", GB_TEST_DATA);
  expect(gbcast_setup(comm, path, MPI_INFO_NULL), MPI_ERR_ARG, "names that no processor has");
  expect(gbcast_setup(comm, "/nowhere/hosts.txt", MPI_INFO_NULL), MPI_ERR_ARG, "no such file");
  expect(set_up(comm, "grid.txt", "no-such-name", NULL, NULL), MPI_SUCCESS, "a name is read when planning");
  expect(gbcast(&value, 4, 0, comm), MPI_ERR_ARG, "unknown algorithm");
  expect(set_up(comm, "grid.txt", NULL, NULL, "-3"), MPI_ERR_ARG, "segment below zero");
  expect(gbcast(&value, 4, 0, comm), MPI_SUCCESS, "after all that");
  MUST(MPI_Comm_free(&comm));
}

#ifndef GB_TEST_SMPI /* where a rank that waits for data looks at no collective */
/* What one rank does other than the rest, in the first use of a schedule. */
enum { BCAST, SCATTER, ALLTOALL };
typedef struct odd_call {
  const char *what;
  size_t n[2];  /* of the others, and of the odd one */
  int which[2]; /* operation */
  int root[2];
  bool other_plan; /* the odd one plans with other segments */
} odd_call;

static int call(const odd_call *o, bool odd, void *buffer, MPI_Comm comm) {
  const MPI_Count n = (MPI_Count)o->n[odd];
  const int root = o->root[odd];
  switch (o->which[odd]) {
  case SCATTER:
    return gbcast_scatter(buffer, n, MPI_BYTE, rank_in(comm) == root ? MPI_IN_PLACE : buffer, n, MPI_BYTE,
                          root, comm);
  case ALLTOALL:
    return gbcast_alltoall(MPI_IN_PLACE, n, MPI_BYTE, buffer, n, MPI_BYTE, comm);
  default:
    return gbcast(buffer, o->n[odd], root, comm);
  }
}

static gb_comm *prepare(MPI_Comm comm, const char *hosts, const char *intra, const char *sync, bool checked) {
  const setting forced[] = {/* so that nothing is MPI's own */
                            {"gbcast_intra", intra},
                            {"gbcast_segment", "4k"},
                            {"gbcast_sync", sync},
                            {"gbcast_check", checked ? "1" : NULL}};
  MUST(set_up_with(comm, hosts, forced, sizeof forced / sizeof *forced));
  gb_comm *known = gb_comm_known(comm);
  CHECK(known != NULL, "set up, but not known");
  return known;
}

/* A rank that waits for nobody may hear of it when it next waits, or uses a schedule for the first time.
 * After that every call returns the error, until all is made anew. */
static void stays_poisoned(MPI_Comm comm, int code, char *buffer) {
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  for (int i = 0; code == MPI_SUCCESS && i < 1000; i++)
    code = gbcast(buffer, 10, rank_in(comm), comm);
  expect(code, MPI_ERR_ARG, "a call that some rank makes differently, or the next one");
  for (int i = 0; i < 3; i++)
    expect(gbcast(buffer, 10, i % size_of(comm), comm), MPI_ERR_ARG, "a call after an error");
  MUST(gbcast_refresh(comm));
  gb_comm_known(comm)->registry->duplicates = 0; /* the old one stays, and there may be 64 */
  if (rank_in(comm) == 1)
    fill(buffer, 1000, 77);
  MUST(gbcast(buffer, 1000, 1, comm));
  CHECK(differs(buffer, 1000, 77) == 1000, "wrong bytes after gbcast_refresh()");
}

/* One rank calls differently: no rank takes the bytes of another call for its own, and all return an error.
 */
static void one_differs(const odd_call *o, const char *hosts, const char *intra, const char *sync,
                        int odd_one) {
  MPI_Comm comm = fresh();
  const int rank = rank_in(comm), size = size_of(comm);
  const size_t largest = o->n[0] > o->n[1] ? o->n[0] : o->n[1];
  char *buffer = calloc(largest * (size_t)size + 1000, 1);
  CHECK(buffer != NULL, "no memory");
  gb_comm *known = prepare(comm, hosts, intra, sync, false);
  if (o->other_plan && rank == odd_one)
    known->settings.segment = 5000;
  const int code = call(o, rank == odd_one, buffer, comm);
  if (code != MPI_SUCCESS)
    expect(code, MPI_ERR_ARG, o->what);
  stays_poisoned(comm, code, buffer);
  free(buffer);
  MUST(MPI_Comm_free(&comm));
}

static void calls_differ(void) {
  static const odd_call odd[] = {
      {"a byte less", {100, 99}, {BCAST, BCAST}, {0, 0}, false},
      {"a byte less of many", {300000, 299999}, {BCAST, BCAST}, {0, 0}, false},
      {"much more", {100, 300000}, {BCAST, BCAST}, {0, 0}, false},
      {"much less", {300000, 100}, {BCAST, BCAST}, {0, 0}, false},
      {"nothing", {100, 0}, {BCAST, BCAST}, {0, 0}, false},
      {"something", {0, 100}, {BCAST, BCAST}, {0, 0}, false},
      {"another root", {100, 100}, {BCAST, BCAST}, {0, 1}, false},
      {"another root, large", {300000, 300000}, {BCAST, BCAST}, {1, 0}, false},
      {"a smaller block", {3000, 2999}, {SCATTER, SCATTER}, {0, 0}, false},
      {"another root of blocks", {30000, 30000}, {SCATTER, SCATTER}, {1, 0}, false},
      {"another operation", {5000, 5000}, {BCAST, SCATTER}, {0, 0}, false},
      {"another operation, large", {90000, 90000}, {SCATTER, BCAST}, {0, 0}, false},
      {"a smaller all-to-all", {3000, 2999}, {ALLTOALL, ALLTOALL}, {0, 0}, false},
      {"a larger all-to-all", {100, 300000}, {ALLTOALL, ALLTOALL}, {0, 0}, false},
      {"not all to all", {50000, 50000}, {ALLTOALL, BCAST}, {0, 0}, false},
      {"all to all instead", {50000, 50000}, {BCAST, ALLTOALL}, {0, 0}, false},
      {"another plan", {300000, 300000}, {BCAST, BCAST}, {0, 0}, true},
      {"another plan, scatter", {30000, 30000}, {SCATTER, SCATTER}, {0, 0}, true},
  };
  const int size = size_of(MPI_COMM_WORLD), cases = (int)(sizeof odd / sizeof *odd);
  for (int i = 0; i < cases; i++)
    for (int one = 0; one < size; one += size / 3 + 1) {
      const bool all = odd[i].which[0] == ALLTOALL || odd[i].which[1] == ALLTOALL;
      one_differs(&odd[i], all ? "alltoall-nodes.txt" : "grid.txt", "binomial", "sender-all", one);
      one_differs(&odd[i], all ? "grid.txt" : "grid-mixed.txt", "flat", "at-once", one);
    }
}
/* With GBCAST_CHECK all of this is seen in later uses of a schedule, too. */
static void checked_calls_differ(void) {
  static const odd_call odd[] = {
      {"checked, a byte less", {1000, 999}, {BCAST, BCAST}, {0, 0}, false},
      {"checked, another root", {1000, 1000}, {BCAST, BCAST}, {0, 1}, false},
      {"checked, a smaller block", {3000, 2999}, {SCATTER, SCATTER}, {0, 0}, false},
      {"checked, a smaller all-to-all", {3000, 2999}, {ALLTOALL, ALLTOALL}, {0, 0}, false},
      {"checked, another operation", {3000, 3000}, {SCATTER, BCAST}, {0, 0}, false},
  };
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  char *buffer = calloc(3000 * (size_t)size + 1000, 1);
  CHECK(buffer != NULL, "no memory");
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    for (int one = 0; one < size; one += size - 1) {
      MPI_Comm comm = fresh();
      (void)prepare(comm, "grid.txt", "binomial", "at-once", true);
      for (int as = 0; as < 2; as++) /* all as the odd one, too, so that nothing is used for the first time */
        MUST(call(&odd[i], as == 1, buffer, comm));
      const int code = call(&odd[i], rank == one, buffer, comm);
      expect(code, MPI_ERR_ARG, odd[i].what);
      stays_poisoned(comm, code, buffer);
      MUST(MPI_Comm_free(&comm));
    }
  free(buffer);
}
#endif

static void handler(MPI_Comm *comm, int *code, ...) {
  int class;
  (void)MPI_Error_class(*code, &class);
  MPI_Comm_set_name(*comm, class == MPI_ERR_ROOT ? "root" : "other");
}

static void handler_is_called(void) {
  MPI_Comm comm = fresh();
  MPI_Errhandler mine;
  char name[MPI_MAX_OBJECT_NAME];
  int value = 1, length;
  MUST(set_up(comm, "grid.txt", NULL, NULL, NULL));
  MUST(MPI_Comm_create_errhandler(handler, &mine));
  MUST(MPI_Comm_set_errhandler(comm, mine));
  expect(gbcast(&value, 4, size_of(comm), comm), MPI_ERR_ROOT, "root too large, own handler");
  MUST(MPI_Comm_get_name(comm, name, &length));
  CHECK(strcmp(name, "root") == 0, "the handler was not called: the name is '%s'", name);
  MUST(MPI_Errhandler_free(&mine));
  MUST(MPI_Comm_free(&comm));
}

/* One rank, the root or not, has no room for its block. */
static void no_room(bool vector, const char *intra, int root, int small) {
#ifdef GB_TEST_SMPI /* as above */
  if (!vector && small != root)
    return;
#endif
  MPI_Comm comm = fresh();
  const int size = size_of(comm), rank = rank_in(comm);
  MPI_Count *count = allocate(sizeof *count * (size_t)size), room = rank == small ? 999 : 1000;
  MPI_Aint *place = allocate(sizeof *place * (size_t)size);
  for (int r = 0; r < size; r++) {
    count[r] = 1000;
    place[r] = 1000 * r;
  }
  char *send = allocate(1000 * (size_t)size), *receive = allocate(1000);
  fill(send, 1000 * (size_t)size, 3);
  receive[999] = 'x';
  MUST(set_up(comm, "grid.txt", NULL, intra, NULL));
  int code = vector ? gbcast_scatterv(send, count, place, MPI_BYTE, receive, room, MPI_BYTE, root, comm)
                    : gbcast_scatter(send, 1000, MPI_BYTE, receive, room, MPI_BYTE, root, comm);
  if (!vector && small != root && code != MPI_SUCCESS) /* all ranks know the size of a scatter's blocks */
    expect(code, MPI_ERR_ARG, "a rank has no room for a block");
  else if (!vector && small != root)
    CHECK(rank != small, "a rank that has no room for its block succeeds");
  else if (rank == small)
    expect(code, MPI_ERR_TRUNCATE, "no room for a block");
  else
    expect(code, MPI_SUCCESS, "another rank has no room for its block");
  CHECK(rank != small || receive[999] == 'x', "wrote outside");
  free(send);
  free(receive);
  free(count);
  free(place);
  MUST(MPI_Comm_free(&comm));
}

static void truncates(void) {
  const int last = size_of(MPI_COMM_WORLD) - 1;
  for (int vector = 0; vector < 2; vector++)
    for (int root = 0; root <= last; root += last) {
      no_room(vector == 1, "chain", root, last);
      no_room(vector == 1, "binomial", root, 0);
    }
}

/* Where own blocks differ, nothing is sent. */
static void uneven_alltoall(void) {
  const int size = size_of(MPI_COMM_WORLD);
  char *send = calloc((size_t)size, 1000), *receive = allocate(1000 * (size_t)size);
  CHECK(send != NULL, "no memory");
  MPI_Comm comm = fresh();
  MUST(set_up_with(comm, "grid-flat.txt", &(setting){"gbcast_sync", "at-once"}, 1));
  expect(gbcast_alltoall(send, 999, MPI_BYTE, receive, 1000, MPI_BYTE, comm), MPI_ERR_TRUNCATE,
         "an all-to-all that sends less than it receives");
  expect(gbcast_alltoall(send, 1000, MPI_BYTE, receive, 1000, MPI_BYTE, comm), MPI_SUCCESS, "after it");
  MUST(MPI_Comm_free(&comm));
  free(send);
  free(receive);
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  int size = size_of(MPI_COMM_WORLD);
  if (size > 1) {
    arguments();
    hosts_files();
    handler_is_called();
    truncates();
    uneven_alltoall();
#ifndef GB_TEST_SMPI /* where a rank that waits for data looks at no collective */
    calls_differ();
    checked_calls_differ();
#endif
    leave_all_to_finalize();
  }
  MUST(MPI_Finalize());
  return 0;
}
