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
  leave_all_to_finalize();
  MUST(MPI_Finalize());
  return 0;
}
