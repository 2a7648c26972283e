#include "mpi/api/lengths.h"
#include "mpi/api/blocks.h"
#include <limits.h>
#include <stdlib.h>

void gb_lengths_free(gb_lengths *lengths) {
  if (lengths == NULL)
    return;
  free(lengths->block);
  free(lengths->of_rank);
  free(lengths->place);
  free(lengths->told);
  free(lengths->counts);
  free(lengths);
}

int gb_lengths_measure(const gb_api_call *x, const gb_buffer *b, bool copies, gb_lengths *l, char **copy) {
  const int size = x->h.c->wire.size;
  MPI_Count lower, extent;
  size_t total = 0;
  bool stays = true;
  l->of_rank = malloc((size_t)size * sizeof *l->of_rank);
  l->place = malloc((size_t)size * sizeof *l->place);
  if (l->of_rank == NULL || l->place == NULL)
    return MPI_ERR_NO_MEM;
  int rc = MPI_Type_get_extent_x(b->type, &lower, &extent);
  if (rc == MPI_SUCCESS)
    rc = gb_type_is_contiguous(b->type, &stays);
  stays = stays && !copies;
  for (int i = 0; rc == MPI_SUCCESS && i < size; i++) {
    size_t bytes = 0;
    rc = gb_type_bytes(b->counts[i], b->type, &bytes);
    l->of_rank[i] = bytes;
    l->place[i] = stays ? (ptrdiff_t)(b->places[i] * extent) : (ptrdiff_t)total;
    total += bytes;
  }
  if (rc != MPI_SUCCESS || stays)
    return rc;
  *copy = gb_get_staging(&x->h, total);
  return *copy == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

int gb_lengths_new(gb_api_call *x, gb_transfer *t, const gb_buffer *b, char **copy) {
  gb_lengths *l = t->lengths = calloc(1, sizeof *l);
  if (l == NULL)
    return MPI_ERR_NO_MEM;
  l->block = malloc(gb_blocks_count(x->h.schedule) * sizeof *l->block);
  if (l->block == NULL)
    return MPI_ERR_NO_MEM;
  return b != NULL ? gb_lengths_measure(x, b, false, l, copy) : MPI_SUCCESS;
}

void gb_lengths_order(const gb_api_call *x, gb_lengths *l) {
  const gb_rank_schedule *schedule = x->h.schedule;
  uint64_t *next = l->block;
  for (uint32_t i = 0; i < schedule->tree_count; i++)
    for (uint32_t k = 0; k < schedule->tree[i].subtree; k++)
      *next++ = l->of_rank[schedule->tree[i].order[k]];
}

int gb_lengths_blocks(gb_api_call *x, gb_transfer *t, const ptrdiff_t **place) {
  const gb_lengths *l = t->lengths;
  free(t->blocks);
  t->blocks = gb_blocks_new(&x->h, l != NULL ? 0 : t->block, l != NULL ? l->block : NULL, false);
  *place = l != NULL ? l->place : NULL;
  return t->blocks != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

int gb_lengths_pack(const gb_api_call *x, const gb_buffer *b, const gb_lengths *l, char *copy) {
  const gb_wire *w = &x->h.c->wire;
  MPI_Count lower, extent;
  int rc = MPI_Type_get_extent_x(b->type, &lower, &extent);
  for (int i = 0; rc == MPI_SUCCESS && i < w->size; i++)
    rc = gb_pack(gb_block_at(b, extent, i), b->counts[i], b->type, copy + l->place[i], l->of_rank[i],
                 w->local);
  return rc;
}

int gb_lengths_unpack(const gb_api_call *x, const gb_transfer *t) {
  const gb_wire *w = &x->h.c->wire;
  const gb_buffer *r = &t->receive;
  const gb_lengths *l = t->lengths;
  MPI_Count lower, extent;
  if (t->unpacked == NULL)
    return MPI_SUCCESS;
  int rc = MPI_Type_get_extent_x(r->type, &lower, &extent);
  for (int i = 0; rc == MPI_SUCCESS && i < w->size; i++)
    rc = gb_unpack(t->unpacked + l->place[i], l->of_rank[i], gb_block_at(r, extent, i), r->counts[i], r->type,
                   w->local);
  return rc;
}

#if MPI_VERSION >= 4
int gb_lengths_for_mpi(gb_transfer *t, const gb_buffer *b, int size, MPI_Count other, gb_mpi_lengths *out) {
  (void)t;
  (void)size;
  *out = (gb_mpi_lengths){b->counts, b->places, other};
  return MPI_SUCCESS;
}
#else
int gb_lengths_for_mpi(gb_transfer *t, const gb_buffer *b, int size, MPI_Count other, gb_mpi_lengths *out) {
  gb_lengths *l = t->lengths = calloc(1, sizeof *l);
  int *numbers = l != NULL ? malloc(sizeof *numbers * ((size_t)size * 2 + 1)) : NULL;
  if (numbers == NULL)
    return MPI_ERR_NO_MEM;
  l->counts = numbers;
  *out = (gb_mpi_lengths){.count = numbers, .place = numbers + size};
  bool fit = gb_count_for_mpi(other, &out->other);
  for (int i = 0; i < size; i++) {
    fit = fit && b->counts[i] <= INT_MAX && b->places[i] <= INT_MAX && b->places[i] >= INT_MIN;
    numbers[i] = (int)b->counts[i];
    numbers[size + i] = (int)b->places[i];
  }
  return fit ? MPI_SUCCESS : MPI_ERR_COUNT;
}
#endif
