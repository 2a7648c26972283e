/* gbcast_barrier(): an allreduce of one byte that nobody looks at. A rank has it when all have given theirs.
 */
#include "mpi/api/reducing.h"

static int check(const gb_collective *what, const gb_comm *c, const gb_arguments *a, gb_sizes *sizes) {
  (void)what;
  (void)c;
  (void)a;
  sizes->planned = 1;
  sizes->sends = sizes->receives = 1;
  return MPI_SUCCESS;
}

static int begin(gb_api_call *x, gb_transfer *t) {
  t->block = 1;
  t->unpacked = gb_get_staging(&x->h, t->block);
  t->send = (gb_buffer){MPI_IN_PLACE, 1, MPI_BYTE, NULL, NULL};
  t->receive = (gb_buffer){t->unpacked, 1, MPI_BYTE, NULL, NULL};
  t->op = MPI_BOR;
  return t->unpacked != NULL ? gb_reducing_begin(x, t) : MPI_ERR_NO_MEM;
}

static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  (void)t;
  return gb_handle_native(&x->h, GB_NATIVE(request, PMPI_Barrier, PMPI_Ibarrier, x->h.comm));
}

const gb_collective gb_api_barrier = {.kind = GB_CALL_barrier,
                                      .operation = GBCAST_BARRIER,
                                      .name = "a barrier",
                                      .runs = 1,
                                      .check = check,
                                      .begin = begin,
                                      .end = gb_reducing_end,
                                      .native = native};
