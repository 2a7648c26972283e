/* Datatypes: their size, whether they are contiguous, and many elements as one. */
#include "mpi/exec/types.h"
#include <limits.h>

/* MPI 4 has types that are made with large counts. The older functions report an error for them, which
 * without a communicator ends the program. */
#if MPI_VERSION >= 4
typedef struct envelope {
  MPI_Count integers, addresses, counts, types;
  int combiner;
} envelope;

static int envelope_of(MPI_Datatype type, envelope *e) {
  return MPI_Type_get_envelope_c(type, &e->integers, &e->addresses, &e->counts, &e->types, &e->combiner);
}

/* What a duplicate, or a type of a number of others in one piece, was made of. */
static int inner_type(MPI_Datatype type, const envelope *e, MPI_Datatype *inner) {
  int integer[1];
  MPI_Aint address[1];
  MPI_Count count[1];
  return MPI_Type_get_contents_c(type, e->integers, e->addresses, e->counts, e->types, integer, address,
                                 count, inner);
}
#else
typedef struct envelope {
  int integers, addresses, types, combiner;
} envelope;

static int envelope_of(MPI_Datatype type, envelope *e) {
  return MPI_Type_get_envelope(type, &e->integers, &e->addresses, &e->types, &e->combiner);
}

/* What a duplicate, or a type of a number of others in one piece, was made of. */
static int inner_type(MPI_Datatype type, const envelope *e, MPI_Datatype *inner) {
  int integer[1];
  MPI_Aint address[1];
  return MPI_Type_get_contents(type, e->integers, e->addresses, e->types, integer, address, inner);
}
#endif

/* The type of which MPI says that another one was made is a reference to be freed, unless it is predefined.
 * Predefined are not only types with a name: MPI_Type_create_f90_real() and its like,
 * MPI_Type_get_value_index() of MPI 4.1 and later functions give predefined types, too, and freeing one ends
 * the program. So only types on this list are freed. */
static void release(MPI_Datatype *inner) {
  envelope e;
  if (envelope_of(*inner, &e) != MPI_SUCCESS)
    return;
  switch (e.combiner) {
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_CONTIGUOUS:
  case MPI_COMBINER_VECTOR:
  case MPI_COMBINER_HVECTOR:
  case MPI_COMBINER_INDEXED:
  case MPI_COMBINER_HINDEXED:
  case MPI_COMBINER_INDEXED_BLOCK:
  case MPI_COMBINER_HINDEXED_BLOCK:
  case MPI_COMBINER_STRUCT:
  case MPI_COMBINER_SUBARRAY:
  case MPI_COMBINER_DARRAY:
  case MPI_COMBINER_RESIZED:
    (void)MPI_Type_free(inner);
    break;
  default:
    break;
  }
}

/* Whether a predefined type has no holes; MPI_DOUBLE_INT has one at its end. */
static int is_whole(MPI_Datatype type, bool *whole) {
  MPI_Count lower, extent, size;
  int rc = MPI_Type_get_extent_x(type, &lower, &extent);
  if (rc == MPI_SUCCESS)
    rc = MPI_Type_size_x(type, &size);
  if (rc == MPI_SUCCESS)
    *whole = lower == 0 && size == extent;
  return rc;
}

/* Sizes are not enough: a type may take its pieces in another order than they lie in memory. Types made in
 * other ways than these few count as not contiguous, which costs a copy. */
int gb_type_is_contiguous(MPI_Datatype type, bool *contiguous) {
  *contiguous = type == MPI_BYTE;
  if (*contiguous)
    return MPI_SUCCESS;
  envelope e;
  int rc = envelope_of(type, &e);
  if (rc != MPI_SUCCESS)
    return rc;
  MPI_Datatype inner;
  switch (e.combiner) {
  case MPI_COMBINER_NAMED:
  case MPI_COMBINER_F90_REAL:
  case MPI_COMBINER_F90_COMPLEX:
  case MPI_COMBINER_F90_INTEGER:
    return is_whole(type, contiguous);
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_CONTIGUOUS:
    if ((rc = inner_type(type, &e, &inner)) != MPI_SUCCESS)
      return rc;
    rc = gb_type_is_contiguous(inner, contiguous);
    release(&inner);
    return rc;
  default:
    return MPI_SUCCESS;
  }
}

int gb_type_is_named(MPI_Datatype type, bool *named) {
  envelope e;
  int rc = envelope_of(type, &e);
  *named = rc == MPI_SUCCESS && e.combiner == MPI_COMBINER_NAMED;
  return rc;
}

int gb_type_bytes(MPI_Count count, MPI_Datatype type, size_t *bytes) {
  MPI_Count size = 1;
  int rc = MPI_Type_size_x(type, &size);
  if (rc != MPI_SUCCESS)
    return rc;
  size_t product;
  if (size < 0 || __builtin_mul_overflow((size_t)count, (size_t)size, &product))
    return MPI_ERR_COUNT;
  *bytes = product;
  return MPI_SUCCESS;
}

/* One element that is `count` of `type`: whole rows of 2^30, then the rest. */
static int big_type(MPI_Count count, MPI_Datatype type, MPI_Datatype *out) {
  const MPI_Count row_length = (MPI_Count)1 << 30;
  MPI_Count lower, extent;
  int rc = MPI_Type_get_extent_x(type, &lower, &extent);
  if (rc != MPI_SUCCESS)
    return rc;
  MPI_Count rows = count / row_length, rest = count % row_length;
  MPI_Datatype row, part[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
  if (rows > INT_MAX)
    return MPI_ERR_COUNT;
  if ((rc = MPI_Type_contiguous((int)row_length, type, &row)) != MPI_SUCCESS)
    return rc;
  rc = MPI_Type_contiguous((int)rows, row, &part[0]);
  (void)MPI_Type_free(&row);
  if (rc != MPI_SUCCESS)
    return rc;
  if ((rc = MPI_Type_contiguous((int)rest, type, &part[1])) != MPI_SUCCESS) {
    (void)MPI_Type_free(&part[0]);
    return rc;
  }
  int length[2] = {1, 1};
  MPI_Aint place[2] = {0, (MPI_Aint)(rows * row_length * extent)};
  rc = MPI_Type_create_struct(2, length, place, part, out);
  (void)MPI_Type_free(&part[0]);
  (void)MPI_Type_free(&part[1]);
  if (rc == MPI_SUCCESS && (rc = MPI_Type_commit(out)) != MPI_SUCCESS)
    (void)MPI_Type_free(out);
  return rc;
}

int gb_counted_make(MPI_Count count, MPI_Datatype type, gb_counted *out) {
  out->made = false;
  out->type = type;
  if (count <= INT_MAX && count >= INT_MIN) {
    out->count = (int)count;
    return MPI_SUCCESS;
  }
  if (count < 0)
    return MPI_ERR_COUNT;
  out->count = 1;
  int rc = big_type(count, type, &out->type);
  out->made = rc == MPI_SUCCESS;
  return rc;
}

void gb_counted_release(gb_counted *counted) {
  if (counted->made)
    (void)MPI_Type_free(&counted->type);
  counted->made = false;
}
