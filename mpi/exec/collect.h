/* Collecting the blocks that come up a tree. */
#ifndef GB_MPI_EXEC_COLLECT_H
#define GB_MPI_EXEC_COLLECT_H

#include "mpi/exec/run.h"

/* The prefix of a sender has grown: what has come may be sent on or, at the root, is delivered. An MPI error
 * code. */
int gb_collect(gb_run *run, gb_tree_stream *s, const gb_cursor *sender);

#endif
