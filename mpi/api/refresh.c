/* gbcast_setup(), gbcast_refresh() and gbcast_version(). */
#include "mpi/comm/comm.h"
#include "mpi/job/job.h"
#include <gbcast/gbcast.h>

#define TEXT_OF(x) #x
#define VERSION_OF(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *gbcast_version(void) {
  return VERSION_OF(GBCAST_VERSION_MAJOR, GBCAST_VERSION_MINOR, GBCAST_VERSION_PATCH);
}

/* Whether there is nothing to set up: an inter-communicator is MPI's, as is all without MPI_COMM_WORLD. */
static int is_inter(MPI_Comm comm, int *inter) {
  *inter = !gb_library_is_ours() || !gb_library_has_world();
  return *inter                  ? MPI_SUCCESS
         : comm == MPI_COMM_NULL ? gb_raise(MPI_COMM_WORLD, MPI_ERR_COMM)
                                 : MPI_Comm_test_inter(comm, inter);
}

int gbcast_setup(MPI_Comm comm, const char *hosts_path, MPI_Info info) {
  int inter, rank, rc = is_inter(comm, &inter);
  if (rc != MPI_SUCCESS || inter)
    return rc;
  if ((rc = MPI_Comm_rank(comm, &rank)) != MPI_SUCCESS)
    return rc;
  gb_overrides overrides = {0};
  if (rank == 0)
    gb_overrides_read(hosts_path, info, &overrides);
  rc = gb_comm_renew(comm, &overrides);
  gb_overrides_release(&overrides);
  return rc;
}

int gbcast_refresh(MPI_Comm comm) {
  int inter;
  const int rc = is_inter(comm, &inter);
  return rc != MPI_SUCCESS || inter ? rc : gb_comm_renew(comm, NULL);
}
