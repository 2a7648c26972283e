/* Calls under way get on in every call of the library: a rank that relays for others does so while it begins,
 * makes or waits for something else. Where it does not, the ranks wait for each other, and the test never
 * ends. */
#include "tests/support/mpi/calls.h"
#include "tests/support/mpi/leaks.h"
#include "tests/support/mpi/sending.h"

enum { BYTES = 300000 };

static int sends; /* that this rank has handed to MPI */

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
SENDING(__wrap_MPI_Isend, __real_MPI_Isend, sends++)
SENDING(__wrap_MPI_Issend, __real_MPI_Issend, sends++)
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

/* Every rank but the last one passes on what it gets. */
static const setting chain[] = {{"gbcast_intra", "chain"}, {"gbcast_sync", "at-once"}};

static MPI_Comm open_comm(void) {
  MPI_Comm comm;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(set_up_with(comm, "grid-flat.txt", chain, 2));
  return comm;
}

static void call(enum call which, int root, MPI_Comm comm) {
  one_call x = {.call = which, .bytes = BYTES, .root = root, .key = 5};
  prepare_call(&x, comm);
  MUST(make_call(&x, comm));
  CHECK(call_is_right(&x, comm), "%s from root %d", call_name[which], root);
  end_call(&x);
}

/* What a rank does while others wait for it to relay: all are collective over MPI_COMM_WORLD. */
enum meanwhile { CALL, FIRST_CALL, FIRST_BEGIN, SET_UP, REFRESH, EXPLAIN, FREE, INTER, MEANWHILES };

static MPI_Comm opposite(void) { /* of the other half */
  MPI_Comm half, inter;
  const int odd = rank_in(MPI_COMM_WORLD) % 2;
  MUST(MPI_Comm_split(MPI_COMM_WORLD, odd, 0, &half));
  MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - odd, 3, &inter));
  MUST(MPI_Comm_free(&half));
  return inter;
}

static void begin_and_wait(MPI_Comm comm, int root) {
  one_call x = {.call = BCAST, .bytes = BYTES, .root = root};
  gbcast_handle handle;
  prepare_call(&x, comm);
  MUST(call_in_form(&x, comm, AT_ONCE, &handle));
  MUST(gbcast_wait(&handle));
  CHECK(call_is_right(&x, comm), "a broadcast that was begun first on its communicator");
  end_call(&x);
}

/* Every rank of one half waits for all of the other. */
static void across(MPI_Comm inter) {
  int rank = rank_in(MPI_COMM_WORLD), others;
  MUST(MPI_Comm_remote_size(inter, &others));
  int *send = allocate(sizeof *send * (size_t)others), *receive = allocate(sizeof *receive * (size_t)others);
  gbcast_handle handle;
  for (int i = 0; i < others; i++)
    send[i] = 100 * rank + 2 * i + 1 - rank % 2;
  MUST(gbcast_ialltoall(send, 1, MPI_INT, receive, 1, MPI_INT, inter, &handle));
  MUST(gbcast_wait(&handle));
  for (int i = 0; i < others; i++)
    CHECK(receive[i] == 100 * (2 * i + 1 - rank % 2) + rank, "an inter-communicator: %d from rank %d",
          receive[i], 2 * i + 1 - rank % 2);
  free(send);
  free(receive);
}

static void make(enum meanwhile what, MPI_Comm *comm, int root) {
  char *text;
  switch (what) {
  case CALL:
  case FIRST_CALL:
    call(SCATTER, root, *comm);
    break;
  case FIRST_BEGIN:
    begin_and_wait(*comm, root);
    break;
  case SET_UP:
    MUST(set_up_with(*comm, "grid-mixed.txt", chain, 2));
    call(BCAST, root, *comm);
    break;
  case REFRESH:
    MUST(gbcast_refresh(*comm));
    call(ALLTOALL, root, *comm);
    break;
  case EXPLAIN:
    MUST(gbcast_explain(*comm, BYTES, root, &text));
    free(text);
    break;
  case FREE:
    MUST(MPI_Comm_free(comm));
    break;
  default:
    across(*comm);
  }
}

static MPI_Comm other(enum meanwhile what) {
  MPI_Comm comm;
  if (what == INTER)
    return opposite();
  if (what == CALL || what == FREE) {
    comm = open_comm();
    call(SCATTER, 0, comm);
  } else {
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  }
  return comm;
}

/* The last rank waits for the first call before it comes to the second, in which all others wait for it. */
static void relays(enum meanwhile what, enum call first) {
  const int last = size_of(MPI_COMM_WORLD) - 1;
  MPI_Comm comm = open_comm(), beside = other(what);
  one_call x = {.call = first, .bytes = BYTES};
  gbcast_handle handle;
  prepare_call(&x, comm);
  MUST(call_in_form(&x, comm, AT_ONCE, &handle));
  if (rank_in(comm) == last)
    MUST(gbcast_wait(&handle));
  make(what, &beside, last);
  MUST(gbcast_wait(&handle));
  CHECK(call_is_right(&x, comm), "%s, with something beside it", call_name[first]);
  end_call(&x);
  if (beside != MPI_COMM_NULL)
    MUST(MPI_Comm_free(&beside));
  MUST(MPI_Comm_free(&comm));
}

/* Several relayed calls on several communicators, waited for in another order on each rank. */
static void relays_crosswise(void) {
  enum { COMMS = 3, EACH = 4 };
  const int rank = rank_in(MPI_COMM_WORLD);
  MPI_Comm comm[COMMS];
  one_call x[COMMS * EACH];
  gbcast_handle handle[COMMS * EACH];
  for (int i = 0; i < COMMS; i++)
    comm[i] = open_comm();
  for (int i = 0; i < COMMS * EACH; i++) {
    x[i] = (one_call){.call = (enum call)(i % CALLS), .bytes = BYTES / 10, .root = i % size_of(comm[0])};
    prepare_call(&x[i], comm[i % COMMS]);
    MUST(call_in_form(&x[i], comm[i % COMMS], AT_ONCE, &handle[i]));
  }
  for (int i = 0; i < COMMS * EACH; i++)
    MUST(gbcast_wait(&handle[(5 * i + rank) % (COMMS * EACH)]));
  for (int i = 0; i < COMMS * EACH; i++) {
    CHECK(call_is_right(&x[i], comm[i % COMMS]), "%s, crosswise", call_name[x[i].call]);
    end_call(&x[i]);
  }
  for (int i = 0; i < COMMS; i++)
    MUST(MPI_Comm_free(&comm[i]));
}

/* What a root sends is under way when the call is begun, without another one. */
static void begins_at_once(enum form form) {
  MPI_Comm comm = open_comm();
  const bool is_root = rank_in(comm) == 0;
  for (int which = 0; which < FIRST_CALLS; which++)
    for (int use = 0; use < 2; use++) { /* of the plan */
      one_call x = {.call = (enum call)which, .bytes = 100};
      gbcast_handle handle;
      prepare_call(&x, comm);
      sends = 0;
      MUST(call_in_form(&x, comm, form, &handle));
      CHECK(form == AT_ONCE || sends == 0, "%s was sent before its start", call_name[which]);
      if (form == PERSISTENT)
        MUST(gbcast_start(&handle));
      CHECK(!is_root || sends > 0, "%s, %s: nothing was sent at its beginning", form_name[form],
            call_name[which]);
      MUST(gbcast_handle_free(&handle));
      CHECK(call_is_right(&x, comm), "%s", call_name[which]);
      end_call(&x);
    }
  MUST(MPI_Comm_free(&comm));
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  begins_at_once(AT_ONCE);
  begins_at_once(PERSISTENT);
  for (int what = 0; what < MEANWHILES; what++)
    for (int first = 0; first < FIRST_CALLS; first++)
      relays((enum meanwhile)what, (enum call)first);
  relays_crosswise();
  MUST(MPI_Finalize());
  return 0;
}
