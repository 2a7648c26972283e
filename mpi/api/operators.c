/* Which reductions are taken over. MPI's own operators are known for MPI's own types alone; the standard (MPI
 * 4.0, 6.9.2) says for which. All others are left to MPI, which tells what is wrong with them:
 *
 *   operators that do not commute   the order of ranks would have to be kept
 *   types with gaps                 what is in a gap of the receive buffer must stay
 *   operands of 3, 12, 24 ... bytes shares and segments end at multiples of 64 (GB_OPERANDS) */
#include "mpi/api/reducing.h"

enum { INTEGER = 1, REAL = 2, LOGICAL = 4, COMPLEX = 8, BYTES = 16, PAIR = 32 };

typedef struct kind {
  MPI_Datatype type;
  unsigned kinds;
} kind;

/* The kinds of one of MPI's own types; 0: it is none that operators know. */
static unsigned kinds_of(MPI_Datatype type) {
  const kind known[] = {
      {MPI_DOUBLE, REAL},
      {MPI_FLOAT, REAL},
      {MPI_INT, INTEGER},
      {MPI_LONG, INTEGER},
      {MPI_UNSIGNED, INTEGER},
      {MPI_UNSIGNED_LONG, INTEGER},
      {MPI_LONG_LONG_INT, INTEGER},
      {MPI_UNSIGNED_LONG_LONG, INTEGER},
      {MPI_INT64_T, INTEGER},
      {MPI_UINT64_T, INTEGER},
      {MPI_INT32_T, INTEGER},
      {MPI_UINT32_T, INTEGER},
      {MPI_INT16_T, INTEGER},
      {MPI_UINT16_T, INTEGER},
      {MPI_INT8_T, INTEGER},
      {MPI_UINT8_T, INTEGER},
      {MPI_SHORT, INTEGER},
      {MPI_UNSIGNED_SHORT, INTEGER},
      {MPI_SIGNED_CHAR, INTEGER},
      {MPI_UNSIGNED_CHAR, INTEGER},
      {MPI_AINT, INTEGER},
      {MPI_OFFSET, INTEGER},
      {MPI_COUNT, INTEGER},
      {MPI_LONG_DOUBLE, REAL},
      {MPI_C_BOOL, LOGICAL},
      {MPI_C_FLOAT_COMPLEX, COMPLEX},
      {MPI_C_DOUBLE_COMPLEX, COMPLEX},
      {MPI_C_LONG_DOUBLE_COMPLEX, COMPLEX},
      {MPI_BYTE, BYTES},
      {MPI_FLOAT_INT, PAIR},
      {MPI_DOUBLE_INT, PAIR},
      {MPI_LONG_INT, PAIR},
      {MPI_2INT, PAIR},
      {MPI_SHORT_INT, PAIR},
      {MPI_LONG_DOUBLE_INT, PAIR},
#ifndef GB_SIMULATED /* which has no Fortran */
      {MPI_INTEGER, INTEGER},
      {MPI_REAL, REAL},
      {MPI_DOUBLE_PRECISION, REAL},
      {MPI_LOGICAL, LOGICAL},
      {MPI_COMPLEX, COMPLEX},
      {MPI_DOUBLE_COMPLEX, COMPLEX},
      {MPI_2INTEGER, PAIR},
      {MPI_2REAL, PAIR},
      {MPI_2DOUBLE_PRECISION, PAIR},
#endif
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].type == type)
      return known[i].kinds;
  return 0;
}

/* The kinds that one of MPI's own operators knows; 0: it is the program's. */
static unsigned operands_of(MPI_Op op) {
  const struct {
    MPI_Op op;
    unsigned kinds;
  } known[] = {
      {MPI_SUM, INTEGER | REAL | COMPLEX},
      {MPI_PROD, INTEGER | REAL | COMPLEX},
      {MPI_MAX, INTEGER | REAL},
      {MPI_MIN, INTEGER | REAL},
      {MPI_LAND, INTEGER | LOGICAL},
      {MPI_LOR, INTEGER | LOGICAL},
      {MPI_LXOR, INTEGER | LOGICAL},
      {MPI_BAND, INTEGER | BYTES},
      {MPI_BOR, INTEGER | BYTES},
      {MPI_BXOR, INTEGER | BYTES},
      {MPI_MAXLOC, PAIR},
      {MPI_MINLOC, PAIR},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].op == op)
      return known[i].kinds;
  return 0;
}

int gb_reduction_find(MPI_Op op, MPI_Datatype type, gb_reduction *out) {
  const unsigned operands = op == MPI_OP_NULL ? 0 : operands_of(op);
  bool contiguous = false;
  int commutes = 0, rc = op == MPI_OP_NULL ? MPI_ERR_OP : MPI_SUCCESS;
  MPI_Count lower = 0, extent = 0;
  *out = (gb_reduction){.op = op, .type = type, .foreign = operands == 0};
  if (rc == MPI_SUCCESS && type == MPI_DATATYPE_NULL)
    rc = MPI_ERR_TYPE;
  if (rc == MPI_SUCCESS)
    rc = MPI_Type_get_extent_x(type, &lower, &extent);
  if (rc != MPI_SUCCESS)
    return rc;
  out->extent = extent > 0 ? (size_t)extent : 0;
  if (operands != 0) {
    out->taken = (operands & kinds_of(type)) != 0;
  } else if ((rc = MPI_Op_commutative(op, &commutes)) == MPI_SUCCESS && commutes) {
    rc = gb_type_is_contiguous(type, &contiguous);
    out->taken = contiguous;
  }
  out->taken = out->taken && out->extent > 0 && GB_OPERANDS % out->extent == 0;
  return rc;
}

int gb_reduction_apply(const void *context, const char *in, char *inout, size_t length) {
  const gb_reduction *r = context;
  return MPI_Reduce_local(in, inout, (int)(length / r->extent), r->type, r->op);
}
