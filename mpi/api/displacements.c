#include "mpi/api/displacements.h"
#include <stdlib.h>

void gb_displacements_free(gb_displacements *x) {
  free(x->length[0]);
  free(x->start[0]);
  x->length[0] = NULL;
  x->start[0] = NULL;
}

int gb_displacements_new(const gb_rank_schedule *schedule, gb_displacements *x) {
  size_t all = 0, at = 0;
  x->trees = schedule->tree_count;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    all += gb_subtree(schedule, t);
  x->length[0] = malloc(sizeof *x->length[0] * (all + 1));
  x->start[0] = malloc(sizeof *x->start[0] * (2 * all + x->trees + 1));
  if (x->length[0] == NULL || x->start[0] == NULL)
    return MPI_ERR_NO_MEM;
  for (uint32_t t = 0; t < x->trees; t++) {
    x->length[t] = x->length[0] + at;
    x->start[t] = x->start[0] + 2 * at + t;
    x->skips[t] = x->start[t] + gb_subtree(schedule, t) + 1;
    at += gb_subtree(schedule, t);
  }
  return MPI_SUCCESS;
}

void gb_displacements_make(const gb_rank_schedule *schedule, gb_displacements *x, gb_blocks *blocks) {
  for (uint32_t t = 0; t < x->trees; t++) {
    x->start[t][0] = 0;
    for (uint32_t i = 0; i < gb_subtree(schedule, t); i++)
      x->start[t][i + 1] = x->start[t][i] + gb_rank_share(schedule, t, x->length[t][i], &x->skips[t][i]);
    blocks[t] = (gb_blocks){.start = x->start[t], .skips = x->skips[t]};
  }
}
