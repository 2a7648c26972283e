/* A scatter of blocks of bytes down the trees of a schedule, each of which carries its share of every block.
 * A stream is, block after block, what a subtree gets. */
#ifndef GB_MPI_API_SCATTERING_H
#define GB_MPI_API_SCATTERING_H

#include "mpi/comm/comm.h"
#include "mpi/exec/exec.h"

/* What one run needs until it is over. */
typedef struct gb_scattering gb_scattering;

/* Ranks in my subtree, I among them: the last one. */
static inline uint32_t gb_subtree(const gb_rank_schedule *schedule, uint32_t tree) {
  return schedule->tree[tree].child_first[schedule->tree[tree].receiver_count] + 1;
}

/* The same in all trees. */
size_t gb_all_subtrees(const gb_rank_schedule *schedule);

/* Blocks of `block` bytes, or if `length` is not NULL of so many: length[i] of block number i, from the first
 * of the first tree to the last of the last. whole: each tree carries all of every block. NULL: out of
 * memory. */
gb_scattering *gb_scattering_new(const gb_rank_schedule *schedule, size_t block, const uint64_t *length,
                                 bool whole);
void gb_scattering_free(gb_scattering *x); /* NULL is allowed */

/* Makes h->run. At the root: the block of rank r lies at base + place[r] or, if place is NULL, r blocks
 * behind `base`; its own is not moved. An error class. */
int gb_scattering_send(gb_handle *h, gb_scattering *x, const char *base, const ptrdiff_t *place);

/* Elsewhere: this rank's block is received at `own`, where no rank is below it; all else into `passed_on`,
 * stream after stream. own NULL: everything is. */
int gb_scattering_receive(gb_handle *h, gb_scattering *x, char *own, char *passed_on);

/* Bytes for `passed_on`, if `own` is not NULL. */
size_t gb_scattering_room(const gb_scattering *x);

/* When that run is over: moves what was received of this rank's block elsewhere to `own`. An MPI error code.
 */
int gb_scattering_keep(const gb_scattering *x);

#endif
