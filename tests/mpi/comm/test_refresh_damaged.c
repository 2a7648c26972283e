/* GBCAST_REFRESH: news that change on their way, or come short. The call fails where they cannot be read, and
 * all ranks go on with the same plans. */
#include "mpi/exec/header.h"
#include "tests/support/mpi/refresh.h"
#include "tests/support/mpi/sending.h"

enum damage { BYTE, SHORT, LENGTH, DAMAGES };
static const char *const damage_name[] = {"a byte", "the end", "the length"};

static struct {
  bool armed; /* the next news that this rank sends are damaged */
  enum damage what;
  bool behind_length; /* the next message with the tag of news is the news themselves */
  char *sent;         /* in a copy, which is MPI's until it has gone */
} harm;

/* To each child goes a segment of the data, then the length of the news, then the news. */
static const void *harmed(const void *from, int *count, int tag) {
  if (tag % 256 != GB_LAST_TAG || *count == 0)
    return from;
  const bool news = harm.behind_length, length = !news && *count == sizeof(uint64_t);
  harm.behind_length = length;
  if (!harm.armed || !(harm.what == LENGTH ? length : news))
    return from;
  harm.armed = false;
  harm.sent = allocate((size_t)*count);
  memcpy(harm.sent, from, (size_t)*count);
  if (harm.what == SHORT)
    --*count;
  else
    harm.sent[harm.what == BYTE ? *count / 2 : 0] ^= 0x10;
  return harm.sent;
}

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
SENDING(__wrap_MPI_Isend, __real_MPI_Isend, from = harmed(from, &count, tag))
SENDING(__wrap_MPI_Issend, __real_MPI_Issend, from = harmed(from, &count, tag))
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

/* From a root that is rank 0, which finds the news, or that has been offered them. */
static void damaged(enum damage what, int root) {
  grid g = begin(0, always);
  const int rank = rank_in(g.comm);
  char *buffer = allocate(REFERENCE);
  broadcast(g.comm, REFERENCE / 8, root, 1);
  set_rate(&g, 2);
  harm.armed = rank == root;
  harm.what = what;
  harm.sent = NULL;
  for (int going[2] = {0, 0}; going[0] == 0;) { /* sent; seen */
    going[1] = gbcast(buffer, REFERENCE / 8, root, g.comm) != MPI_SUCCESS;
    going[0] = rank == root && !harm.armed;
    MUST(MPI_Allreduce(MPI_IN_PLACE, going, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CHECK(going[0] == going[1], "%s of the news from root %d is damaged: no rank says so", damage_name[what],
          root);
  }
  harm.armed = false;
  until_good(g.comm, 1, buffer, REFERENCE, 77);
  for (uint64_t i = 0; rate_of(&g) != 2; i++)
    broadcast(g.comm, REFERENCE / 8, root, i);
  end(&g);
  free(buffer);
  free(harm.sent);
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  /* MPICH raises there what fails in MPI_Testany. */
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  for (int what = 0; what < DAMAGES; what++)
    for (int root = 0; root < 2; root++) /* at an end of the link that changes */
      damaged((enum damage)what, root);
  MUST(MPI_Finalize());
  return 0;
}
