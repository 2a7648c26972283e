/* Error handlers and attributes are the program's own: a communicator's handler is never replaced, not even
 * while it is set up, one error calls it once, and the library makes no copy of an attribute. */
#include "tests/support/mpi/calls.h"
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { WORKERS = 2 };

typedef struct worker {
  pthread_t thread;
  MPI_Comm base, comm; /* comm: MPI_COMM_NULL while it is not to be looked at */
  pthread_mutex_t lock;
} worker;

static MPI_Errhandler handler;
static int key;
static atomic_int replaced, copied, on_world;
static atomic_bool over;
static _Thread_local MPI_Comm mine; /* this thread's communicator, */
static _Thread_local int raised;    /* and how often its handler has been called */
static _Thread_local int to_fail;   /* calls of MPI's own collectives until one fails, itself counted; or 0 */

/* In MPI's place, for the library alone: the test calls PMPI's. */
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler to) {
  if (comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF || comm == mine)
    atomic_fetch_add(&replaced, 1);
  return PMPI_Comm_set_errhandler(comm, to);
}

static void on_error(MPI_Comm *comm, int *code, ...) {
  (void)code;
  if (*comm == mine)
    raised++;
  else
    atomic_fetch_add(&on_world, 1);
}

static int on_copy(MPI_Comm comm, int which, void *extra, void *value, void *copy, int *kept) {
  (void)comm;
  (void)which;
  (void)extra;
  (void)value;
  (void)copy;
  *kept = 0;
  atomic_fetch_add(&copied, 1);
  return MPI_SUCCESS;
}

/* As MPI's collectives fail: they call the handler themselves. */
static int own_error(MPI_Comm comm, int code) {
  if (to_fail == 0 || --to_fail > 0)
    return code;
  (void)PMPI_Comm_call_errhandler(comm, MPI_ERR_INTERN);
  return MPI_ERR_INTERN;
}

/* It is linked with --wrap for each. */
#define FAILING(name, parameters, arguments)                                                                 \
  int __real_##name parameters;                                                                              \
  int __wrap_##name parameters;                                                                              \
  int __wrap_##name parameters {                                                                             \
    return own_error(comm, __real_##name arguments);                                                         \
  }
/* Where one fails, it does not begin. */
#define FAILING_AT_ONCE(name, parameters, arguments)                                                         \
  int __real_##name parameters;                                                                              \
  int __wrap_##name parameters;                                                                              \
  int __wrap_##name parameters {                                                                             \
    const int rc = own_error(comm, MPI_SUCCESS);                                                             \
    return rc == MPI_SUCCESS ? __real_##name arguments : rc;                                                 \
  }
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
FAILING(PMPI_Bcast, (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
        (buffer, count, type, root, comm))
FAILING(PMPI_Scatter,
        (const void *from, int count, MPI_Datatype type, void *to, int room, MPI_Datatype as, int root,
         MPI_Comm comm),
        (from, count, type, to, room, as, root, comm))
FAILING(PMPI_Alltoall,
        (const void *from, int count, MPI_Datatype type, void *to, int room, MPI_Datatype as, MPI_Comm comm),
        (from, count, type, to, room, as, comm))
#if MPI_VERSION >= 4
FAILING(PMPI_Scatterv_c,
        (const void *from, const MPI_Count count[], const MPI_Aint place[], MPI_Datatype type, void *to,
         MPI_Count room, MPI_Datatype as, int root, MPI_Comm comm),
        (from, count, place, type, to, room, as, root, comm))
#else /* where a planned communicator has none of MPI's own */
FAILING(PMPI_Scatterv,
        (const void *from, const int count[], const int place[], MPI_Datatype type, void *to, int room,
         MPI_Datatype as, int root, MPI_Comm comm),
        (from, count, place, type, to, room, as, root, comm))
#endif
FAILING_AT_ONCE(PMPI_Ibcast,
                (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),
                (buffer, count, type, root, comm, request))
FAILING_AT_ONCE(PMPI_Iscatter,
                (const void *from, int count, MPI_Datatype type, void *to, int room, MPI_Datatype as,
                 int root, MPI_Comm comm, MPI_Request *request),
                (from, count, type, to, room, as, root, comm, request))
FAILING_AT_ONCE(PMPI_Ialltoall,
                (const void *from, int count, MPI_Datatype type, void *to, int room, MPI_Datatype as,
                 MPI_Comm comm, MPI_Request *request),
                (from, count, type, to, room, as, comm, request))
#if MPI_VERSION >= 4
FAILING_AT_ONCE(PMPI_Iscatterv_c,
                (const void *from, const MPI_Count count[], const MPI_Aint place[], MPI_Datatype type,
                 void *to, MPI_Count room, MPI_Datatype as, int root, MPI_Comm comm, MPI_Request *request),
                (from, count, place, type, to, room, as, root, comm, request))
#endif
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

/* A communicator that nothing is known about, with a handler and an attribute. */
static void open_comm(worker *w) {
  MPI_Comm comm;
  MUST(MPI_Comm_split(w->base, 0, rank_in(w->base), &comm));
  MUST(PMPI_Comm_set_errhandler(comm, handler));
  MUST(MPI_Comm_set_attr(comm, key, NULL));
  mine = comm;
  CHECK(pthread_mutex_lock(&w->lock) == 0, "no lock");
  w->comm = comm;
  (void)pthread_mutex_unlock(&w->lock);
}

static void close_comm(worker *w) {
  CHECK(pthread_mutex_lock(&w->lock) == 0, "no lock");
  w->comm = MPI_COMM_NULL;
  (void)pthread_mutex_unlock(&w->lock);
  MUST(MPI_Comm_free(&mine));
  mine = MPI_COMM_NULL;
}

/* The handler is called once where there is an error, and else never. */
static void check_raised(const char *what, int code, int class) {
  CHECK(class_of(code) == class, "%s: class %d instead of %d", what, class_of(code), class);
  CHECK(raised == (class != MPI_SUCCESS), "%s: class %d, and the handler was called %d times", what, class,
        raised);
  raised = 0;
}

/* MPI's own collective, number `nth` of those that a call makes, fails on all ranks. */
static void check_call(enum call call, int nth) {
  one_call x = {.call = call, .bytes = 3000, .root = 1};
  prepare_call(&x, mine);
  to_fail = nth;
  const int code = make_call(&x, mine);
  const bool failed = nth > 0 && to_fail == 0;
  to_fail = 0;
  CHECK(failed == (nth > 0 && (call != SCATTERV || MPI_VERSION >= 4)), "%s: failed %d", call_name[call],
        failed);
  check_raised(call_name[call], code, failed ? MPI_ERR_INTERN : MPI_SUCCESS);
  CHECK(failed || call_is_right(&x, mine), "%s: wrong bytes", call_name[call]);
  end_call(&x);
}

static void check_arguments(void) {
  static char from[4096], to[4096];
  MPI_Datatype open;
  MUST(MPI_Type_contiguous(2, MPI_INT, &open));
  check_raised("no such root", gbcast_bcast(to, 1, MPI_INT, 77, mine), MPI_ERR_ROOT);
  check_raised("a broadcast of -1", gbcast_bcast(to, -1, MPI_INT, 0, mine), MPI_ERR_COUNT);
  check_raised("no type", gbcast_bcast(to, 1, MPI_DATATYPE_NULL, 0, mine), MPI_ERR_TYPE);
  check_raised("a type that is not committed", gbcast_bcast(to, 1, open, 0, mine), MPI_ERR_TYPE);
  check_raised("a scatter to -1", gbcast_scatter(from, 1, MPI_INT, to, -1, MPI_INT, 0, mine), MPI_ERR_COUNT);
  check_raised("a scatterv to -1", gbcast_scatterv(from, NULL, NULL, MPI_INT, to, -1, MPI_INT, 0, mine),
               MPI_ERR_COUNT);
  check_raised("an all-to-all of -1", gbcast_alltoall(from, -1, MPI_INT, to, 1, MPI_INT, mine),
               MPI_ERR_COUNT);
  MUST(MPI_Type_free(&open));
}

static void check_settings(const char *intra, const char *check) {
  const setting forced[] = {{"gbcast_intra", intra},
                            {"gbcast_sync", strcmp(intra, "native") == 0 ? intra : "at-once"},
                            {"gbcast_check", check}};
  const int own = strcmp(intra, "native") != 0 ? 0 : check != NULL ? 2 : 1;
  for (int call = 0; call < FIRST_CALLS; call++)
    for (int nth = 0; nth <= own; nth++) {
      /* anew, as calls fail after one that has failed */
      MUST(set_up_with(mine, "grid-flat.txt", forced, sizeof forced / sizeof *forced));
      check_call((enum call)call, nth);
    }
  MUST(gbcast_refresh(mine));
  check_arguments();
}

static void *work(void *argument) {
  static const char *const intra[] = {"native", "binomial"};
  worker *w = argument;
  for (int i = 0; i < 8; i++) {
    open_comm(w);
    if (i % 4 == 0)
      check_arguments();
    if (i % 2 == 0)
      for (int call = 0; call < FIRST_CALLS; call++) /* as the library chooses */
        check_call((enum call)call, 0);
    check_settings(intra[i % 2], i % 4 < 2 ? NULL : "1");
    close_comm(w);
  }
  return NULL;
}

static void look(MPI_Comm comm) {
  MPI_Errhandler now;
  MUST(PMPI_Comm_get_errhandler(comm, &now));
  CHECK(now == handler, "a communicator has another error handler for a while");
  MUST(PMPI_Errhandler_free(&now));
}

/* Looks at the handlers all the time. */
static void *watch(void *argument) {
  worker *w = argument;
  while (!atomic_load(&over)) {
    for (int t = 0; t < WORKERS; t++) {
      CHECK(pthread_mutex_lock(&w[t].lock) == 0, "no lock");
      if (w[t].comm != MPI_COMM_NULL)
        look(w[t].comm);
      (void)pthread_mutex_unlock(&w[t].lock);
    }
    look(MPI_COMM_WORLD);
    (void)nanosleep(&(struct timespec){0, 100000}, NULL);
  }
  return NULL;
}

int main(int argc, char **argv) {
  static worker all[WORKERS];
  int level;
  pthread_t watcher;
  MUST(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
  MUST(MPI_Comm_create_errhandler(on_error, &handler));
  MUST(PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
  MUST(MPI_Comm_create_keyval(on_copy, MPI_COMM_NULL_DELETE_FN, &key, NULL));
  MUST(MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL));
  MUST(MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL));
  for (int t = 0; t < WORKERS; t++) {
    all[t].comm = MPI_COMM_NULL;
    CHECK(pthread_mutex_init(&all[t].lock, NULL) == 0, "no lock");
    MUST(MPI_Comm_split(MPI_COMM_WORLD, 0, rank_in(MPI_COMM_WORLD), &all[t].base));
  }
  if (level == MPI_THREAD_MULTIPLE) {
    CHECK(pthread_create(&watcher, NULL, watch, all) == 0, "no thread");
    for (int t = 0; t < WORKERS; t++)
      CHECK(pthread_create(&all[t].thread, NULL, work, &all[t]) == 0, "no thread");
    for (int t = 0; t < WORKERS; t++)
      CHECK(pthread_join(all[t].thread, NULL) == 0, "a thread is lost");
    atomic_store(&over, true);
    CHECK(pthread_join(watcher, NULL) == 0, "a thread is lost");
  } else {
    (void)work(&all[0]);
  }
  CHECK(atomic_load(&replaced) == 0, "the library has set an error handler %d times", atomic_load(&replaced));
  CHECK(atomic_load(&copied) == 0, "the library has copied attributes %d times", atomic_load(&copied));
  CHECK(atomic_load(&on_world) == 0, "MPI_COMM_WORLD's handler was called %d times", atomic_load(&on_world));
  for (int t = 0; t < WORKERS; t++) {
    MUST(MPI_Comm_free(&all[t].base));
    (void)pthread_mutex_destroy(&all[t].lock);
  }
  MUST(PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
  MUST(MPI_Errhandler_free(&handler));
  MUST(MPI_Comm_delete_attr(MPI_COMM_SELF, key));
  MUST(MPI_Comm_delete_attr(MPI_COMM_WORLD, key));
  MUST(MPI_Comm_free_keyval(&key));
  MUST(MPI_Finalize());
  return 0;
}
