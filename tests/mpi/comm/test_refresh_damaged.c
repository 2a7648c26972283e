/* GBCAST_REFRESH: an update that changes on its way. The call in which it should come into use fails on all
 * ranks, and gbcast_refresh() makes all anew. */
#include "tests/support/mpi/leaks.h"
#include "tests/support/mpi/refresh.h"

static bool armed; /* the next update that rank 0 sends is damaged */

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
int __real_PMPI_Ibcast(void *bytes, int count, MPI_Datatype type, int root, MPI_Comm comm,
                       MPI_Request *request);
int __wrap_PMPI_Ibcast(void *bytes, int count, MPI_Datatype type, int root, MPI_Comm comm,
                       MPI_Request *request);
int __wrap_PMPI_Ibcast(void *bytes, int count, MPI_Datatype type, int root, MPI_Comm comm,
                       MPI_Request *request) {
  if (armed && type == MPI_BYTE) { /* announcements are numbers */
    ((unsigned char *)bytes)[count / 2] ^= 0x10;
    armed = false;
  }
  return __real_PMPI_Ibcast(bytes, count, type, root, comm, request);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

static void damaged(int root) {
  grid g = begin(0, always);
  char *buffer = allocate(REFERENCE);
  int class = MPI_SUCCESS;
  broadcast(g.comm, REFERENCE / 8, root, 1);
  set_rate(&g, 2);
  armed = rank_in(g.comm) == 0;
  for (int calls = 0; class == MPI_SUCCESS; calls++) {
    class = class_of(gbcast(buffer, REFERENCE / 8, root, g.comm));
    CHECK(calls < 1000, "an update is damaged: nobody says so");
  }
  CHECK(class == MPI_ERR_OTHER && !armed, "a damaged update: class %d", class);
  CHECK(class_of(gbcast(buffer, REFERENCE / 8, root, g.comm)) == class, "a call after it");
  MUST(gbcast_refresh(g.comm));
  until(&g, root, 2);
  end(&g);
  free(buffer);
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  for (int root = 0; root < 2; root++) /* at an end of the link that changes */
    damaged(root);
  leave_all_to_finalize();
  MUST(MPI_Finalize());
  return 0;
}
