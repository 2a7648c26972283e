/* What a reduction and an allreduce share: their operators (operators.c), checks and runs (reducing.c). */
#ifndef GB_MPI_API_REDUCING_H
#define GB_MPI_API_REDUCING_H

#include "mpi/api/collective.h"

/* Fills *out, `taken` included. MPI_ERR_OP: no operator; MPI_ERR_TYPE; an MPI error code. */
int gb_reduction_find(MPI_Op op, MPI_Datatype type, gb_reduction *out);

/* A gb_operator; context: a gb_reduction. */
int gb_reduction_apply(const void *context, const char *in, char *inout, size_t length);

/* For `check`, of the operands: `receives` tells whether this rank gets the result, `in_place` whether it may
 * give its operands there. */
int gb_reducing_check(const gb_comm *c, const gb_arguments *a, bool receives, bool in_place, gb_sizes *sizes);

/* The type of the operands. */
static inline MPI_Datatype gb_reducing_type(const gb_transfer *t) {
  return t->send.buf == MPI_IN_PLACE ? t->receive.type : t->send.type;
}

/* `begin` of both, and `end`. */
int gb_reducing_begin(gb_api_call *x, gb_transfer *t, unsigned run);
int gb_reducing_end(gb_api_call *x, gb_transfer *t);

#endif
