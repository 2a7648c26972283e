/* A program that has never heard of gbcast: what MPI promises of non-blocking collectives. It checks what it
 * receives, and rank 0 says how many non-blocking calls it has made. */
#include "tests/mpi/pmpi/requests.h"
#include <time.h>

/* Ranks begin calls on two communicators in different orders, which is right as long as none waits. */
static void begin_crosswise(const MPI_Comm pair[2], int key) {
  const int first = rank_in(MPI_COMM_WORLD) % 2;
  for (int i = 0; i < 2; i++)
    ibcast((first + i) % 2, 3000, key, pair[(first + i) % 2]);
  MUST(MPI_Waitall(2, request, status));
  for (int i = 0; i < 2; i++) {
    check(&calls[i], "crosswise");
    discard(&calls[i]);
  }
}

/* Before and after blocking calls on them. */
static void cross(void) {
  MPI_Comm pair[2];
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &pair[0]));
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &pair[1]));
  begin_crosswise(pair, 0);
  for (int i = 0; i < 2; i++)
    MUST(MPI_Bcast(&(int){0}, 1, MPI_INT, 0, pair[i]));
  begin_crosswise(pair, 1);
  MUST(MPI_Comm_free(&pair[0]));
  MUST(MPI_Comm_free(&pair[1]));
}

/* The root waits for a message of a rank that waits for the broadcast. */
static void wait_elsewhere(void) {
  const int rank = rank_in(MPI_COMM_WORLD), last = size_of(MPI_COMM_WORLD) - 1;
  ibcast(0, LONGEST, 0, MPI_COMM_WORLD);
  if (rank == 0)
    MUST(MPI_Recv(NULL, 0, MPI_INT, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MUST(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
  if (rank == last)
    MUST(MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD));
  check(&calls[0], "beside a message");
  discard(&calls[0]);
}

static void free_communicator(void) {
  MPI_Comm comm;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Bcast(&(int){0}, 1, MPI_INT, 0, comm));
  ibcast(0, LONGER, 1, comm);
  MUST(MPI_Comm_free(&comm));
  MUST(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
  calls[0].comm = MPI_COMM_WORLD;
  check(&calls[0], "without its communicator");
  discard(&calls[0]);
}

/* Nothing but the data tell when such a call is over. */
static void free_requests(void) {
  ibcast(0, 100, 0, MPI_COMM_WORLD);
  ibcast(1, LONGER, 1, MPI_COMM_WORLD);
  for (int i = 0; i < 2; i++) {
    MUST(MPI_Request_free(&request[i]));
    CHECK(request[i] == MPI_REQUEST_NULL, "MPI_Request_free has left a request");
  }
  for (int i = 0; i < 2; i++)
    while (!call_is_right(&calls[i].x, MPI_COMM_WORLD))
      (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  MUST(MPI_Bcast(&(int){0}, 1, MPI_INT, 0, MPI_COMM_WORLD)); /* after which their buffers are free, too */
  discard(&calls[0]);
  discard(&calls[1]);
}

static int errors_seen;
static MPI_Comm beside; /* a call on it may be begun in the error handler */
static int word;
static MPI_Request beside_request;

static void begin_beside(void) {
  MUST(MPI_Ibcast(&word, 1, MPI_INT, 0, beside, &beside_request));
  begun++;
}

static void count_error(MPI_Comm *comm, int *code, ...) {
  (void)comm;
  CHECK(class_of(*code) == MPI_ERR_TRUNCATE, "the error handler gets %d", *code);
  errors_seen++;
  begin_beside();
}

static void end_beside(int seen) {
  if (errors_seen == 0)
    begin_beside();
  MUST(MPI_Wait(&beside_request, MPI_STATUS_IGNORE));
  CHECK(word == seen, "a call that was begun in an error handler brings %d", word);
}

/* A scatterv with a block that is too long for rank 1: that rank alone gets an error, in MPI_Wait() or, with
 * `at_once`, one of MPI_Waitall(). */
static void truncate_one(MPI_Errhandler handler, bool at_once) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const int expected = rank == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
  MPI_Comm comm;
  MPI_Request r;
  int count[16], place[16] = {0}, data[8] = {0}, got[8];
  for (int i = 0; i < size; i++)
    count[i] = i == 1 ? 8 : 4;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Bcast(&(int){0}, 1, MPI_INT, 0, comm));
  MUST(MPI_Comm_set_errhandler(comm, handler));
  errors_seen = 0;
  word = rank == 0 ? 17 + at_once : 0;
  MUST(MPI_Iscatterv(data, count, place, MPI_INT, got, 4, MPI_INT, 0, comm, &r));
  begun++;
  int code = at_once ? MPI_Waitall(1, &r, status) : MPI_Wait(&r, status);
  CHECK((code == MPI_SUCCESS) == (rank != 1), "the call returns %d", code);
  if (at_once && code != MPI_SUCCESS) {
    CHECK(class_of(code) == MPI_ERR_IN_STATUS, "MPI_Waitall returns %d", code);
    code = status[0].MPI_ERROR;
  }
  CHECK(class_of(code) == expected, "the class is %d", class_of(code));
  CHECK(errors_seen == (rank == 1 && handler != MPI_ERRORS_RETURN), "%d calls of the handler", errors_seen);
  CHECK(r == MPI_REQUEST_NULL, "a request is left");
  end_beside(17 + at_once);
  MUST(MPI_Comm_free(&comm));
}

static void errors(void) {
  MPI_Errhandler handler;
  MPI_Comm comm;
  MPI_Request r = MPI_REQUEST_NULL;
  MUST(MPI_Comm_create_errhandler(count_error, &handler));
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &beside));
  MUST(MPI_Bcast(&(int){0}, 1, MPI_INT, 0, beside));
  for (int at_once = 0; at_once < 2; at_once++) {
    truncate_one(MPI_ERRORS_RETURN, at_once);
    truncate_one(handler, at_once);
  }
  MUST(MPI_Errhandler_free(&handler));
  MUST(MPI_Comm_free(&beside));
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Bcast(&(int){0}, 1, MPI_INT, 0, comm));
  CHECK(class_of(MPI_Ibcast(&(int){0}, 1, MPI_INT, -7, comm, &r)) == MPI_ERR_ROOT, "a wrong root");
  MUST(MPI_Comm_free(&comm));
}

static int wait_late(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm;
  (void)keyval;
  (void)value;
  (void)extra;
  return MPI_Wait(&request[1], MPI_STATUS_IGNORE);
}

/* MPI_Finalize() ends a call whose request the program has freed, and one for which an attribute of the
 * program waits. */
static int leave_to_finalize(void) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int keyval;
  MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, wait_late, &keyval, NULL));
  MUST(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL));
  ibcast(0, LONGER, 0, MPI_COMM_WORLD);
  MUST(MPI_Request_free(&request[0]));
  ibcast(1, LONGER, 1, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d\n", begun);
  MUST(MPI_Finalize());
  for (int i = 0; i < 2; i++) {
    if (!data_are_right(&calls[i].x, rank, size))
      return 1;
    discard(&calls[i]);
  }
  return 0;
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  cross();
  wait_elsewhere();
  free_communicator();
  free_requests();
  errors();
  return leave_to_finalize();
}
