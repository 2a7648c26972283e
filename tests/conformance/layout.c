#include "layout.h"
#include <stdlib.h>

const char *const layout_name[LAYOUTS] = {"packed", "gaps",         "back to front",
                                          "around", "some nothing", "all nothing"};

int units_of(enum layout layout, int rank, int units) {
  const bool off = layout == ALL_OFF || (layout == SOME_OFF && rank % 2 == 0);
  return off ? 0 : units * (1 + rank % 3);
}

blocks blocks_of(enum layout layout, int ranks, const MPI_Count *count) {
  blocks b = {ranks, allocate(sizeof *b.count * (size_t)ranks), allocate(sizeof *b.begin * (size_t)ranks)};
  MPI_Aint at = 0;
  for (int i = 0; layout == AROUND && i < ranks; i++)
    at -= (MPI_Aint)count[i] / 2 + 1;
  for (int i = 0; i < ranks; i++) {
    const int rank = layout == BACK ? ranks - 1 - i : i;
    b.count[rank] = count[rank];
    b.begin[rank] = at;
    at += (MPI_Aint)count[rank] + (layout == GAPS || layout == AROUND ? 3 : 0);
  }
  return b;
}

blocks blocks_new(enum layout layout, int ranks, int units, const named_type *t) {
  MPI_Count *count = allocate(sizeof *count * (size_t)ranks);
  for (int i = 0; i < ranks; i++)
    count[i] = units_of(layout, i, units) / t->units;
  const blocks b = blocks_of(layout, ranks, count);
  free(count);
  return b;
}

void blocks_free(blocks *b) {
  free(b->count);
  free(b->begin);
}

region blocks_region(const blocks *b, MPI_Datatype type, uint64_t key) {
  MPI_Count first = 0, end = 0;
  for (int i = 0; i < b->ranks; i++) {
    first = b->begin[i] < first ? b->begin[i] : first;
    end = b->begin[i] + b->count[i] > end ? b->begin[i] + b->count[i] : end;
  }
  return region_new(type, first, end, key);
}
