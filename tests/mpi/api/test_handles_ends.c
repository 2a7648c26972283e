/* What a call needs may end before the call does: its datatypes, its communicator, and MPI. */
#include "tests/support/mpi/calls.h"
#include "tests/support/mpi/leaks.h"

enum { BYTES = 60000 };

static int raised; /* calls of the error handler */

static void hear(MPI_Comm *comm, int *code, ...) {
  (void)code;
  raised += *comm == MPI_COMM_WORLD;
}

static MPI_Comm open_comm(const char *intra, const char *check) {
  const setting forced[] = {{"gbcast_intra", intra},
                            {"gbcast_sync", strcmp(intra, "native") == 0 ? intra : "at-once"},
                            {"gbcast_check", check},
                            {"gbcast_segment", "16k"}};
  MPI_Comm comm;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(set_up_with(comm, "grid-flat.txt", forced, sizeof forced / sizeof *forced));
  return comm;
}

static void begin(one_call *x, int call, bool holes, MPI_Comm comm, gbcast_handle *handle) {
  *x = (one_call){.call = (enum call)call, .bytes = BYTES, .holes = holes, .key = (uint64_t)call};
  prepare_call(x, comm);
  MUST(call_in_form(x, comm, AT_ONCE, handle));
}

/* As in MPI, a type may be freed as soon as the call is begun, or prepared. */
static void types_end(const char *intra, const char *check) {
  MPI_Comm comm = open_comm(intra, check);
  for (int call = 0; call < CALLS; call++) {
    one_call x, again = {.call = (enum call)call, .bytes = BYTES, .holes = true, .in_place = true};
    gbcast_handle handle, persistent;
    begin(&x, call, true, comm, &handle);
    if (x.holes)
      MUST(MPI_Type_free(&x.type));
    prepare_call(&again, comm);
    MUST(call_in_form(&again, comm, PERSISTENT, &persistent));
    if (again.holes)
      MUST(MPI_Type_free(&again.type));
    MUST(gbcast_start(&persistent));
    MUST(gbcast_wait(&handle));
    MUST(gbcast_wait(&persistent));
    MUST(gbcast_start(&persistent));
    MUST(gbcast_handle_free(&persistent));
    CHECK(call_is_right(&x, comm), "%s, %s: its type was freed meanwhile", intra, call_name[call]);
    const bool twice = is_all_to_all(&again) || reduces(&again); /* what came is sent once more */
    CHECK(twice || call_is_right(&again, comm), "%s, %s: its type was freed before", intra, call_name[call]);
    free_buffers(&x);
    free_buffers(&again);
  }
  MUST(MPI_Comm_free(&comm));
}

/* A communicator may be freed while calls are under way on it, in any order. */
static void communicator_ends(const char *intra, const char *check) {
  one_call x[CALLS], often = {.call = BCAST, .bytes = BYTES};
  gbcast_handle handle[CALLS], persistent;
  MPI_Comm comm = open_comm(intra, check);
  for (int call = 0; call < CALLS; call++)
    begin(&x[call], call, call % 2 == 1, comm, &handle[call]);
  prepare_call(&often, comm);
  MUST(call_in_form(&often, comm, PERSISTENT, &persistent));
  MUST(gbcast_start(&persistent));
  for (int call = 0; call < CALLS; call++)
    if (!outlives_communicator((enum call)call))
      MUST(gbcast_wait(&handle[call]));
  MUST(MPI_Comm_free(&comm));
  MUST(gbcast_wait(&persistent));
  CHECK(call_is_right(&often, MPI_COMM_WORLD), "%s: a persistent call, after MPI_Comm_free()", intra);
  MUST(gbcast_handle_free(&persistent));
  end_call(&often);
  for (int call = CALLS - 1; call >= 0; call--) {
    MUST(gbcast_wait(&handle[call]));
    CHECK(handle[call] == GBCAST_HANDLE_NULL, "a handle is left");
    CHECK(call_is_right(&x[call], MPI_COMM_WORLD), "%s, %s: after MPI_Comm_free()", intra, call_name[call]);
    end_call(&x[call]);
  }
}

/* An error of a call whose communicator is gone goes to MPI_COMM_WORLD's handler, unless that of the
 * communicator returned errors. */
static void communicator_ends_with_error(bool returns) {
  MPI_Comm comm = open_comm("binomial", NULL), next;
  MPI_Errhandler handler;
  MUST(MPI_Comm_create_errhandler(hear, &handler));
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
  MUST(MPI_Errhandler_free(&handler));
  if (returns)
    MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  one_call x = {.call = BCAST, .bytes = BYTES, .root = rank_in(comm) == 0 ? 1 : 0};
  gbcast_handle handle;
  prepare_call(&x, comm);
  MUST(call_in_form(&x, comm, AT_ONCE, &handle));
  MUST(MPI_Comm_free(&comm));
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &next)); /* MPICH gives it the old one's number */
  MUST(MPI_Comm_set_errhandler(next, MPI_ERRORS_ARE_FATAL));
  raised = 0;
  CHECK(class_of(gbcast_wait(&handle)) == MPI_ERR_ARG, "the error is lost");
  CHECK(handle == GBCAST_HANDLE_NULL && raised == !returns, "the handler was called %d times", raised);
  MUST(MPI_Comm_free(&next));
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
  end_call(&x);
}

/* The program has collectives of its own under way, too. MPICH tells that the communicator is gone when they
 * are over, which may be in any call. */
static void communicator_ends_late(void) {
  MPI_Comm comm = open_comm("chain", NULL);
  MPI_Request request;
  one_call x;
  gbcast_handle handle;
  MUST(PMPI_Ibarrier(comm, &request)); /* which leaks.c does not know */
  begin(&x, SCATTER, true, comm, &handle);
  MUST(MPI_Comm_free(&comm));
  MUST(gbcast_wait(&handle));
  CHECK(call_is_right(&x, MPI_COMM_WORLD), "a scatter beside MPI_Ibarrier()");
  MUST(PMPI_Wait(&request, MPI_STATUS_IGNORE));
  end_call(&x);
}

/* MPI_Finalize() waits for what is under way on communicators that were not freed. */
static void mpi_ends(void) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm comm[3] = {MPI_COMM_WORLD, open_comm("chain", "1"), open_comm("native", NULL)};
  one_call x[3][CALLS];
  gbcast_handle handle[3][CALLS];
  MUST(set_up(MPI_COMM_WORLD, "grid-flat.txt", NULL, "binary", "16k"));
  for (int i = 0; i < 3; i++) {
    for (int call = 0; call < CALLS; call++) {
      begin(&x[i][call], call, call % 2 == i % 2, comm[i], &handle[i][call]);
      if (x[i][call].holes)
        MUST(MPI_Type_free(&x[i][call].type));
    }
    if (i > 0)
      leave_to_finalize(comm[i]);
  }
  MUST(MPI_Finalize());
  for (int i = 0; i < 3; i++)
    for (int call = 0; call < CALLS; call++) {
      if (!data_are_right(&x[i][call], rank, size) || gbcast_wait(&handle[i][call]) != MPI_SUCCESS ||
          handle[i][call] != GBCAST_HANDLE_NULL) {
        fprintf(stderr, "rank %d: communicator %d, %s: MPI_Finalize() came first\n", rank, i,
                call_name[call]);
        exit(1);
      }
      free_buffers(&x[i][call]);
    }
}

int main(int argc, char **argv) {
  static const char *const intra[] = {"chain", "binomial", "native"};
  MUST(MPI_Init(&argc, &argv));
  for (int i = 0; i < 6; i++) {
    types_end(intra[i % 3], i < 3 ? NULL : "1");
    communicator_ends(intra[i % 3], i < 3 ? NULL : "1");
  }
  communicator_ends_late();
  if (size_of(MPI_COMM_WORLD) > 1) {
    communicator_ends_with_error(false);
    communicator_ends_with_error(true);
    leave_all_to_finalize(); /* the duplicate of the communicator on which a call has failed */
  }
  mpi_ends();
  return 0;
}
