/* Every MPI function that the library calls fails, in each of its calls, on one rank after the other. That
 * rank gets the error of it, with the error handler called, and so does its every later call on the
 * communicator; unless nothing had begun, when the same call can be made again. No rank takes wrong data for
 * right.
 *
 * test_failures SCENE [RANK]: some calls of each function; on this rank, all. test_failures first|late:
 * special cases. test_failures SCENE RANK FUNCTION NUMBER: one call, with MPI's default error handler. */
#include "tests/support/mpi/failing.h"
#include "tests/support/mpi/leaks.h"

static unsigned failures; /* so far */

/* A communicator that is set up, on which a function fails on the victim in its call number `at`, counted
 * from the set-up on. */
static int begin_run(const scene *s, MPI_Errhandler handler, int victim, int function, unsigned at,
                     MPI_Comm *comm) {
  now.is_victim = rank_in(MPI_COMM_WORLD) == victim;
  now.errors = now.handled = now.step = 0;
  (void)snprintf(now.what, sizeof now.what, "%s: call %u of %s fails on rank %d", s->name, at,
                 inject_name(function), victim);
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  atomic_store(&shared->stop, 0);
  atomic_store(&shared->failed, 0);
  atomic_store(&shared->handled, 0);
  atomic_store(&shared->step, 0);
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, comm));
  MUST(MPI_Comm_set_errhandler(*comm, handler));
  inject.user = *comm;
  (void)alarm(LIMIT);
  inject_arm(now.is_victim ? function : -1, at);
  return set_up_scene(s, *comm);
}

/* After an error that stays, or all calls. Frees the communicator unless messages of a call that failed may
 * be left there. Whether a function has failed. */
static bool end_run(MPI_Comm *comm, int rc) {
  const gb_comm *c = gb_comm_known(*comm);
  if (now.is_victim && rc != MPI_SUCCESS)
    check_poison(*comm);
  if (now.is_victim && rc != MPI_SUCCESS)
    atomic_store(&shared->stop, 1);
  if (c != NULL && now.errors > 0)
    c->registry->duplicates = 0; /* the old one stays, and there may be 64 */
  if (now.errors == 0)
    MUST(inject_comm_free(comm));
  if (inject.failed)
    atomic_store(&shared->failed, 1);
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  (void)alarm(0);
  const bool failed = atomic_load(&shared->failed) != 0;
  CHECK(failed || now.errors == 0, "%s: an error without any", now.what);
  failures += failed;
  return failed;
}

static bool run(const scene *s, MPI_Errhandler handler, int victim, int function, unsigned at) {
  MPI_Comm comm;
  int rc = begin_run(s, handler, victim, function, at, &comm);
  rc = make_all(rc, comm);
  return end_run(&comm, rc);
}

static void sweep(const scene *s, MPI_Errhandler handler, int victim, bool all) {
  unsigned calls[INJECT_FUNCTIONS];
  (void)run(s, handler, victim, -1, 0);
  memcpy(calls, inject.calls, sizeof calls);
  MUST(MPI_Bcast(calls, INJECT_FUNCTIONS, MPI_UNSIGNED, victim, MPI_COMM_WORLD));
  for (int function = 0; function < INJECT_FUNCTIONS; function++) {
    const bool polls = inject_polls(function);
    for (unsigned at = 1; at <= calls[function]; at += all && !polls ? 1 : at)
      if (!run(s, handler, victim, function, at))
        break;
  }
}

/* What is made once in a process: the keyval and the list of communicators. Where it fails, the next call
 * makes it. */
static void first_call(MPI_Errhandler handler) {
  static const int functions[] = {AT_MPI_Comm_create_keyval, AT_MPI_Comm_split, AT_MPI_Comm_set_errhandler,
                                  AT_MPI_Comm_set_attr, AT_MPI_Comm_get_attr};
  MPI_Comm comm;
  int rc;
  MUST(MPI_Comm_dup(MPI_COMM_SELF, &comm));
  MUST(MPI_Comm_set_errhandler(comm, handler));
  now.is_victim = true;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    (void)snprintf(now.what, sizeof now.what, "the first call: %s fails", inject_name(functions[i]));
    now.errors = now.handled = 0;
    inject_arm(functions[i], 1);
    CALL(rc, gbcast_setup(comm, NULL, MPI_INFO_NULL));
    CHECK(rc != MPI_SUCCESS, "%s: it succeeds", now.what);
    failures++;
  }
  inject_arm(-1, 0);
  CALL(rc, gbcast_setup(comm, NULL, MPI_INFO_NULL));
  MUST(inject_comm_free(&comm));
}

/* The error handler is called before anything is waited for: what the victim has sent is received only then.
 */
static void late_receivers(MPI_Errhandler handler, int victim) {
  enum { BYTES = 1 << 20 };
  static unsigned char data[BYTES];
  static const scene s = {"late", "grid-flat.txt", "flat", "at-once", "256k", NULL, NULL};
  MPI_Comm comm;
  int rc = begin_run(&s, handler, victim, -1, 0, &comm);
  (void)snprintf(now.what, sizeof now.what, "receivers that are late");
  CALL(rc, gbcast(data, 10, victim, comm));
  while (!now.is_victim && !atomic_load(&shared->handled))
    (void)sched_yield();
  inject_arm(now.is_victim ? AT_MPI_Isend : -1, 2);
  CALL(rc, gbcast(data, BYTES, victim, comm));
  (void)end_run(&comm, rc);
  CHECK(!now.is_victim || rc != MPI_SUCCESS, "%s: no error", now.what);
}

/* With MPI's default error handler the call that fails does not return. */
static void run_to_the_end(const scene *s, int victim, const char *function, const char *at) {
  int number = 0;
  while (strcmp(inject_name(number), function) != 0)
    number++;
  CHECK(!run(s, MPI_ERRORS_ARE_FATAL, victim, number, (unsigned)atoi(at)), "%s: the job goes on", now.what);
}

static void share_memory(MPI_Win *window) {
  MPI_Aint size;
  int unit;
  void *own;
  MUST(MPI_Win_allocate_shared(rank_in(MPI_COMM_WORLD) == 0 ? sizeof *shared : 0, 1, MPI_INFO_NULL,
                               MPI_COMM_WORLD, &own, window));
  MUST(MPI_Win_shared_query(*window, 0, &size, &unit, (void *)&shared));
  inject.stop = &shared->stop;
}

int main(int argc, char **argv) {
  MPI_Errhandler handler;
  MPI_Win window;
  MUST(MPI_Init(&argc, &argv));
  const int size = size_of(MPI_COMM_WORLD);
  (void)signal(SIGALRM, on_alarm);
  /* what fails without a communicator calls no handler here: the library does */
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
  MUST(MPI_Comm_create_errhandler(on_error, &handler));
  share_memory(&window);
  const char *name = argc > 1 ? argv[1] : "";
  if (strcmp(name, "first") == 0)
    first_call(handler);
  for (int victim = 0; victim<size; victim += argc> 2 ? 1 : size - 1) {
    if (strcmp(name, "late") == 0)
      late_receivers(handler, victim);
    for (int i = 0; i < SCENES; i++)
      if (strcmp(name, scenes[i].name) != 0 || (argc > 2 && atoi(argv[2]) != victim))
        continue;
      else if (argc == 5)
        run_to_the_end(&scenes[i], victim, argv[3], argv[4]);
      else
        sweep(&scenes[i], handler, victim, argc > 2);
  }
  MUST(MPI_Win_free(&window));
  CHECK(failures > 0, "no failures: %s", name);
  if (rank_in(MPI_COMM_WORLD) == 0)
    printf("%u failures\n", failures);
  leave_all_to_finalize();
  MUST(MPI_Errhandler_free(&handler));
  MUST(MPI_Finalize());
  return 0;
}
