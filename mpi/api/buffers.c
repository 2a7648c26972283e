/* Where the data of a collective are, at its two ends. */
#include "mpi/api/buffers.h"
#include "mpi/exec/exec.h"

int gb_receive_keep(const gb_receive *r, const char *packed, size_t bytes, MPI_Comm comm) {
  if (bytes == 0)
    return MPI_SUCCESS;
  bool contiguous;
  int rc = gb_type_is_contiguous(r->type, &contiguous);
  if (rc != MPI_SUCCESS)
    return rc;
  if (!contiguous)
    return gb_unpack(packed, bytes, r->buf, r->count, r->type, comm);
  return gb_copy(r->buf, packed, bytes, comm);
}
