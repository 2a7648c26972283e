/* GBCAST_CHECK: whether what has landed in a caller's buffer is what was sent. */
#include "mpi/api/verify.h"
#include <inttypes.h>
#include <stdio.h>

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
          c->wire.rank, host_of(c, c->wire.rank), bytes, what, from, host_of(c, from), found, sent);
  return MPI_ERR_OTHER;
}
