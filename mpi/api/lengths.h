/* Blocks of unequal lengths: what a rank with counts for all of them knows, and what it tells the others. */
#ifndef GB_MPI_API_LENGTHS_H
#define GB_MPI_API_LENGTHS_H

#include "mpi/api/collective.h"

/* Of such a call of which one rank alone knows how many bytes there are: it is planned for so many a block.
 */
enum { GB_NOMINAL_BLOCK = 65536 };

/* Of a call that is under way. */
typedef struct gb_lengths {
  uint64_t *block; /* bytes of each, in the order of the streams of h->schedule */
  /* where the counts are known: */
  uint64_t *of_rank; /* bytes of each rank's block, */
  ptrdiff_t *place;  /* and where it lies in the caller's buffer or in a copy of all blocks */
  uint64_t *told;    /* gatherv: what the ranks say of_rank should be ... */
  bool differ;       /* ... and whether it is not */
  void *counts;      /* what MPI before version 4 reads, until its call is over */
} gb_lengths;

void gb_lengths_free(gb_lengths *lengths); /* NULL is allowed */

/* Makes t->lengths, with room for `block` and, unless `b` is NULL, of_rank and place of all its blocks. *copy
 * is memory for all of them where their type has gaps; otherwise NULL. An error class or MPI error code. */
int gb_lengths_new(gb_api_call *x, gb_transfer *t, const gb_buffer *b, char **copy);

/* Sets of_rank and place for all blocks of a buffer, which lie there or, if their type has gaps or `copies`,
 * in *copy; otherwise that is NULL. An error class or MPI error code. */
int gb_lengths_measure(const gb_api_call *x, const gb_buffer *b, bool copies, gb_lengths *l, char **copy);

/* Copies all blocks of a buffer to `copy`. An MPI error code. */
int gb_lengths_pack(const gb_api_call *x, const gb_buffer *b, const gb_lengths *l, char *copy);

/* Fills `block` from of_rank. */
void gb_lengths_order(const gb_api_call *x, gb_lengths *l);

/* Copies all blocks out of t->unpacked, if that is not NULL. An MPI error code. */
int gb_lengths_unpack(const gb_api_call *x, const gb_transfer *t);

/* Makes t->blocks, in place of those of another run; *place: of t->lengths, or NULL. MPI_ERR_NO_MEM. */
int gb_lengths_blocks(gb_api_call *x, gb_transfer *t, const ptrdiff_t **place);

/* What MPI's own collective gets: counts and places of the blocks, and the count at the other end. */
typedef struct gb_mpi_lengths {
  const gb_mpi_count *count;
  const gb_mpi_place *place;
  gb_mpi_count other;
} gb_mpi_lengths;

/* For `native`: fills *out from `size` blocks of a buffer, and the count at the other end. Makes t->lengths
 * where they have to be converted. An error class. */
int gb_lengths_for_mpi(gb_transfer *t, const gb_buffer *b, int size, MPI_Count other, gb_mpi_lengths *out);

#endif
