/* Whether all ranks make the same calls. The first time that a schedule is used, each rank has a hash of it,
 * and a non-blocking MPI_Iallreduce finds the greatest and the least of all ranks beside the data:
 *
 *   data     |0|1|2|3|...
 *   hashes   |------------->|      looked at while a run waits for something, and when one ends
 *
 * Messages of different calls do not match, as their tags begin with bits of the hash (gb_first_tag). So a
 * rank returns when it has all its data, and learns of a disagreement in this call if it would wait in vain,
 * or else in the next one. Where MPI has too few tags for that, and where the caller asks for it, a run waits
 * for the comparison. A rank that makes a call which it has made before does not take part. */
#ifndef GB_MPI_EXEC_AGREE_H
#define GB_MPI_EXEC_AGREE_H

#include "mpi/exec/run.h"

/* Looks at the comparisons that are open. MPI_SUCCESS; MPI_ERR_ARG: ranks differ; or an MPI error code. */
int gb_agree_look(gb_exec *exec);

/* Whether the comparison with this number is open; 0: there is none. */
bool gb_agree_is_open(const gb_exec *exec, uint64_t number);

/* Waits for it. Later ones may need what other ranks do only when they have what this rank has to send. */
int gb_agree_wait(gb_exec *exec, uint64_t number);

#endif
