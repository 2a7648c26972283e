/* What MPI checks before a collective, with the same error classes. */
#include "mpi/args.h"
#include "mpi/types.h"

/* Whether a type is committed cannot be asked, but MPI_Pack() of no elements looks. */
static int check_committed(const gb_comm *c, MPI_Datatype type) {
  if (type == MPI_BYTE)
    return MPI_SUCCESS;
  char nothing[1] = {0};
  int position = 0;
  return MPI_Pack(nothing, 0, type, nothing, 0, &position, c->dup);
}

int gb_check_buffer(const gb_comm *c, const void *buffer, MPI_Count count, MPI_Datatype type, size_t *bytes) {
  if (count < 0)
    return MPI_ERR_COUNT;
  if (type == MPI_DATATYPE_NULL)
    return MPI_ERR_TYPE;
  int rc = gb_type_bytes(count, type, bytes);
  if (rc != MPI_SUCCESS || *bytes == 0 || (rc = check_committed(c, type)) != MPI_SUCCESS)
    return rc;
  if (buffer == MPI_IN_PLACE)
    return MPI_ERR_BUFFER;
  if (buffer != NULL)
    return MPI_SUCCESS;
  /* MPI_BOTTOM may be NULL: right for a type that holds addresses, and those do not begin at 0 */
  MPI_Count lower, extent;
  rc = MPI_Type_get_true_extent_x(type, &lower, &extent);
  return rc == MPI_SUCCESS && lower == 0 ? MPI_ERR_BUFFER : rc;
}
