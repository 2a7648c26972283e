/* Errors: their classes, the handler, on all ranks alike, and nobody hangs. */
#include "mpi/exec/header.h"
#include "tests/support/mpi/check.h"
#include "tests/support/mpi/nothing_left.h"
#include <unistd.h>

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

/* What one rank does other than the rest. Where roots differ, or some have used their plan before, ranks may
 * wait for each other, as in MPI. */
enum { BCAST, SCATTER, ALLTOALL };
typedef struct odd_call {
  const char *what;
  size_t n[2];     /* of the others, and of the odd one */
  int which[2];    /* operation */
  bool other_plan; /* the odd one plans with other segments */
  int class;       /* that is reported */
} odd_call;

static int call(const odd_call *o, bool odd, void *buffer, MPI_Comm comm) {
  MPI_Count n = (MPI_Count)o->n[odd];
  switch (o->which[odd]) {
  case SCATTER:
    return gbcast_scatter(buffer, n, MPI_BYTE, rank_in(comm) == 0 ? MPI_IN_PLACE : buffer, n, MPI_BYTE, 0,
                          comm);
  case ALLTOALL:
    return gbcast_alltoall(MPI_IN_PLACE, n, MPI_BYTE, buffer, n, MPI_BYTE, comm);
  default:
    return gbcast(buffer, o->n[odd], 0, comm);
  }
}

/* All call alike until it works again: a rank that had left may bring the news to the next call. */
static void recovers(const odd_call *o, int root, char *buffer, MPI_Comm comm) {
  int code, bad, any = 1, calls = 0;
  for (; any != 0; calls++) {
    CHECK(calls < 3, "%s: the calls after it still fail", o->what);
    if (rank_in(comm) == root)
      fill(buffer, o->n[0], 77);
    code = gbcast(buffer, o->n[0], root, comm);
    bad = code != MPI_SUCCESS;
    CHECK(bad || differs(buffer, o->n[0], 77) == o->n[0], "%s: wrong bytes in the next call", o->what);
    MUST(MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  }
}

/* One rank calls differently. Whoever hears of it says so, and all come back. */
static void one_differs(const odd_call *o, const char *hosts, const char *intra, const char *sync,
                        int odd_one) {
  MPI_Comm comm = fresh();
  int rank = rank_in(comm), size = size_of(comm), class = MPI_SUCCESS, any;
  size_t largest = o->n[0] > o->n[1] ? o->n[0] : o->n[1];
  char *buffer = calloc(largest * (size_t)size + 1, 1);
  CHECK(buffer != NULL, "no memory");
  const setting forced[] = {/* so that nothing is MPI's own */
                            {"gbcast_intra", intra},
                            {"gbcast_segment", "4k"},
                            {"gbcast_sync", sync}};
  MUST(set_up_with(comm, hosts, forced, sizeof forced / sizeof *forced));
  gb_comm *known = gb_comm_known(comm);
  CHECK(known != NULL, "set up, but not known");
  if (o->other_plan && rank == odd_one)
    known->segment = 5000;
  int code = call(o, rank == odd_one, buffer, comm);
  if (code != MPI_SUCCESS)
    MUST(MPI_Error_class(code, &class));
  CHECK(code == MPI_SUCCESS || class == o->class, "%s: class %d", o->what, class);
  int bad = code != MPI_SUCCESS;
  MUST(MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  CHECK(any != 0, "%s: nobody noticed that rank %d of %d differs", o->what, odd_one, size);
  known->segment = 4096;
  for (int root = 1; root >= 0 && !o->other_plan;
       root--) /* what was planned with other segments stays wrong */
    recovers(o, root, buffer, comm);
  free(buffer);
  MUST(MPI_Comm_free(&comm));
}

static void calls_differ(void) {
  static const odd_call odd[] = {
      {"a byte less", {100, 99}, {BCAST, BCAST}, false, MPI_ERR_TRUNCATE},
      {"a byte less of many", {300000, 299999}, {BCAST, BCAST}, false, MPI_ERR_TRUNCATE},
      {"much more", {100, 300000}, {BCAST, BCAST}, false, MPI_ERR_TRUNCATE},
      {"much less", {300000, 100}, {BCAST, BCAST}, false, MPI_ERR_TRUNCATE},
      {"nothing", {100, 0}, {BCAST, BCAST}, false, MPI_ERR_TRUNCATE},
      {"something", {0, 100}, {BCAST, BCAST}, false, MPI_ERR_TRUNCATE},
      {"a smaller block", {3000, 2999}, {SCATTER, SCATTER}, false, MPI_ERR_TRUNCATE},
      {"another operation", {5000, 5000}, {BCAST, SCATTER}, false, MPI_ERR_OTHER},
      {"another operation, large", {90000, 90000}, {SCATTER, BCAST}, false, MPI_ERR_OTHER},
      {"a smaller all-to-all", {3000, 2999}, {ALLTOALL, ALLTOALL}, false, MPI_ERR_TRUNCATE},
      {"a larger all-to-all", {100, 300000}, {ALLTOALL, ALLTOALL}, false, MPI_ERR_TRUNCATE},
      {"nothing for all", {30000, 0}, {ALLTOALL, ALLTOALL}, false, MPI_ERR_TRUNCATE},
      {"not all to all", {50000, 50000}, {ALLTOALL, BCAST}, false, MPI_ERR_OTHER},
      {"all to all instead", {50000, 50000}, {BCAST, ALLTOALL}, false, MPI_ERR_OTHER},
      {"another plan", {300000, 300000}, {BCAST, BCAST}, true, MPI_ERR_OTHER},
      {"another plan, scatter", {30000, 30000}, {SCATTER, SCATTER}, true, MPI_ERR_OTHER},
  };
  int size = size_of(MPI_COMM_WORLD), cases = (int)(sizeof odd / sizeof *odd);
  bool many = size > 16; /* the words of a failed call grow with their square: one odd rank a case */
  for (int i = 0; i < cases; i++)
    for (int one = many ? 5 * i % size : 0; one < size; one += many ? size : size / 3 + 1) {
      const bool all = odd[i].which[0] == ALLTOALL || odd[i].which[1] == ALLTOALL;
      one_differs(&odd[i], all ? "alltoall-nodes.txt" : "grid.txt", "binomial", "sender-all", one);
      one_differs(&odd[i], all ? "grid.txt" : "grid-mixed.txt", "flat", "at-once", one);
      if (all && !many) /* which has 16 hosts */
        one_differs(&odd[i], "alltoall.txt", "binomial", "two-step", one);
    }
}

/* One rank calls once more when the others free the communicator, and comes late to free it, too. */
static void one_calls_more(void) {
  MPI_Comm comm = fresh();
  int odd_one = size_of(comm) - 1, code = MPI_SUCCESS;
  size_t n = 300000;
  char *buffer = calloc(n, 1);
  CHECK(buffer != NULL, "no memory");
  MUST(set_up(comm, "grid.txt", NULL, "binomial", NULL));
  MUST(gbcast(buffer, 100, 0, comm));
  if (rank_in(comm) == odd_one) {
    code = gbcast(buffer, n, 0, comm);
    CHECK(code != MPI_SUCCESS, "a call that nobody else makes succeeds");
    (void)sleep(2); /* longer than others wait for a sign */
  }
  free(buffer);
  MUST(MPI_Comm_free(&comm));
}

/* A rank is sent what no rank says, in the place of the first words of a call: it fails, and then all works
 * again. What is not there before the call may come behind data of other ranks, and be heard in the next one.
 */
static void damaged_headers(void) {
  static const gb_header bad[] = {
      {.kind = -1},
      {.kind = GB_HEADER_OFFER + 1},
      {.kind = GB_HEADER_START, .length = 1000, .segment = 0},
      {.kind = GB_HEADER_START, .length = 1, .segment = UINT64_MAX},
      {.kind = GB_HEADER_START, .tree = GB_TREES_MOST},
      {.kind = GB_HEADER_OFFER},
      {.kind = GB_HEADER_OFFER, .length = UINT64_MAX},
  };
  const odd_call alike = {"a damaged header", {5000, 5000}, {BCAST, BCAST}, false, MPI_ERR_OTHER};
  const int size = size_of(MPI_COMM_WORLD);
  char buffer[5000] = {0};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    for (int before = 0; before < 2; before++) { /* it is there before the call, or in it */
      MPI_Comm comm = fresh();
      MUST(set_up(comm, "grid-mixed.txt", NULL, "binomial", "4k"));
      MUST(gbcast(buffer, 100, 0, comm));
      gb_comm *known = gb_comm_known(comm);
      gb_header header = bad[i];
      header.sequence = known->wire.sequence;
      MUST(MPI_Barrier(MPI_COMM_WORLD)); /* nobody is in the first call any more */
      if (rank_in(comm) == 0)
        MUST(MPI_Send(&header, sizeof header, MPI_BYTE, size - 1, GB_HEADER_TAG, known->wire.comm));
      if (before)
        MUST(MPI_Barrier(MPI_COMM_WORLD));
      int any = 0;
      for (int calls = 0; !any && calls < (before ? 1 : 2); calls++) {
        int code = gbcast(buffer, sizeof buffer, 0, comm), bad_call = code != MPI_SUCCESS;
        if (code != MPI_SUCCESS)
          expect(code, MPI_ERR_OTHER, "a damaged header");
        MUST(MPI_Allreduce(&bad_call, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
      }
      CHECK(any, "damaged header %zu: nobody says so", i);
      recovers(&alike, 1, buffer, comm);
      MUST(MPI_Comm_free(&comm));
    }
}

/* A rank still waits in a call that its root has left, by another plan: the root hears of it in its next
 * call, though all that it sends there is complete at once and it waits for nobody. */
static void late_hello(void) {
  const odd_call alike = {"a late HELLO", {5000, 5000}, {BCAST, BCAST}, false, MPI_ERR_OTHER};
  char buffer[5000] = {0};
  MPI_Comm comm = fresh();
  MUST(set_up(comm, "grid-mixed.txt", NULL, "binomial", "4k"));
  MUST(gbcast(buffer, 1, 0, comm));
  gb_comm *known = gb_comm_known(comm);
  const gb_header hello = {.kind = GB_HEADER_HELLO, .sequence = known->wire.sequence - 1};
  MUST(MPI_Barrier(MPI_COMM_WORLD)); /* nobody is in the first call any more */
  if (rank_in(comm) == size_of(comm) - 1)
    MUST(MPI_Send(&hello, sizeof hello, MPI_BYTE, 0, GB_HELLO_TAG, known->wire.comm));
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  int code = gbcast(buffer, 1, 0, comm);
  if (rank_in(comm) == 0)
    expect(code, MPI_ERR_OTHER, "a root that waits for nobody and has left a call too early");
  recovers(&alike, 1, buffer, comm);
  MUST(MPI_Comm_free(&comm));
}

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
  if (rank == small)
    expect(code, MPI_ERR_TRUNCATE, "no room for a block");
  else if (vector || small == root) /* elsewhere ranks differ on a scatter: calls_differ */
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

/* One rank sends other blocks than it receives: nobody waits for what it does not send. */
static void uneven_alltoall(void) {
  const int size = size_of(MPI_COMM_WORLD);
  char *send = calloc((size_t)size, 1000), *receive = allocate(1000 * (size_t)size);
  CHECK(send != NULL, "no memory");
  for (int odd = 0; odd < size; odd += size - 1) {
    MPI_Comm comm = fresh();
    MUST(set_up_with(comm, "grid-flat.txt", &(setting){"gbcast_sync", "at-once"}, 1));
    const int sent = rank_in(comm) == odd ? 999 : 1000;
    int code = gbcast_alltoall(send, sent, MPI_BYTE, receive, 1000, MPI_BYTE, comm);
    if (rank_in(comm) == odd)
      expect(code, MPI_ERR_TRUNCATE, "an all-to-all that sends less than it receives");
    CHECK(code != MPI_SUCCESS, "an all-to-all without the blocks of rank %d succeeds", odd);
    MUST(MPI_Comm_free(&comm));
  }
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
    calls_differ();
    one_calls_more();
    damaged_headers();
    late_hello();
  }
  MUST(MPI_Finalize());
  return 0;
}
