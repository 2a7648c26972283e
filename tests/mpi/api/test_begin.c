/* A non-blocking call has begun to send before it returns, and so has gbcast_start(): otherwise nothing would
 * move while the program computes. */
#include "tests/support/mpi/calls.h"
#include "tests/support/mpi/sending.h"

static int sent;

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
SENDING(__wrap_MPI_Isend, __real_MPI_Isend, sent++)
SENDING(__wrap_MPI_Issend, __real_MPI_Issend, sent++)
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

static int begin(const one_call *x, const MPI_Count count[], const MPI_Aint place[], bool persistent,
                 gbcast_handle *handle) {
  const MPI_Count n = (MPI_Count)x->bytes;
  const MPI_Comm comm = MPI_COMM_WORLD;
  const MPI_Datatype type = MPI_BYTE;
  switch (x->call) {
  case BCAST:
    return (persistent ? gbcast_bcast_init : gbcast_ibcast)(x->receive, n, type, x->root, comm, handle);
  case SCATTER:
    return (persistent ? gbcast_scatter_init : gbcast_iscatter)(x->send, n, type, x->receive, n, type,
                                                                x->root, comm, handle);
  case SCATTERV:
    return (persistent ? gbcast_scatterv_init : gbcast_iscatterv)(x->send, count, place, type, x->receive, n,
                                                                  type, x->root, comm, handle);
  default:
    return (persistent ? gbcast_alltoall_init : gbcast_ialltoall)(x->send, n, type, x->receive, n, type, comm,
                                                                  handle);
  }
}

static void check(enum call call, bool persistent) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  one_call x = {.call = call, .bytes = 3000, .root = size - 1};
  MPI_Count *count = allocate(sizeof *count * (size_t)size);
  MPI_Aint *place = allocate(sizeof *place * (size_t)size);
  gbcast_handle handle;
  for (int r = 0; r < size; r++) {
    count[r] = (MPI_Count)x.bytes;
    place[r] = (MPI_Aint)x.bytes * r;
  }
  for (int use = 0; use < 2; use++) { /* the first one also compares plans */
    prepare_call(&x, MPI_COMM_WORLD);
    sent = 0;
    MUST(begin(&x, count, place, persistent, &handle));
    CHECK(!persistent || sent == 0, "%s: sends before it is started", call_name[call]);
    if (persistent)
      MUST(gbcast_start(&handle));
    CHECK(sent > 0 || (rank != x.root && call != ALLTOALL), "%s: nothing is sent before the wait",
          call_name[call]);
    MUST(gbcast_wait(&handle));
    CHECK(call_is_right(&x, MPI_COMM_WORLD), "%s: wrong bytes", call_name[call]);
    if (persistent)
      MUST(gbcast_handle_free(&handle));
    end_call(&x);
  }
  free(count);
  free(place);
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  const setting forced[] = {{"gbcast_intra", "binomial"}, {"gbcast_sync", "at-once"}};
  MUST(set_up_with(MPI_COMM_WORLD, "grid-mixed.txt", forced, sizeof forced / sizeof *forced));
  for (int call = 0; call < FIRST_CALLS; call++)
    for (int persistent = 0; persistent < 2; persistent++)
      check((enum call)call, persistent == 1);
  MUST(MPI_Finalize());
  return 0;
}
