/* Non-blocking and persistent calls that are passed on to MPI: on inter-communicators and on communicators of
 * one rank. Arguments that MPI does not look at may be anything. */
#include "tests/support/mpi/calls.h"
#include "tests/support/mpi/leaks.h"

enum { STARTS = 3 };

/* One rank: all forms, in place and not. */
static void alone(MPI_Comm comm) {
  for (int call = 0; call < FIRST_CALLS; call++)
    for (int like = 0; like < 4; like++) {
      one_call x = {.call = (enum call)call, .bytes = 1000, .holes = like % 2 == 1, .in_place = like > 1};
      gbcast_handle handle, often;
      prepare_call(&x, comm);
      MUST(call_in_form(&x, comm, AT_ONCE, &handle));
      MUST(gbcast_wait(&handle));
      CHECK(call_is_right(&x, comm), "%s on one rank", call_name[call]);
      MUST(call_in_form(&x, comm, PERSISTENT, &often));
      for (int start = 0; start < STARTS; start++) {
        x.key += 100;
        fill_call(&x, comm);
        MUST(gbcast_start(&often));
        MUST(gbcast_waitall(1, &often));
        CHECK(call_is_right(&x, comm), "%s on one rank, start %d", call_name[call], start);
      }
      MUST(gbcast_handle_free(&often));
      end_call(&x);
    }
}

/* The two halves of MPI_COMM_WORLD: even ranks and odd ones. In each call of a root that is rank 1. */
static struct {
  MPI_Comm comm;
  int rank, others; /* in MPI_COMM_WORLD; in the other half */
  int root;         /* as this rank has to say it */
  MPI_Datatype spaced;
} inter;

static void open_inter(void) {
  MPI_Comm half;
  inter.rank = rank_in(MPI_COMM_WORLD);
  const int odd = inter.rank % 2;
  MUST(MPI_Comm_split(MPI_COMM_WORLD, odd, 0, &half));
  MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - odd, 3, &inter.comm));
  MUST(MPI_Comm_free(&half));
  MUST(MPI_Comm_remote_size(inter.comm, &inter.others));
  inter.root = odd == 0 ? 0 : inter.rank == 1 ? MPI_ROOT : MPI_PROC_NULL;
  MUST(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &inter.spaced));
  MUST(MPI_Type_commit(&inter.spaced));
}

/* What rank `from` has for rank `to`, at start number `start`. */
static int value(int from, int to, int start) {
  return 10000 * start + 100 * from + to;
}

static int other(int i) {
  return 2 * i + 1 - inter.rank % 2;
}

typedef struct numbers {
  int *send, *receive;
  MPI_Count *count;
  MPI_Aint *place;
} numbers;

static void set(const numbers *n, enum call call, int start) {
  for (int i = 0; i < inter.others; i++) {
    n->send[2 * i] = value(inter.rank, call == BCAST ? 0 : other(i), start);
    n->receive[2 * i] = call == BCAST && inter.rank == 1 ? n->send[2 * i] : -1;
    n->count[i] = 1;
    n->place[i] = i;
  }
}

static void begin(const numbers *n, enum call call, enum form form, gbcast_handle *handle) {
  const bool sends = call == ALLTOALL || inter.root == MPI_ROOT,
             receives = call == ALLTOALL || inter.root == 0;
  const MPI_Datatype to_send = sends ? inter.spaced : MPI_DATATYPE_NULL,
                     to_receive = receives ? inter.spaced : MPI_DATATYPE_NULL;
  switch (call) {
  case BCAST:
    MUST(IN_FORM(form, bcast, handle, n->receive, 1, sends || receives ? inter.spaced : MPI_INT, inter.root,
                 inter.comm));
    break;
  case SCATTER:
    MUST(IN_FORM(form, scatter, handle, n->send, 1, to_send, n->receive, 1, to_receive, inter.root,
                 inter.comm));
    break;
  case SCATTERV:
    MUST(IN_FORM(form, scatterv, handle, n->send, n->count, n->place, to_send, n->receive, 1, to_receive,
                 inter.root, inter.comm));
    break;
  default:
    MUST(IN_FORM(form, alltoall, handle, n->send, 1, to_send, n->receive, 1, to_receive, inter.comm));
  }
}

static void check(const numbers *n, enum call call, int start) {
  for (int i = 0; i < (call == ALLTOALL ? inter.others : inter.root == 0 ? 1 : 0); i++) {
    const int from = call == ALLTOALL ? other(i) : 1, to = call == BCAST ? 0 : inter.rank;
    CHECK(n->receive[2 * i] == value(from, to, start), "%s, start %d: %d from rank %d", call_name[call],
          start, n->receive[2 * i], from);
  }
}

static numbers new_numbers(void) {
  const size_t others = (size_t)inter.others;
  return (numbers){allocate(2 * sizeof(int) * others), allocate(2 * sizeof(int) * others),
                   allocate(sizeof(MPI_Count) * others), allocate(sizeof(MPI_Aint) * others)};
}

static void free_numbers(const numbers *n) {
  free(n->send);
  free(n->receive);
  free(n->count);
  free(n->place);
}

/* All calls under way together; the last ones end first. */
static void between_halves(enum form form) {
  numbers n[FIRST_CALLS];
  gbcast_handle handle[FIRST_CALLS];
  for (int call = 0; call < FIRST_CALLS; call++) {
    n[call] = new_numbers();
    set(&n[call], (enum call)call, 0);
    begin(&n[call], (enum call)call, form, &handle[call]);
  }
  for (int start = 0; start < (form == AT_ONCE ? 1 : STARTS); start++) {
    for (int call = 0; form == PERSISTENT && call < FIRST_CALLS; call++) {
      set(&n[call], (enum call)call, start);
      MUST(gbcast_start(&handle[call]));
    }
    for (int call = FIRST_CALLS - 1; call >= 0; call--)
      MUST(gbcast_wait(&handle[call]));
    for (int call = 0; call < FIRST_CALLS; call++)
      check(&n[call], (enum call)call, start);
  }
  for (int call = 0; call < FIRST_CALLS; call++) {
    if (form == PERSISTENT)
      MUST(gbcast_handle_free(&handle[call]));
    free_numbers(&n[call]);
  }
}

static void barriers(void) {
  gbcast_handle handle;
  MUST(gbcast_barrier(inter.comm));
  MUST(gbcast_ibarrier(inter.comm, &handle));
  MUST(gbcast_wait(&handle));
  MUST(gbcast_barrier_init(inter.comm, &handle));
  for (int start = 0; start < STARTS; start++) {
    MUST(gbcast_start(&handle));
    MUST(gbcast_wait(&handle));
  }
  MUST(gbcast_handle_free(&handle));
}

/* MPI's errors are returned by the call that makes them. */
static void errors(void) {
  gbcast_handle handle = GBCAST_HANDLE_NULL;
  int value = 0;
  MUST(MPI_Comm_set_errhandler(inter.comm, MPI_ERRORS_RETURN));
  CHECK(inter.root == MPI_PROC_NULL ||
            class_of(gbcast_ibcast(&value, -1, MPI_INT, inter.root, inter.comm, &handle)) == MPI_ERR_COUNT,
        "a count below zero");
  CHECK(handle == GBCAST_HANDLE_NULL, "the handle of a call that was not begun");
}

int main(int argc, char **argv) {
  MPI_Comm copy;
  MUST(MPI_Init(&argc, &argv));
  MUST(MPI_Comm_dup(MPI_COMM_SELF, &copy));
  alone(copy);
  alone(MPI_COMM_SELF);
  MUST(MPI_Comm_free(&copy));
  if (size_of(MPI_COMM_WORLD) > 1) {
    open_inter();
    between_halves(AT_ONCE);
    between_halves(PERSISTENT);
    barriers();
    errors();
    /* one is left for MPI_Finalize() */
    numbers n = new_numbers();
    gbcast_handle handle;
    set(&n, ALLTOALL, 7);
    begin(&n, ALLTOALL, AT_ONCE, &handle);
    MUST(MPI_Type_free(&inter.spaced));
    MUST(MPI_Comm_free(&inter.comm));
    MUST(MPI_Finalize());
    for (int i = 0; i < inter.others; i++)
      if (n.receive[2 * i] != value(other(i), inter.rank, 7) || gbcast_wait(&handle) != MPI_SUCCESS) {
        fprintf(stderr, "rank %d: MPI_Finalize() came first\n", inter.rank);
        return 1;
      }
    free_numbers(&n);
    return 0;
  }
  MUST(MPI_Finalize());
  return 0;
}
