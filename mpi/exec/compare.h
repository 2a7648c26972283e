/* Whether all ranks make the same calls. The first time that a schedule is used, each rank has a hash of it,
 * and a non-blocking MPI_Iallreduce finds the greatest and the least of all ranks beside the data:
 *
 *   data     |0|1|2|3|...
 *   hashes   |------------->|      looked at while a run waits for something, and when one ends
 *
 * Calls that differ have different tags when they are compared, as tags begin with bits of the hash
 * (gb_first_tag). So a rank whose data arrive may return before the comparison is complete. If ranks differ,
 * a rank that still waits fails in this call; one that has returned fails in a later one. Where MPI has too
 * few tags for this, or the caller asks for it (GBCAST_CHECK), a run waits for the comparison. A call whose
 * schedule this rank has used before is not compared. */
#ifndef GB_MPI_EXEC_COMPARE_H
#define GB_MPI_EXEC_COMPARE_H

#include "mpi/exec/run.h"

/* Looks at the comparisons that are open. MPI_SUCCESS; MPI_ERR_ARG: ranks differ; or an MPI error code. */
int gb_comparisons_look(gb_exec *exec);

/* Whether the comparison with this number is open; 0: there is none. */
bool gb_comparison_is_open(const gb_exec *exec, uint64_t number);

/* Waits until the comparison with this number is complete, and for no later one: another rank may begin a
 * later one only after it has received data from this rank. */
int gb_comparison_wait(gb_exec *exec, uint64_t number);

#endif
