/* A program that has never heard of gbcast: random non-blocking and blocking collectives, which each rank
 * ends as it likes. It checks what it receives, and rank 0 says how many non-blocking calls it has made.
 *
 * usage: requests MPI_Init | MPI_Init_thread */
#include "tests/mpi/pmpi/requests.h"
#include "tests/support/rounds.h"
#include "tests/support/xorshift.h"

enum { PROGRAMS = 90 };
enum { WORLD, HALF, REVERSED, COMMS };

static uint64_t all = 88172645463325252u,
                mine; /* random numbers: the same on all ranks, and this rank's own */
static bool under_way[CALLS_MOST];

static void ended(int i, const char *how) {
  CHECK(request[i] == MPI_REQUEST_NULL, "%s has left a request", how);
  CHECK(under_way[i], "%s tells an end twice", how);
  under_way[i] = false;
  check(&calls[i], how);
}

/* Ends some calls in one of MPI's ways; request[at] is under way. */
static void end_some(int n, int at) {
  int done = 0, which = MPI_UNDEFINED, count = 0, list[CALLS_MOST];
  switch (xorshift(&mine, 9)) {
  case 0:
    MUST(MPI_Wait(&request[at], &status[0]));
    ended(at, "MPI_Wait");
    break;
  case 1:
    while (!done)
      MUST(MPI_Test(&request[at], &done, MPI_STATUS_IGNORE));
    ended(at, "MPI_Test");
    break;
  case 2:
    MUST(MPI_Waitall(n, request, status));
    for (int i = 0; i < n; i++)
      if (under_way[i])
        ended(i, "MPI_Waitall");
    break;
  case 3:
    MUST(MPI_Waitany(n, request, &which, MPI_STATUS_IGNORE));
    ended(which, "MPI_Waitany");
    break;
  case 4:
    MUST(MPI_Waitsome(n, request, &count, list, status));
    CHECK(count > 0, "MPI_Waitsome has waited for none");
    for (int i = 0; i < count; i++)
      ended(list[i], "MPI_Waitsome");
    break;
  case 5:
    while (!done)
      MUST(MPI_Testall(n, request, &done, status));
    for (int i = 0; i < n; i++)
      if (under_way[i])
        ended(i, "MPI_Testall");
    break;
  case 6:
    while (!done)
      MUST(MPI_Testany(n, request, &which, &done, &status[0]));
    ended(which, "MPI_Testany");
    break;
  case 7:
    while (count == 0)
      MUST(MPI_Testsome(n, request, &count, list, status));
    for (int i = 0; i < count; i++)
      ended(list[i], "MPI_Testsome");
    break;
  default:
    while (!done)
      MUST(MPI_Request_get_status(request[at], &done, &status[0]));
    check(&calls[at], "MPI_Request_get_status");
    MUST(MPI_Wait(&request[at], &status[0]));
    ended(at, "MPI_Wait after MPI_Request_get_status");
  }
}

/* All ranks draw the same calls, and each ends them as it likes. */
static void random_program(const MPI_Comm *comm) {
  const int n = 2 + (int)xorshift(&all, CALLS_MOST - 1);
  for (int i = 0; i < n; i++) {
    const MPI_Comm where = comm[xorshift(&all, COMMS)];
    const bool blocks = xorshift(&all, 4) == 0;
    one_call x = {.call = (enum call)xorshift(&all, FIRST_CALLS), .key = xorshift(&all, 1 << 30)};
    x.bytes = xorshift(&all, xorshift(&all, 4) == 0 ? LONG : 1000);
    x.root = (int)xorshift(&all, 1 << 20) % size_of(where);
    x.holes = xorshift(&all, 3) == 0;
    x.uneven = xorshift(&all, 2) == 0;
    x.in_place = xorshift(&all, 3) == 0;
    prepare(&calls[i], x, where);
    request[i] = MPI_REQUEST_NULL;
    MUST(call_mpi(&calls[i], blocks ? NULL : &request[i]));
    under_way[i] = !blocks;
    if (blocks)
      check(&calls[i], "blocking");
    const int at = (int)xorshift(&mine, (uint32_t)i + 1);
    if (under_way[at])
      end_some(i + 1, at);
  }
  for (int i = 0; i < n; i++) {
    while (under_way[i])
      end_some(n, i);
    discard(&calls[i]);
  }
}

/* One on each communicator; they end in the other order. */
static void barriers(const MPI_Comm *comm) {
  for (int i = 0; i < COMMS; i++)
    MUST(MPI_Ibarrier(comm[i], &request[i]));
  begun += COMMS;
  for (int i = COMMS; i-- > 0;) {
    MUST(MPI_Wait(&request[i], MPI_STATUS_IGNORE));
    CHECK(request[i] == MPI_REQUEST_NULL, "MPI_Wait has left a request");
  }
}

static void random_programs(void) {
  const int rank = rank_in(MPI_COMM_WORLD);
  MPI_Comm comm[COMMS] = {MPI_COMM_WORLD};
  MUST(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &comm[HALF]));
  MUST(MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm[REVERSED]));
  mine = all + (uint64_t)rank;
  for (int i = 0; i < COMMS; i++)
    MUST(MPI_Bcast(&(int){0}, 1, MPI_INT, 0, comm[i]));
  for (int i = 0; i < ROUNDS(PROGRAMS); i++)
    random_program(comm);
  barriers(comm);
  MUST(MPI_Comm_free(&comm[HALF]));
  MUST(MPI_Comm_free(&comm[REVERSED]));
}

int main(int argc, char **argv) {
  int level;
  if (strcmp(argv[1], "MPI_Init") == 0) {
    MUST(MPI_Init(&argc, &argv));
  } else {
    MUST(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level));
    CHECK(level == MPI_THREAD_FUNNELED, "the level is %d", level);
  }
  random_programs();
  if (rank_in(MPI_COMM_WORLD) == 0)
    printf("%d\n", begun);
  MUST(MPI_Finalize());
  return 0;
}
