/* GBCAST_REFRESH: an update that changes on its way, or of which MPI does not tell whether it has arrived.
 * The call in which it should come into use fails on all ranks, and gbcast_refresh() makes all anew. */
#include "tests/support/mpi/leaks.h"
#include "tests/support/mpi/refresh.h"

static bool armed; /* the next update that rank 0 sends is damaged */
static bool lost;  /* the next look at an update fails */

static struct { /* the last update */
  const void *bytes;
  MPI_Request request;
} update;

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
  const int rc = __real_PMPI_Ibcast(bytes, count, type, root, comm, request);
  if (type == MPI_BYTE) {
    update.bytes = bytes;
    update.request = *request;
  }
  return rc;
}

int __real_PMPI_Test(MPI_Request *request, int *done, MPI_Status *status);
int __wrap_PMPI_Test(MPI_Request *request, int *done, MPI_Status *status);
int __wrap_PMPI_Test(MPI_Request *request, int *done, MPI_Status *status) {
  const bool is_update = update.bytes != NULL && *request == update.request;
  if (is_update && lost)
    return MPI_ERR_INTERN;
  const int rc = __real_PMPI_Test(request, done, status);
  if (is_update && *request == MPI_REQUEST_NULL)
    update.bytes = NULL;
  return rc;
}

void __real_free(void *p);
void __wrap_free(void *p);
void __wrap_free(void *p) {
  CHECK(p == NULL || p != update.bytes, "an update is freed while MPI may write there");
  __real_free(p);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

static void damaged(int root, bool not_told) {
  const int expected = not_told ? MPI_ERR_INTERN : MPI_ERR_OTHER;
  grid g = begin(0, always);
  char *buffer = allocate(REFERENCE);
  int class = MPI_SUCCESS;
  broadcast(g.comm, REFERENCE / 8, root, 1);
  set_rate(&g, 2);
  armed = !not_told && rank_in(g.comm) == 0;
  lost = not_told;
  for (int calls = 0; class == MPI_SUCCESS; calls++) {
    class = class_of(gbcast(buffer, REFERENCE / 8, root, g.comm));
    CHECK(calls < 1000, "an update is damaged: nobody says so");
  }
  CHECK(class == expected && !armed, "a damaged update: class %d", class);
  update.bytes = NULL;
  lost = false;
  CHECK(class_of(gbcast(buffer, REFERENCE / 8, root, g.comm)) == class, "a call after it");
  MUST(gbcast_refresh(g.comm));
  until(&g, root, 2);
  end(&g);
  free(buffer);
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  for (int root = 0; root < 2; root++) /* at an end of the link that changes */
    for (int not_told = 0; not_told < 2; not_told++)
      damaged(root, not_told != 0);
  leave_all_to_finalize();
  MUST(MPI_Finalize());
  return 0;
}
