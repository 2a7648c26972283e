/* A message that is a byte shorter or longer than it should be: the rank that gets it says so. Here no other
 * rank waits for that one. */
#include "tests/support/mpi/calls.h"
#include "tests/support/mpi/leaks.h"
#include "tests/support/mpi/sending.h"

enum { BYTES = 3000, LEAST = 1000 }; /* of a block, which is one message; of a message that is data */

static struct {
  int by;     /* the next such message that this rank sends has so many bytes more; 0: none has */
  int to;     /* to whom it went, or -1 */
  char *sent; /* a copy of it, which is MPI's until it has gone */
} wrong;

static const void *copied(const void *from, int *count, int to) {
  if (wrong.by == 0 || *count < LEAST)
    return from;
  wrong.sent = allocate((size_t)*count + 1);
  memcpy(wrong.sent, from, (size_t)*count);
  wrong.sent[*count] = 'x';
  *count += wrong.by;
  wrong.by = 0;
  wrong.to = to;
  return wrong.sent;
}

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
SENDING(__wrap_MPI_Isend, __real_MPI_Isend, from = copied(from, &count, to))
SENDING(__wrap_MPI_Issend, __real_MPI_Issend, from = copied(from, &count, to))
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

typedef struct scene {
  const char *hosts, *intra;
} scene;

/* Rank `guilty` sends a message of a wrong length, in the first use of a plan or later. */
static void check(const scene *s, enum call call, int guilty, bool first, int by) {
  MPI_Comm comm = comm_for(s->hosts, s->intra, NULL);
  const int rank = rank_in(comm);
  one_call x = {.call = call, .bytes = BYTES, .root = guilty};
  prepare_call(&x, comm);
  if (!first)
    MUST(make_call(&x, comm));
  wrong.by = rank == guilty ? by : 0;
  wrong.to = -1;
  wrong.sent = NULL;
  const int class = class_of(make_call(&x, comm)), victim = most_of(wrong.to);
  wrong.by = 0;
  CHECK(victim >= 0, "%s, %s: rank %d sent nothing", s->hosts, call_name[call], guilty);
  if (rank == victim)
    CHECK(class == MPI_ERR_TRUNCATE, "%s, %s, %s: a message from rank %d of %+d bytes: class %d", s->hosts,
          call_name[call], first ? "first" : "later", guilty, by, class);
  else if (class == MPI_SUCCESS)
    CHECK(call_is_right(&x, comm), "%s, %s: wrong bytes from rank %d", s->hosts, call_name[call], guilty);
  end_call(&x);
  MUST(MPI_Comm_free(&comm));
  free(wrong.sent);
}

/* The root finds that a rank gives another count than it expects; for the others the call is over. */
static void check_gatherv(void) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm comm;
  MPI_Count *count = allocate((size_t)size * sizeof *count);
  MPI_Aint *place = allocate((size_t)size * sizeof *place);
  unsigned char *bytes = allocate((size_t)size * 2), *own = calloc(2, 1);
  CHECK(own != NULL, "no memory");
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  MUST(set_up(comm, "mesh.txt", NULL, NULL, NULL));
  for (int r = 0; r < size; r++) {
    count[r] = 1;
    place[r] = 2 * (MPI_Aint)r;
  }
  MUST(gbcast_gatherv(own, 1, MPI_BYTE, bytes, count, place, MPI_BYTE, 0, comm));
  const int rc =
      gbcast_gatherv(own, rank == size - 1 ? 2 : 1, MPI_BYTE, bytes, count, place, MPI_BYTE, 0, comm);
  CHECK(rank != 0 || rc == MPI_ERR_TRUNCATE, "returned %d", rc);
  MUST(MPI_Comm_free(&comm));
  free(bytes);
  free(own);
  free(count);
  free(place);
}

int main(int argc, char **argv) {
  static const scene scenes[] = {{"grid-flat.txt", "flat"}};
  MUST(MPI_Init(&argc, &argv));
  /* MPICH raises there what fails in MPI_Testany. */
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  const int size = size_of(MPI_COMM_WORLD);
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
    for (int call = 0; call < ALLTOALL; call++)
      for (int guilty = 0; guilty < size; guilty++)
        for (int kind = 0; kind < 4; kind++)
          check(&scenes[i], (enum call)call, guilty, kind < 2, kind % 2 == 0 ? -1 : 1);
  if (size > 1)
    check_gatherv();
  leave_all_to_finalize();
  MUST(MPI_Finalize());
  return 0;
}
