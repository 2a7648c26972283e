/* What reductions, allreduces and reduce-scatters share: operators (operators.c), checks and runs
 * (reducing.c). */
#ifndef GB_MPI_API_REDUCING_H
#define GB_MPI_API_REDUCING_H

#include "mpi/api/collective.h"

/* Fills *out, `taken` included. MPI_ERR_OP: no operator; MPI_ERR_TYPE; an MPI error code. */
int gb_reduction_find(MPI_Op op, MPI_Datatype type, gb_reduction *out);

/* A gb_operator; context: a gb_reduction. */
int gb_reduction_apply(const void *context, const char *in, char *inout, size_t length);

/* For `check`. */
int gb_reducing_check(const gb_collective *what, const gb_comm *c, const gb_arguments *a, gb_sizes *sizes);

/* The type of the operands. */
static inline MPI_Datatype gb_reducing_type(const gb_transfer *t) {
  return t->send.buf == MPI_IN_PLACE ? t->receive.type : t->send.type;
}

/* Bytes of staging for what comes up a tree, of `length` bytes. last: where it is wanted, if it stays on this
 * rank; otherwise NULL. in_place: this rank's operands are there already. */
size_t gb_reducing_room(const gb_rank_tree *tree, size_t length, bool in_place, const char *last);

/* Says where the bytes of such a tree are: this rank's operands at `own`, and the result at s->result, which
 * is `last` if that is not NULL. Returns the bytes of staging that it takes. */
size_t gb_reducing_set(const gb_transfer *t, gb_tree_stream *s, const char *own, char *last, char *staging);

/* `begin` of reductions and allreduces, and `end`. */
int gb_reducing_begin(gb_api_call *x, gb_transfer *t);
int gb_reducing_end(gb_api_call *x, gb_transfer *t);

#endif
