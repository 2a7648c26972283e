/* Operands of all kinds that tests of reductions combine. */
#ifndef GB_TESTS_SUPPORT_MPI_OPERANDS_H
#define GB_TESTS_SUPPORT_MPI_OPERANDS_H

#include "tests/support/mpi/check.h"
#include "tests/support/xorshift.h"

static inline void add_pairs(void *in, void *inout, int *count, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < 2 * *count; i++) /* modulo a prime: of all bits something is left */
    ((int32_t *)inout)[i] = (int32_t)(((int64_t)((int32_t *)in)[i] + ((int32_t *)inout)[i]) % 1000003);
}

static inline void take_first(void *in, void *inout, int *count, MPI_Datatype *type) {
  (void)type;
  memcpy(inout, in, 8 * (size_t)*count);
}

typedef struct operands {
  const char *name;
  MPI_Datatype type;
  MPI_Op op;
  size_t size; /* bytes of one */
  bool real;   /* numbers small enough that sums are exact in any order */
} operands;

static inline void fill_operands(const operands *o, void *buffer, size_t count, uint64_t key) {
  const int me = rank_in(MPI_COMM_WORLD);
  uint64_t random = key * 977 + (uint64_t)me + 1;
  for (size_t i = 0; o->real && i < count; i++)
    ((double *)buffer)[i] = (double)(int)xorshift(&random, 1 << 20);
  for (size_t i = 0; !o->real && i < count * o->size; i++)
    ((unsigned char *)buffer)[i] = (unsigned char)(xorshift(&random, 256) & (o->size == 16 ? 0x0f : 0x7f));
}

/* All of these; `pair`, and operators of the program, one of which does not commute. */
typedef struct operand_kinds {
  MPI_Datatype pair;
  MPI_Op sum_pairs, first;
  operands kind[6];
} operand_kinds;

static inline void make_kinds(operand_kinds *k) {
  MUST(MPI_Type_contiguous(2, MPI_INT32_T, &k->pair));
  MUST(MPI_Type_commit(&k->pair));
  MUST(MPI_Op_create(add_pairs, 1, &k->sum_pairs));
  MUST(MPI_Op_create(take_first, 0, &k->first));
  k->kind[0] = (operands){"sums of doubles", MPI_DOUBLE, MPI_SUM, 8, true};
  k->kind[1] = (operands){"exclusive or of bytes", MPI_BYTE, MPI_BXOR, 1, false};
  k->kind[2] = (operands){"greatest of int", MPI_INT, MPI_MAX, 4, false};
  k->kind[3] = (operands){"least pairs", MPI_2INT, MPI_MINLOC, 8, false};
  k->kind[4] = (operands){"the program's operator", k->pair, k->sum_pairs, 8, false};
  k->kind[5] = (operands){"one that does not commute", k->pair, k->first, 8, false};
}

static inline void free_kinds(operand_kinds *k) {
  MUST(MPI_Op_free(&k->first));
  MUST(MPI_Op_free(&k->sum_pairs));
  MUST(MPI_Type_free(&k->pair));
}

#endif
