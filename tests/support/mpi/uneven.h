/* What tests of collectives with blocks of unequal lengths, and with holes, share. */
#ifndef GB_TESTS_SUPPORT_MPI_UNEVEN_H
#define GB_TESTS_SUPPORT_MPI_UNEVEN_H

#include "tests/support/mpi/check.h"

typedef struct uneven_blocks { /* by rank of MPI_COMM_WORLD */
  MPI_Count *count;
  MPI_Aint *place;
  int total; /* integers, gaps included */
} uneven_blocks;

/* Rank r has (r * step) % 5 * unit integers. They lie backwards, with a gap before each block. */
static inline uneven_blocks make_uneven(int unit, int step) {
  const int size = size_of(MPI_COMM_WORLD);
  uneven_blocks b = {allocate(sizeof *b.count * (size_t)size), allocate(sizeof *b.place * (size_t)size), 0};
  for (int r = size - 1; r >= 0; r--) {
    b.count[r] = r * step % 5 * unit;
    b.place[r] = ++b.total;
    b.total += (int)b.count[r];
  }
  return b;
}

static inline void free_uneven(uneven_blocks *b) {
  free(b->count);
  free(b->place);
}

/* MPI_INT, or every second one. To be given to free_ints(). */
static inline MPI_Datatype make_ints(bool holes) {
  MPI_Datatype type = MPI_INT;
  if (holes) {
    MUST(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &type));
    MUST(MPI_Type_commit(&type));
  }
  return type;
}

static inline void free_ints(MPI_Datatype *type, bool holes) {
  if (holes)
    MUST(MPI_Type_free(type));
}

/* Of every rank's block of an uneven gather in `receive`, where a rank's integer i is r * 1000003 + i: what
 * is wrong fails the test, and so does whatever else is no -7. */
static inline void check_gathered(const uneven_blocks *b, int *receive, int room, int stride,
                                  const char *what) {
  const int size = size_of(MPI_COMM_WORLD);
  for (int r = 0; r < size; r++)
    for (int i = 0; i < b->count[r]; i++) {
      int *at = &receive[((int)b->place[r] + i) * stride];
      CHECK(*at == r * 1000003 + i, "%s: element %d of rank %d is wrong", what, i, r);
      *at = -7;
    }
  for (int i = 0; i < room; i++)
    CHECK(receive[i] == -7, "%s: wrote to integer %d", what, i);
}

typedef struct loose { /* a double and an int, with a hole between them */
  double d;
  char hole[5];
  int i;
} loose;

/* (int, double) of a `loose`. */
static inline MPI_Datatype make_loose(void) {
  MPI_Datatype pair, type;
  MUST(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){offsetof(loose, i), offsetof(loose, d)},
                              (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &pair));
  MUST(MPI_Type_create_resized(pair, 0, sizeof(loose), &type));
  MUST(MPI_Type_free(&pair));
  MUST(MPI_Type_commit(&type));
  return type;
}

#endif
