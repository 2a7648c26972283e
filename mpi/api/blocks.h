/* Blocks of bytes, one for each rank, that go down the trees of a schedule from the root (a scatter) or up to
 * it (a gather). Each tree carries its share of every block. A stream is, block after block, what a subtree
 * gets or gives:
 *
 *   down   | child 0's subtree | child 1's subtree | own |
 *   up     | own | sender 0's subtree | sender 1's subtree |        own first: it is there from the start */
#ifndef GB_MPI_API_BLOCKS_H
#define GB_MPI_API_BLOCKS_H

#include "mpi/comm/comm.h"
#include "mpi/exec/exec.h"

/* What one run needs until it is over. */
typedef struct gb_blocks gb_blocks;

/* Where the block of a rank begins, as place[rank] says or, if place is NULL, behind so many others. */
static inline ptrdiff_t gb_block_place(const ptrdiff_t *place, size_t block, int rank) {
  return place != NULL ? place[rank] : (ptrdiff_t)block * rank;
}

/* Ranks in this rank's subtrees, over all trees. */
size_t gb_blocks_count(const gb_rank_schedule *schedule);

/* For a run of h->schedule. Blocks of `block` bytes, or if `length` is not NULL of so many: length[i] of
 * block number i, from the first of the first tree to the last of the last. whole: each tree carries all of
 * every block. NULL: out of memory. */
gb_blocks *gb_blocks_new(const gb_handle *h, size_t block, const uint64_t *length, bool whole);
void gb_blocks_free(gb_blocks *x); /* NULL is allowed */

/* Says where the blocks are, before the run. At the root: the block of rank r lies at base + place[r] or, if
 * place is NULL, r blocks behind `base`, or goes there; its own is not moved. Elsewhere: this rank's block
 * lies at `own`, or goes there, if no rank is below it. own NULL: it is among those that pass through. */
void gb_blocks_at_root(gb_blocks *x, const char *base, const ptrdiff_t *place);
void gb_blocks_elsewhere(gb_blocks *x, char *own);

/* Then, bytes for what passes through this rank: of its whole subtrees, unless nobody but itself is in them;
 * at the root of a gather for what arrives before it is copied to its place. */
size_t gb_blocks_room(const gb_blocks *x);

/* Makes h->run. passing: memory of gb_blocks_room() bytes. An error class. */
int gb_blocks_run(gb_handle *h, gb_blocks *x, char *passing);

/* Copies this rank's block, if others are below it: in a gather from `own` to what passes, before it is run;
 * in a scatter the other way, after that. An MPI error code. */
int gb_blocks_copy_own(const gb_blocks *x, char *passing);

#endif
