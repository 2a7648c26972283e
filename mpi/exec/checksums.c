/* Checksums of data in a caller's buffer. */
#include "mpi/exec/types.h"
#include "plan/core/core.h"
#include <stdlib.h>

/* Works on a packed copy, because the buffer may be in a device's memory. */
int gb_checksums(const void *buf, MPI_Count count, MPI_Datatype type, size_t bytes, int blocks, MPI_Comm comm,
                 uint64_t *sum) {
  size_t all = 0;
  int rc = bytes > 0 ? gb_type_bytes(count * blocks, type, &all) : MPI_SUCCESS;
  char *packed = rc == MPI_SUCCESS ? malloc(all + 1) : NULL;
  if (rc == MPI_SUCCESS)
    rc = packed == NULL ? MPI_ERR_NO_MEM : gb_pack(buf, count * blocks, type, packed, all, comm);
  for (int i = 0; rc == MPI_SUCCESS && i < blocks; i++)
    sum[i] = gb_checksum(packed + bytes * (size_t)i, bytes);
  free(packed);
  return rc;
}
