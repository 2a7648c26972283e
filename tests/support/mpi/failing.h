/* Runs of all calls in which a function of MPI's fails on one rank, the victim. */
#ifndef GB_TESTS_SUPPORT_MPI_FAILING_H
#define GB_TESTS_SUPPORT_MPI_FAILING_H

#include <mpi.h>
#define MPI_Comm_rank PMPI_Comm_rank /* of the test itself, inside a call of the library's */
#include "mpi/comm/comm.h"
#include "tests/support/mpi/calls.h"
#include "tests/support/mpi/inject.h"
#include <sched.h>
#include <signal.h>

enum { LIMIT = 30 }; /* s, for what takes some milliseconds */

typedef struct scene {
  const char *name, *hosts, *intra, *sync, *segment, *check, *refresh;
} scene;

static const scene scenes[] = {
    {"trees", "grid-mixed.txt", "binomial", "sender-all", "4k", NULL, NULL},
    {"checked", "grid-flat.txt", "two-tree", "at-once", "4k", "1", NULL},
    {"own", "grid-flat.txt", "native", "native", "4k", NULL, NULL},
    {"own-checked", "grid-flat.txt", "native", "native", "4k", "1", NULL},
    {"refreshed", "grid-flat.txt", "chain", "at-once", "4k", NULL, "0.000001"},
    {"nodes", NULL, "chain", "at-once", "4k", NULL, NULL},
    {"implicit", NULL, NULL, NULL, NULL, NULL, NULL}, /* without a set-up */
};
enum { SCENES = sizeof scenes / sizeof *scenes };

typedef struct step {
  enum call call;
  enum form form;
  int root;
  bool holes;
  size_t bytes;
} step;

static const step steps[] = {
    {BCAST, BLOCKING, 0, false, 10000},   {BCAST, BLOCKING, 1, true, 9000},
    {SCATTER, BLOCKING, 0, true, 5000},   {SCATTERV, BLOCKING, 1, true, 3000},
    {ALLTOALL, BLOCKING, 0, true, 3000},  {BCAST, BLOCKING, 0, false, 90000},
    {BCAST, AT_ONCE, 0, true, 9000},      {SCATTER, AT_ONCE, 1, false, 6000},
    {ALLTOALL, AT_ONCE, 0, false, 700},   {SCATTERV, PERSISTENT, 0, true, 500},
    {GATHER, BLOCKING, 1, true, 5000},    {GATHERV, AT_ONCE, 0, true, 3000},
    {ALLGATHER, AT_ONCE, 0, true, 3000},  {ALLGATHERV, BLOCKING, 0, true, 2000},
    {ALLTOALLV, AT_ONCE, 0, true, 2000},  {REDUCE, BLOCKING, 0, false, 9000},
    {ALLREDUCE, AT_ONCE, 0, false, 9000}, {REDUCE_SCATTER, PERSISTENT, 0, false, 3000},
    {BARRIER, BLOCKING, 0, false, 0},
};
enum { STEPS = sizeof steps / sizeof *steps };

typedef struct all_ranks { /* shared memory */
  atomic_int stop;         /* the victim has seen enough */
  atomic_int failed;       /* a function has failed there */
  atomic_int handled;      /* and its error handler has been called */
  atomic_int step;         /* that the victim has begun */
} all_ranks;
static all_ranks *shared;

static struct { /* a run of a scene */
  bool is_victim;
  int errors, handled, step;
  char what[256];
} now;

static inline void on_error(MPI_Comm *comm, int *code, ...) {
  (void)comm;
  (void)code;
  now.handled++;
  if (now.is_victim)
    atomic_store(&shared->handled, 1);
}

static inline void on_alarm(int signal) {
  (void)signal;
  (void)!write(STDERR_FILENO, now.what, strlen(now.what));
  (void)!write(STDERR_FILENO, ", and a rank waits\n", 20);
  abort();
}

/* What a call has returned, before which the handler had been called so many times. */
static inline int seen(int rc, int handled, const char *call) {
  if (rc == MPI_SUCCESS)
    return rc;
  now.errors++;
  if (!now.is_victim) /* who stops, whatever it is */
    return rc;
  CHECK(inject.failed, "%s: %s fails with class %d, and no function has", now.what, call, class_of(rc));
  CHECK(class_of(rc) == INJECTED, "%s: %s returns class %d", now.what, call, class_of(rc));
  if (now.errors == 1) /* MPI may have called it, too, and earlier */
    CHECK(now.handled == 1 || now.handled == 2, "%s: %s: the error handler was called %d times", now.what,
          call, now.handled);
  else
    CHECK(now.handled == handled + 1, "%s: %s calls the error handler %d times", now.what, call,
          now.handled - handled);
  return rc;
}

#define CALL(rc, call)                                                                                       \
  do {                                                                                                       \
    const int handled = now.handled;                                                                         \
    (rc) = seen(LIBRARY(call), handled, #call);                                                              \
  } while (0)

static inline bool is_set_up(MPI_Comm comm) {
  const gb_comm *c = gb_comm_known(comm);
  return c != NULL && c->set_up;
}

/* A call that has not begun can be made again, by all where the set-up has failed on all. */
#define CALL_TWICE(rc, call)                                                                                 \
  do {                                                                                                       \
    CALL(rc, call);                                                                                          \
    if ((rc) != MPI_SUCCESS && now.errors == 1 && (now.is_victim || !is_set_up(comm)))                       \
      CALL(rc, call);                                                                                        \
  } while (0)

/* The victim goes first. So others learn after each step whether it makes the next one: MPI's own
 * collectives, once they have begun, can only be waited for. */
static inline bool begins(void) {
  now.step++;
  if (now.is_victim)
    atomic_store(&shared->step, now.step);
  while (atomic_load(&shared->step) < now.step && atomic_load(&shared->stop) == 0)
    (void)sched_yield();
  return now.is_victim || atomic_load(&shared->stop) == 0;
}

static inline int wait_and_check(const one_call *x, MPI_Comm comm, gbcast_handle *handle) {
  int rc;
  CALL(rc, gbcast_wait(handle));
  CHECK(rc != MPI_SUCCESS || call_is_right(x, comm), "%s: wrong data after %s", now.what, call_name[x->call]);
  return rc;
}

/* A collective may be under way in its buffers. */
static inline void keep(const one_call *x) {
  static one_call kept[4096];
  static size_t count;
  CHECK(count < sizeof kept / sizeof *kept, "too many failures");
  kept[count++] = *x;
}

static inline int make(const step *s, MPI_Comm comm) {
  one_call x = {.call = s->call, .bytes = s->bytes, .root = s->root, .holes = s->holes, .uneven = true};
  gbcast_handle handle = GBCAST_HANDLE_NULL;
  int rc, freed = MPI_SUCCESS;
  if (!begins())
    return INJECTED;
  prepare_call(&x, comm);
  CALL_TWICE(rc, call_in_form(&x, comm, s->form, &handle));
  for (int start = 0; rc == MPI_SUCCESS && s->form == PERSISTENT && start < 2; start++) {
    fill_call(&x, comm);
    CALL_TWICE(rc, gbcast_start(&handle));
    if (rc == MPI_SUCCESS)
      rc = wait_and_check(&x, comm, &handle);
  }
  if (rc == MPI_SUCCESS && s->form != PERSISTENT)
    rc = wait_and_check(&x, comm, &handle);
  if (handle != GBCAST_HANDLE_NULL)
    CALL(freed, gbcast_handle_free(&handle));
  rc = rc == MPI_SUCCESS ? freed : rc;
  if (rc == MPI_SUCCESS || now.is_victim)
    end_call(&x);
  else
    keep(&x);
  return rc;
}

static inline int set_up_scene(const scene *s, MPI_Comm comm) {
  const setting list[] = {{"gbcast_map", s->hosts != NULL ? "order" : NULL},
                          {"gbcast_intra", s->intra},
                          {"gbcast_sync", s->sync},
                          {"gbcast_check", s->check},
                          {"gbcast_refresh", s->refresh},
                          {"gbcast_segment", s->segment}};
  char path[1024];
  MPI_Info info;
  int rc;
  if (s->intra == NULL)
    return MPI_SUCCESS;
  MUST(MPI_Info_create(&info));
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (list[i].value != NULL)
      MUST(MPI_Info_set(info, list[i].key, list[i].value));
  (void)snprintf(path, sizeof path, "%s/platforms/%s", GB_TEST_DATA, s->hosts);
  CALL(rc, gbcast_setup(comm, s->hosts != NULL ? path : NULL, info));
  MUST(MPI_Info_free(&info));
  return rc;
}

/* One element at an absolute address, which is larger than what is packed at once. */
static inline int make_bottom(MPI_Comm comm) {
  enum { BYTES = 3000 };
  static unsigned char data[BYTES];
  MPI_Datatype type;
  MPI_Aint place;
  int rc;
  if (!begins())
    return INJECTED;
  gb_pack_most = BYTES / 2;
  MUST(MPI_Get_address(data, &place));
  MUST(MPI_Type_create_hindexed(1, &(int){BYTES}, &place, MPI_BYTE, &type));
  MUST(MPI_Type_commit(&type));
  fill(data, BYTES, rank_in(comm) == 0 ? 7 : 8);
  CALL_TWICE(rc, gbcast_bcast(MPI_BOTTOM, 1, type, 0, comm));
  CHECK(rc != MPI_SUCCESS || differs(data, BYTES, 7) == BYTES, "%s: wrong data at MPI_BOTTOM", now.what);
  MUST(MPI_Type_free(&type));
  return rc;
}

/* More elements than an int counts, without a byte. */
static inline int make_many(MPI_Comm comm) {
  MPI_Datatype nothing;
  int rc;
  if (!begins())
    return INJECTED;
  MUST(MPI_Type_contiguous(0, MPI_BYTE, &nothing));
  MUST(MPI_Type_commit(&nothing));
  CALL_TWICE(rc, gbcast_bcast(NULL, (MPI_Count)3 << 30, nothing, 0, comm));
  MUST(MPI_Type_free(&nothing));
  return rc;
}

/* After a set-up that has returned rc: all calls, up to an error that stays. */
static inline int make_all(int rc, MPI_Comm comm) {
  for (size_t i = 0; (rc == MPI_SUCCESS || i == 0) && i < STEPS; i++) /* a set-up may be tried again */
    rc = make(&steps[i], comm);
  if (rc == MPI_SUCCESS)
    rc = make_bottom(comm);
  if (rc == MPI_SUCCESS)
    rc = make_many(comm);
  if (rc != MPI_SUCCESS)
    return rc;
  if (!begins())
    return INJECTED;
  CALL(rc, gbcast_refresh(comm));
  if (rc != MPI_SUCCESS && now.is_victim && is_set_up(comm) &&
      gb_comm_known(comm)->wire.poison == MPI_SUCCESS) /* it has not begun */
    CALL(rc, gbcast_refresh(comm));
  return make(&steps[0], comm);
}

/* Every later call fails at once. */
static inline void check_poison(MPI_Comm comm) {
  static char buffer[64];
  gbcast_handle handle;
  int rc;
  for (int root = 0; root < size_of(comm); root++) {
    CALL(rc, gbcast(buffer, 10, root, comm));
    CHECK(rc != MPI_SUCCESS, "%s: a later call succeeds", now.what);
  }
  CALL(rc, gbcast_ialltoall(MPI_IN_PLACE, 1, MPI_BYTE, buffer, 1, MPI_BYTE, comm, &handle));
  CHECK(rc != MPI_SUCCESS, "%s: a later non-blocking call succeeds", now.what);
}

#endif
