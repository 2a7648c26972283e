/* GBCAST_CHECK: whether what has landed in a caller's buffer is what was sent. */
#include "mpi/api/verify.h"
#include "mpi/exec/exec.h"
#include "plan/core/core.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Of a packed copy, as the buffer may be in a device's memory. */
int gb_verify_sums(const gb_comm *c, const void *buf, MPI_Count count, MPI_Datatype type, size_t bytes,
                   int blocks, uint64_t *sum) {
  size_t all = 0;
  int rc = bytes > 0 ? gb_type_bytes(count * blocks, type, &all) : MPI_SUCCESS;
  char *packed = rc == MPI_SUCCESS ? malloc(all + 1) : NULL;
  if (rc == MPI_SUCCESS)
    rc = packed == NULL ? MPI_ERR_NO_MEM : gb_pack(buf, count * blocks, type, packed, all, c->wire.local);
  for (int i = 0; rc == MPI_SUCCESS && i < blocks; i++)
    sum[i] = gb_checksum(packed + bytes * (size_t)i, bytes);
  free(packed);
  return rc;
}

static const char *host_of(const gb_comm *c, int rank) {
  return c->platform->host[c->wire.rank_host[rank]].name;
}

int gb_verify_arrived(const gb_comm *c, const char *what, int from, size_t bytes, uint64_t sent,
                      uint64_t found) {
  if (sent == found)
    return MPI_SUCCESS;
  fprintf(stderr,
          "gbcast: rank %d on %s: the %zu bytes of %s from rank %d on %s were damaged on their way: their "
          "checksum is %016" PRIx64 " instead of %016" PRIx64 "\n",
          c->rank, host_of(c, c->rank), bytes, what, from, host_of(c, from), found, sent);
  return MPI_ERR_OTHER;
}
