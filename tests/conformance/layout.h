/* How the blocks of different lengths lie that a rank has, one for each rank. */
#ifndef GB_CONFORMANCE_LAYOUT_H
#define GB_CONFORMANCE_LAYOUT_H

#include "cases.h"

enum layout {
  PACKED,   /* one after another */
  GAPS,     /* with bytes between them that nobody gets */
  BACK,     /* the last rank's block comes first */
  AROUND,   /* blocks on both sides of the buffer's address */
  SOME_OFF, /* every other rank gets nothing */
  ALL_OFF,  /* nobody gets anything */
  LAYOUTS
};
extern const char *const layout_name[LAYOUTS];

/* Units for each rank, in a number that all types of a family divide. */
int units_of(enum layout layout, int rank, int units);

typedef struct blocks { /* of each rank: elements, and where they begin, in elements from the buffer's address
                         */
  int ranks;
  MPI_Count *count;
  MPI_Aint *begin;
} blocks;

/* Of units_of() units each. */
blocks blocks_new(enum layout layout, int ranks, int units, const named_type *t);
/* Of so many elements each. */
blocks blocks_of(enum layout layout, int ranks, const MPI_Count *count);
void blocks_free(blocks *b);

/* A buffer that all of them lie in. */
region blocks_region(const blocks *b, MPI_Datatype type, uint64_t key);

#endif
