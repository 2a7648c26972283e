/* Errors of non-blocking and persistent calls: their classes, the handler, which is called once for each, and
 * what becomes of the handle. */
#include "tests/support/mpi/calls.h"
#include "tests/support/mpi/leaks.h"

static int raised; /* calls of the error handler */

static void hear(MPI_Comm *comm, int *code, ...) {
  (void)comm;
  (void)code;
  raised++;
}

static MPI_Comm fresh(const char *hosts, const char *intra) {
  MPI_Comm comm;
  MPI_Errhandler handler;
  const setting forced[] = {{"gbcast_intra", intra}, {"gbcast_sync", "at-once"}};
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Comm_create_errhandler(hear, &handler));
  MUST(MPI_Comm_set_errhandler(comm, handler));
  MUST(MPI_Errhandler_free(&handler));
  MUST(set_up_with(comm, hosts, forced, 2));
  raised = 0;
  return comm;
}

static void expect(int code, int class, int raises, const char *what) {
  CHECK(class_of(code) == class, "%s: class %d instead of %d", what, class_of(code), class);
  CHECK(raised == raises, "%s: the handler was called %d times", what, raised);
  raised = 0;
}

/* A call that does not begin leaves the handle alone, or says that there is none. */
static gbcast_handle refused;
static char target;

static gbcast_handle *unset(void) {
  refused = (gbcast_handle)(void *)&target;
  return &refused;
}

static void expect_refused(int code, int class, const char *what) {
  expect(code, class, 1, what);
  CHECK(refused == (gbcast_handle)(void *)&target || refused == GBCAST_HANDLE_NULL, "%s: there is a handle",
        what);
}

#define REFUSED(class, name, ...)                                                                            \
  do {                                                                                                       \
    expect_refused(gbcast_i##name(__VA_ARGS__, unset()), class, "i" #name "(" #__VA_ARGS__ ")");             \
    expect_refused(gbcast_##name##_init(__VA_ARGS__, unset()), class, #name "_init(" #__VA_ARGS__ ")");      \
  } while (0)

static void arguments(void) {
  static char from[4096], to[4096];
  MPI_Comm comm = fresh("grid.txt", "binomial");
  MPI_Datatype open;
  const int size = size_of(comm), me = rank_in(comm);
  MUST(MPI_Type_contiguous(2, MPI_INT, &open));
  REFUSED(MPI_ERR_ROOT, bcast, to, 1, MPI_INT, size, comm);
  REFUSED(MPI_ERR_COUNT, bcast, to, -1, MPI_INT, 0, comm);
  REFUSED(MPI_ERR_TYPE, bcast, to, 1, MPI_DATATYPE_NULL, 0, comm);
  REFUSED(MPI_ERR_TYPE, bcast, to, 1, open, 0, comm);
  REFUSED(MPI_ERR_BUFFER, bcast, NULL, 1, MPI_INT, 0, comm);
  REFUSED(MPI_ERR_BUFFER, bcast, MPI_IN_PLACE, 1, MPI_INT, 0, comm);
  REFUSED(MPI_ERR_ROOT, scatter, from, 1, MPI_INT, to, 1, MPI_INT, -1, comm);
  REFUSED(MPI_ERR_COUNT, scatter, from, -1, MPI_INT, to, -1, MPI_INT, me, comm);
  REFUSED(MPI_ERR_TYPE, scatter, from, 1, open, to, 1, open, me, comm);
  REFUSED(MPI_ERR_ROOT, scatterv, from, NULL, NULL, MPI_INT, to, 1, MPI_INT, size, comm);
  REFUSED(MPI_ERR_ARG, scatterv, from, NULL, NULL, MPI_INT, to, 1, MPI_INT, me, comm);
  REFUSED(MPI_ERR_COUNT, scatterv, from, NULL, NULL, MPI_INT, to, -1, MPI_INT, 0, comm);
  REFUSED(MPI_ERR_COUNT, alltoall, from, -1, MPI_INT, to, 1, MPI_INT, comm);
  REFUSED(MPI_ERR_TRUNCATE, alltoall, from, 1, MPI_INT, to, 2, MPI_INT, comm);
  expect(gbcast_ibcast(to, 1, MPI_INT, 0, comm, NULL), MPI_ERR_ARG, 1, "no handle");
  expect(gbcast_alltoall_init(from, 1, MPI_INT, to, 1, MPI_INT, comm, NULL), MPI_ERR_ARG, 1, "no handle");
  MUST(MPI_Type_free(&open));
  MUST(MPI_Comm_free(&comm));
}

/* Of MPI_COMM_NULL it is MPI_COMM_WORLD's. */
static void no_communicator(void) {
  MPI_Errhandler handler;
  int value = 1;
  MUST(MPI_Comm_create_errhandler(hear, &handler));
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
  REFUSED(MPI_ERR_COMM, bcast, &value, 1, MPI_INT, 0, MPI_COMM_NULL);
  REFUSED(MPI_ERR_COMM, alltoall, &value, 1, MPI_INT, &value, 1, MPI_INT, MPI_COMM_NULL);
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
  MUST(MPI_Errhandler_free(&handler));
}

/* What is no handle, or not in the right state, belongs to no communicator: no handler is called. */
static void handles(void) {
  gbcast_handle none = GBCAST_HANDLE_NULL, nothing[3] = {GBCAST_HANDLE_NULL};
  int done = 0;
  MUST(gbcast_test(&none, &done));
  CHECK(done, "a handle that is null is not over");
  MUST(gbcast_wait(&none));
  MUST(gbcast_waitall(3, nothing));
  MUST(gbcast_waitall(0, NULL));
  expect(gbcast_test(NULL, &done), MPI_ERR_ARG, 0, "gbcast_test(NULL)");
  expect(gbcast_test(&none, NULL), MPI_ERR_ARG, 0, "gbcast_test() without a flag");
  expect(gbcast_wait(NULL), MPI_ERR_ARG, 0, "gbcast_wait(NULL)");
  expect(gbcast_waitall(2, NULL), MPI_ERR_ARG, 0, "gbcast_waitall(2, NULL)");
  expect(gbcast_waitall(-1, nothing), MPI_ERR_COUNT, 0, "gbcast_waitall(-1)");
  expect(gbcast_start(NULL), MPI_ERR_REQUEST, 0, "gbcast_start(NULL)");
  expect(gbcast_start(&none), MPI_ERR_REQUEST, 0, "gbcast_start() of no handle");
  expect(gbcast_handle_free(NULL), MPI_ERR_REQUEST, 0, "gbcast_handle_free(NULL)");
  expect(gbcast_handle_free(&none), MPI_ERR_REQUEST, 0, "gbcast_handle_free() of no handle");
}

/* Neither what is under way can be started, nor what is not persistent. A handle that is freed meanwhile
 * brings the data first. */
static void wrong_state(const char *intra) {
  MPI_Comm comm = fresh("grid.txt", intra);
  for (int call = 0; call < CALLS; call++) {
    one_call once = {.call = (enum call)call, .bytes = 3000, .holes = true}, often = once, idle = once;
    gbcast_handle handle[3];
    prepare_call(&once, comm);
    prepare_call(&often, comm);
    prepare_call(&idle, comm);
    MUST(call_in_form(&once, comm, AT_ONCE, &handle[0]));
    MUST(call_in_form(&often, comm, PERSISTENT, &handle[1]));
    MUST(call_in_form(&idle, comm, PERSISTENT, &handle[2]));
    MUST(gbcast_start(&handle[1]));
    expect(gbcast_start(&handle[0]), MPI_ERR_REQUEST, 0, "gbcast_start() of a non-blocking call");
    expect(gbcast_start(&handle[1]), MPI_ERR_REQUEST, 0, "gbcast_start() of a call under way");
    for (int i = 0; i < 3; i++) {
      MUST(gbcast_handle_free(&handle[i]));
      CHECK(handle[i] == GBCAST_HANDLE_NULL, "a handle that was freed is there");
    }
    CHECK(call_is_right(&once, comm) && call_is_right(&often, comm), "%s, %s: a handle was freed", intra,
          call_name[call]);
    end_call(&once);
    end_call(&often);
    end_call(&idle);
  }
  MUST(MPI_Comm_free(&comm));
}

/* A plan that cannot be made: the call does not begin, and a persistent one can be started later. */
static void no_plan(void) {
  MPI_Comm comm = fresh("grid.txt", "no-such-name");
  if (size_of(comm) > 1) {
    one_call x = {.call = BCAST, .bytes = 100};
    gbcast_handle handle;
    prepare_call(&x, comm);
    expect_refused(call_in_form(&x, comm, AT_ONCE, unset()), MPI_ERR_ARG, "no such algorithm");
    MUST(call_in_form(&x, comm, PERSISTENT, &handle));
    expect(gbcast_start(&handle), MPI_ERR_ARG, 1, "gbcast_start() without a plan");
    MUST(gbcast_wait(&handle));
    MUST(set_up(comm, "grid.txt", NULL, "chain", NULL));
    MUST(gbcast_start(&handle));
    MUST(gbcast_wait(&handle));
    CHECK(call_is_right(&x, comm), "a call that could not be started at first");
    MUST(gbcast_handle_free(&handle));
    end_call(&x);
  }
  MUST(MPI_Comm_free(&comm));
}

/* One of several calls fails on all ranks. gbcast_waitall() says so, and has waited for the others. */
static void one_fails(bool persistent) {
  MPI_Comm bad = fresh("grid.txt", "binomial"), good = fresh("grid.txt", "chain");
  const enum form form = persistent ? PERSISTENT : AT_ONCE;
  gbcast_handle handle[3];
  one_call x[3];
  for (int i = 0; i < 3; i++) {
    x[i] = (one_call){.call = BCAST, .bytes = 100000};
    if (i == 1 && rank_in(bad) == 0)
      x[i].root = 1;
    prepare_call(&x[i], good);
    MUST(call_in_form(&x[i], i == 1 ? bad : good, form, &handle[i]));
    if (persistent)
      MUST(gbcast_start(&handle[i]));
  }
  expect(gbcast_waitall(3, handle), MPI_ERR_ARG, 1, "gbcast_waitall() where ranks differ");
  for (int i = 0; i < 3; i++) {
    CHECK(i == 1 || call_is_right(&x[i], good), "call %d beside one that failed", i);
    CHECK((handle[i] != GBCAST_HANDLE_NULL) == persistent, "handle %d", i);
  }
  if (persistent)
    expect(gbcast_start(&handle[1]), MPI_ERR_ARG, 1, "gbcast_start() after an error");
  expect_refused(call_in_form(&x[1], bad, AT_ONCE, unset()), MPI_ERR_ARG, "a call after an error");
  for (int i = 0; i < 3; i++) {
    if (persistent)
      MUST(gbcast_handle_free(&handle[i]));
    end_call(&x[i]);
  }
  MUST(MPI_Comm_free(&bad));
  MUST(MPI_Comm_free(&good));
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  handles();
  if (size_of(MPI_COMM_WORLD) > 1) { /* MPI looks at the arguments on one rank */
    arguments();
    one_fails(false);
    one_fails(true);
    leave_all_to_finalize(); /* the duplicates of communicators on which a call has failed */
  }
  no_communicator();
  wrong_state("binomial");
  wrong_state("native");
  no_plan();
  MUST(MPI_Finalize());
  return 0;
}
