/* The datatypes that the cases are run with. */
#include "types.h"
#include "record.h"
#include <stddef.h>
#include <string.h>

#define NAMED(type)                                                                                          \
  { #type, type, 1 }

void types_predefined(type_list *out) {
  static const named_type all[] = {NAMED(MPI_CHAR),
                                   NAMED(MPI_SIGNED_CHAR),
                                   NAMED(MPI_UNSIGNED_CHAR),
                                   NAMED(MPI_BYTE),
                                   NAMED(MPI_WCHAR),
                                   NAMED(MPI_SHORT),
                                   NAMED(MPI_UNSIGNED_SHORT),
                                   NAMED(MPI_INT),
                                   NAMED(MPI_UNSIGNED),
                                   NAMED(MPI_LONG),
                                   NAMED(MPI_UNSIGNED_LONG),
                                   NAMED(MPI_LONG_LONG),
                                   NAMED(MPI_LONG_LONG_INT),
                                   NAMED(MPI_UNSIGNED_LONG_LONG),
                                   NAMED(MPI_FLOAT),
                                   NAMED(MPI_DOUBLE),
                                   NAMED(MPI_LONG_DOUBLE),
                                   NAMED(MPI_C_BOOL),
                                   NAMED(MPI_INT8_T),
                                   NAMED(MPI_INT16_T),
                                   NAMED(MPI_INT32_T),
                                   NAMED(MPI_INT64_T),
                                   NAMED(MPI_UINT8_T),
                                   NAMED(MPI_UINT16_T),
                                   NAMED(MPI_UINT32_T),
                                   NAMED(MPI_UINT64_T),
                                   NAMED(MPI_C_COMPLEX),
                                   NAMED(MPI_C_FLOAT_COMPLEX),
                                   NAMED(MPI_C_DOUBLE_COMPLEX),
                                   NAMED(MPI_C_LONG_DOUBLE_COMPLEX),
                                   NAMED(MPI_AINT),
                                   NAMED(MPI_OFFSET),
                                   NAMED(MPI_COUNT),
                                   NAMED(MPI_PACKED),
                                   NAMED(MPI_FLOAT_INT),
                                   NAMED(MPI_DOUBLE_INT),
                                   NAMED(MPI_LONG_INT),
                                   NAMED(MPI_SHORT_INT),
                                   NAMED(MPI_2INT),
                                   NAMED(MPI_LONG_DOUBLE_INT),
                                   NAMED(MPI_CXX_BOOL),
                                   NAMED(MPI_CXX_FLOAT_COMPLEX),
                                   NAMED(MPI_CXX_DOUBLE_COMPLEX),
                                   NAMED(MPI_CXX_LONG_DOUBLE_COMPLEX),
                                   NAMED(MPI_CHARACTER),
                                   NAMED(MPI_LOGICAL),
                                   NAMED(MPI_INTEGER),
                                   NAMED(MPI_REAL),
                                   NAMED(MPI_DOUBLE_PRECISION),
                                   NAMED(MPI_COMPLEX),
                                   NAMED(MPI_DOUBLE_COMPLEX),
                                   NAMED(MPI_2INTEGER),
                                   NAMED(MPI_2REAL),
                                   NAMED(MPI_2DOUBLE_PRECISION),
                                   NAMED(MPI_INTEGER1),
                                   NAMED(MPI_INTEGER2),
                                   NAMED(MPI_INTEGER4),
                                   NAMED(MPI_INTEGER8),
                                   NAMED(MPI_REAL4),
                                   NAMED(MPI_REAL8),
                                   NAMED(MPI_REAL16),
                                   NAMED(MPI_COMPLEX8),
                                   NAMED(MPI_COMPLEX16),
                                   NAMED(MPI_COMPLEX32)};
  out->count = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    MPI_Count size = 0; /* 0 where a compiler that MPI was built with has no such type */
    if (all[i].type != MPI_DATATYPE_NULL && MPI_Type_size_x(all[i].type, &size) == MPI_SUCCESS && size > 0)
      out->type[out->count++] = all[i];
  }
}

/* Takes `type` over. */
static void add(type_list *out, const char *name, MPI_Datatype type, int units) {
  must(MPI_Type_commit(&type), name);
  out->type[out->count++] = (named_type){name, type, units};
}

/* The same with another place of its begin and end; takes `type` over. */
static MPI_Datatype resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent) {
  MPI_Datatype out;
  must(MPI_Type_create_resized(type, lower, extent, &out), "MPI_Type_create_resized");
  must(MPI_Type_free(&type), "MPI_Type_free");
  return out;
}

static MPI_Datatype vector(int count, int length, MPI_Aint stride, MPI_Datatype of) {
  MPI_Datatype out;
  must(MPI_Type_create_hvector(count, length, stride, of, &out), "MPI_Type_create_hvector");
  return out;
}

static MPI_Datatype contiguous(int count, MPI_Datatype of) {
  MPI_Datatype out;
  must(MPI_Type_contiguous(count, of, &out), "MPI_Type_contiguous");
  return out;
}

/* Parts of arrays. */
static void add_arrays(type_list *out) {
  MPI_Datatype type;
  must(MPI_Type_create_subarray(2, (int[]){4, 5}, (int[]){2, 3}, (int[]){1, 2}, MPI_ORDER_C, MPI_INT, &type),
       "MPI_Type_create_subarray");
  add(out, "subarray", type, 6);
  must(MPI_Type_create_subarray(3, (int[]){2, 3, 2}, (int[]){2, 2, 1}, (int[]){0, 1, 1}, MPI_ORDER_FORTRAN,
                                MPI_INT, &type),
       "MPI_Type_create_subarray");
  add(out, "subarray in Fortran's order", type, 4);
  must(MPI_Type_create_darray(4, 1, 2, (int[]){4, 6}, (int[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK},
                              (int[]){MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, (int[]){2, 2},
                              MPI_ORDER_C, MPI_INT, &type),
       "MPI_Type_create_darray");
  add(out, "darray", type, 6);
}

/* Blocks here and there, some before the buffer's address, some of no length, in and out of order. */
static void add_blocks(type_list *out) {
  MPI_Datatype type;
  must(MPI_Type_indexed(4, (int[]){1, 0, 2, 1}, (int[]){7, 3, 1, -4}, MPI_INT, &type), "MPI_Type_indexed");
  add(out, "indexed", type, 4);
  must(MPI_Type_create_hindexed(2, (int[]){2, 1}, (MPI_Aint[]){17, 2}, MPI_INT, &type),
       "MPI_Type_create_hindexed");
  add(out, "hindexed, odd addresses", type, 3);
  must(MPI_Type_create_indexed_block(3, 2, (int[]){6, 0, 3}, MPI_INT, &type),
       "MPI_Type_create_indexed_block");
  add(out, "indexed block", type, 6);
  must(MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]){-8, 8}, MPI_INT, &type),
       "MPI_Type_create_hindexed_block");
  add(out, "hindexed block", type, 2);
  must(MPI_Type_create_struct(3, (int[]){1, 0, 2}, (MPI_Aint[]){12, 4, 0},
                              (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_INT}, &type),
       "MPI_Type_create_struct");
  add(out, "struct, an empty part", type, 3);
}

void types_ints(type_list *out) {
  const MPI_Aint one = sizeof(int);
  MPI_Datatype type;
  out->count = 0;
  must(MPI_Type_dup(MPI_INT, &type), "MPI_Type_dup");
  add(out, "dup", type, 1);
  add(out, "contiguous", contiguous(3, MPI_INT), 3);
  add(out, "vector", vector(3, 2, 5 * one, MPI_INT), 6);
  add(out, "vector without holes", vector(2, 2, 2 * one, MPI_INT), 4);
  add(out, "vector backwards", vector(3, 1, -2 * one, MPI_INT), 3);
  add(out, "resized, a hole behind", resized(contiguous(2, MPI_INT), 0, 3 * one), 2);
  add(out, "resized, a hole before", resized(contiguous(2, MPI_INT), -one - 1, 4 * one), 2);
  add(out, "resized, in pairs", resized(vector(2, 1, 9 * one, MPI_INT), 0, 18 * one), 2);
  add(out, "resized, backwards", resized(contiguous(1, MPI_INT), 0, -2 * one), 1);
  add_blocks(out);
  add_arrays(out);
  type = vector(2, 1, 4 * one, MPI_INT);
  add(out, "vector of vectors", vector(2, 3, 20 * one, type), 12);
  must(MPI_Type_free(&type), "MPI_Type_free");
  type = resized(contiguous(1, MPI_INT), 0, 2 * one);
  add(out, "contiguous with holes", contiguous(4, type), 4);
  must(MPI_Type_free(&type), "MPI_Type_free");
  add(out, "wide vector", vector(12, 1, 500, MPI_INT), 12);
}

static MPI_Datatype triple(MPI_Aint i, MPI_Aint d, MPI_Aint c, MPI_Aint extent) {
  MPI_Datatype out;
  must(MPI_Type_create_struct(3, (int[]){1, 1, 1}, (MPI_Aint[]){i, d, c},
                              (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_CHAR}, &out),
       "MPI_Type_create_struct");
  return resized(out, 0, extent);
}

void types_structs(type_list *out) {
  struct natural {
    int i;
    double d;
    char c;
  };
  out->count = 0;
  MPI_Datatype natural = triple(offsetof(struct natural, i), offsetof(struct natural, d),
                                offsetof(struct natural, c), sizeof(struct natural));
  add(out, "of them", contiguous(2, natural), 2);
  add(out, "every third of them", vector(3, 1, 3 * (MPI_Aint)sizeof(struct natural), natural), 3);
  add(out, "natural", natural, 1);
  add(out, "without holes", triple(0, 4, 12, 13), 1);
  add(out, "in another order", triple(16, 0, 9, 24), 1);
  add(out, "with a long hole", triple(300, 8, 700, 999), 1);
}

void types_empty(type_list *out) {
  out->count = 0;
  add(out, "no ints", contiguous(0, MPI_INT), 1);
  add(out, "a hole alone", resized(contiguous(0, MPI_INT), 0, 48), 1);
}

void types_free(type_list *list) {
  for (int i = 0; i < list->count; i++)
    must(MPI_Type_free(&list->type[i].type), list->type[i].name);
}
