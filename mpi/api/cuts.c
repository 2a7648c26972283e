#include "mpi/api/cuts.h"
#include <stdlib.h>

void gb_cuts_free(gb_cuts *x) {
  free(x->length[0]);
  free(x->start[0]);
}

int gb_cuts_new(const gb_role *role, gb_cuts *x) {
  size_t all = 0, at = 0;
  x->trees = role->tree_count;
  for (uint32_t t = 0; t < role->tree_count; t++)
    all += gb_subtree(role, t);
  x->length[0] = malloc(sizeof *x->length[0] * (all + 1));
  x->start[0] = malloc(sizeof *x->start[0] * (2 * all + x->trees + 1));
  if (x->length[0] == NULL || x->start[0] == NULL)
    return MPI_ERR_NO_MEM;
  for (uint32_t t = 0; t < x->trees; t++) {
    x->length[t] = x->length[0] + at;
    x->start[t] = x->start[0] + 2 * at + t;
    x->skips[t] = x->start[t] + gb_subtree(role, t) + 1;
    at += gb_subtree(role, t);
  }
  return MPI_SUCCESS;
}

void gb_cuts_make(const gb_role *role, gb_cuts *x, gb_blocks *blocks) {
  for (uint32_t t = 0; t < x->trees; t++) {
    x->start[t][0] = 0;
    for (uint32_t i = 0; i < gb_subtree(role, t); i++)
      x->start[t][i + 1] = x->start[t][i] + gb_role_share(role, t, x->length[t][i], &x->skips[t][i]);
    blocks[t] = (gb_blocks){.start = x->start[t], .skips = x->skips[t]};
  }
}
